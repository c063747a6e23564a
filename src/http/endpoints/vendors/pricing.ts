import { calculateQuote } from '../../../dispatch/deliveries/quote-delivery.ts';
import { readBooks } from '../../../money/prices/read-rules.ts';
import { subsidizeQuote } from '../../../money/prices/subsidize-quote.ts';
import { addPricingRule, changePricingRule, endPricingRule } from '../../../vendors/edit-pricing-rules.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import { listOf } from '../../lists.ts';
import { expressOwner, vendorOf } from '../../owner.ts';
import { NewQuoteBody } from '../../wire/deliveries/delivery.ts';
import {
  NewSubsidyBody,
  PreCalcView,
  presentPreCalc,
  presentSubsidy,
  SubsidyView,
} from '../../wire/deliveries/quote.ts';
import {
  NewPricingRuleBody,
  presentRule,
  PricingRuleChangesBody,
  PricingRuleEndBody,
  PricingRulesQuery,
  PricingRuleView,
} from '../../wire/vendors/pricing-rule.ts';

const tag = 'Vendor';

/** The rules that price deliveries, and what they give for one. */
export const PRICING = [
  endpoint({
    route: 'GET /vendor/pricing-rules',
    name: 'listPricingRules',
    tag,
    summary: 'List the rules that price the deliveries of the vendor',
    description:
      'Returns the rules that hold now: of each type of charge one, and all discounts. A rule of the vendor comes ' +
      'before one of the platform, and both come before the settings. `state=all` adds stored rules that do not hold.',
    query: PricingRulesQuery,
    reply: listOf(PricingRuleView),
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, query }) => {
      const { id } = await ctx.vendors.get(vendorOf(caller, query.vendor_id));
      const { books, inForce } = await readBooks(ctx, id);
      const stored = books.flatMap((book) => book.rules.map((rule) => presentRule(rule, book.id)));
      const holding = new Set<string | null>(inForce.map((rule) => rule.id));
      const defaults = inForce.filter((rule) => rule.id === null).map((rule) => presentRule(rule, null));
      const data = [...stored.filter((rule) => query.state === 'all' || holding.has(rule.id)), ...defaults];
      return { object: 'list' as const, data, has_more: false, next_cursor: null };
    },
  }),
  endpoint({
    route: 'POST /vendor/promotions/subsidy',
    name: 'subsidizeQuote',
    tag,
    summary: 'Apply a discount that the vendor pays to a quote',
    description:
      'Takes a part of the fee off what the customer pays and adds it to what the vendor pays. The fee and what the ' +
      'courier earns stay. The quote must be unused and valid. A quote has one subsidy: the same one again changes ' +
      'nothing, and another one is refused.',
    body: NewSubsidyBody,
    reply: SubsidyView,
    status: 201,
    refuses: [404],
    also: { 200: 'The subsidy that an earlier request applied' },
    run: async (ctx, { caller, body, newId }) => {
      const { vendorId, liveMode } = caller;
      const { quote, isNew } = await subsidizeQuote(ctx, { ...body, vendorId, liveMode }, newId('sub'));
      return new Answer(presentSubsidy(quote), { status: isNew ? 201 : 200 });
    },
  }),
  endpoint({
    route: 'POST /vendor/quotes/pre-calc',
    name: 'preCalculateQuote',
    tag,
    summary: 'Calculate what a delivery costs customer, vendor and platform',
    description:
      'Prices a delivery as a quote does, promises nothing and stores nothing. `applied_rules` names each rule that ' +
      'gave a part of the fee or a discount, in the order in which they were applied.',
    body: NewQuoteBody,
    reply: PreCalcView,
    status: 200,
    refuses: [404],
    run: async (ctx, { caller, body }) => {
      const { vendorId, liveMode } = expressOwner(caller, body.owner);
      return presentPreCalc(await calculateQuote(ctx, { ...body.content, vendorId, liveMode }));
    },
  }),
  endpoint({
    route: 'POST /vendor/pricing-rules',
    name: 'createPricingRule',
    tag,
    summary: 'Create a pricing rule',
    description:
      'Creates a rule for one vendor or, without `vendor_id`, for all. It holds from `active_from` to `active_to`. ' +
      'Quotes and deliveries that exist keep their prices.',
    body: NewPricingRuleBody,
    reply: PricingRuleView,
    status: 201,
    refuses: [404],
    run: async (ctx, { body, newId }) =>
      presentRule(await addPricingRule(ctx, body.owner, body.facts, newId('prl')), body.owner),
  }),
  endpoint({
    route: 'PATCH /vendor/pricing-rules/{id}',
    name: 'updatePricingRule',
    tag,
    summary: 'Change a pricing rule',
    description: 'Changes the fields that are sent. Quotes and deliveries that exist keep their prices.',
    id: 'pricingRule',
    body: PricingRuleChangesBody,
    reply: PricingRuleView,
    status: 200,
    run: async (ctx, { id, body }) =>
      presentRule(await changePricingRule(ctx, body.owner, id, body.changes), body.owner),
  }),
  endpoint({
    route: 'POST /vendor/pricing-rules/{id}/end',
    name: 'endPricingRule',
    tag,
    summary: 'End a pricing rule now',
    description: 'Ends the rule. A rule that has ended already stays as it is.',
    id: 'pricingRule',
    body: PricingRuleEndBody,
    reply: PricingRuleView,
    status: 200,
    run: async (ctx, { id, body: owner }) => presentRule(await endPricingRule(ctx, owner, id), owner),
  }),
];
