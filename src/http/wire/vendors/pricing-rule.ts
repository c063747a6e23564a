import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import type { RuleOwner } from '../../../domain/pricing/rule-book.ts';
import { RuleTerms, type PriceRule, type PricingRule } from '../../../domain/pricing/rules.ts';
import { isoTime } from '../../../domain/time.ts';
import type { RuleFacts } from '../../../vendors/edit-pricing-rules.ts';
import { InstantBody } from '../place.ts';

const vendor_id = idSchema('ven')
  .exactOptional()
  .describe('The vendor whose rule it is. If it is absent, the rule is the platform’s and holds for every vendor');
const active_from = InstantBody.exactOptional();
const active_to = InstantBody.nullable().exactOptional().describe('When the rule ends; null: when somebody ends it');

export const PricingRulesQuery = z.strictObject({
  vendor_id: idSchema('ven').exactOptional().describe('The vendor. Required for staff'),
  state: z
    .enum(['active', 'all'])
    .default('active')
    .describe('`active` lists the rules that hold now. `all` adds the stored rules that begin later or have ended'),
});

export const NewPricingRuleBody = z
  .strictObject({
    vendor_id,
    terms: RuleTerms,
    active_from: active_from.describe('When the rule begins. The default is now'),
    active_to,
  })
  .transform(({ vendor_id: owner, terms, active_from: from = null, active_to: to = null }) => ({
    owner: ownerOf(owner),
    facts: { terms, activeFrom: from, activeTo: to },
  }));

export const PricingRuleChangesBody = z
  .strictObject({
    vendor_id,
    terms: RuleTerms.exactOptional(),
    active_from: active_from.describe('When the rule begins'),
    active_to,
  })
  .transform((body): { owner: RuleOwner; changes: Partial<RuleFacts> } => ({
    owner: ownerOf(body.vendor_id),
    changes: {
      ...(body.terms === undefined ? {} : { terms: body.terms }),
      ...(body.active_from === undefined ? {} : { activeFrom: body.active_from }),
      ...(body.active_to === undefined ? {} : { activeTo: body.active_to }),
    },
  }));

export const PricingRuleEndBody = z
  .strictObject({ vendor_id })
  .transform(({ vendor_id: owner }): RuleOwner => ownerOf(owner));

function ownerOf(vendorId: RuleOwner | undefined): RuleOwner {
  return vendorId ?? 'platform';
}

const SOURCES = ['vendor', 'platform', 'settings'] as const;

export const PricingRuleView = z.strictObject({
  id: idSchema('prl').nullable().describe('The rule’s id; null for a rule that follows from the settings'),
  object: z.literal('pricing_rule').describe('Always `pricing_rule`'),
  source: z.enum(SOURCES).describe('The owner of the rule: the vendor’s, the platform’s, or one of the settings'),
  terms: RuleTerms,
  active_from: z.iso.datetime().nullable().describe('When the rule begins; null for a rule of the settings'),
  active_to: z.iso.datetime().nullable().describe('When the rule ends; null while no end is known'),
});

/** A rule and the owner of the book that it stands in; null for a rule of the settings. */
export function presentRule(rule: PriceRule | PricingRule, owner: RuleOwner | null): z.output<typeof PricingRuleView> {
  const span = 'activeFrom' in rule ? rule : null;
  return {
    id: rule.id,
    object: 'pricing_rule',
    source: owner === null ? 'settings' : owner === 'platform' ? 'platform' : 'vendor',
    terms: rule.terms,
    active_from: span === null ? null : isoTime(span.activeFrom),
    active_to: span === null || span.activeTo === null ? null : isoTime(span.activeTo),
  };
}
