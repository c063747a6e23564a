import { z } from 'zod';
import type { Calculated } from '../../../dispatch/deliveries/quote-delivery.ts';
import { DistanceSourceView, EtaView } from '../../../domain/deliveries/delivery-view.ts';
import { isoTime } from '../../../domain/time.ts';
import { idSchema } from '../../../domain/ids.ts';
import { LINE_TYPES, type Quote, type SubsidizedQuote } from '../../../domain/deliveries/quote.ts';
import { WHOLE_BP } from '../../../domain/pricing/rules.ts';
import { DISCOUNTS, PAYERS, type Subsidy } from '../../../domain/pricing/split.ts';
import { presentEta } from '../../../domain/views/present-delivery.ts';
import { MinorUnits } from '../place.ts';

const cap = MinorUnits.exactOptional().describe('The most that the subsidy is, minor units of the vendor’s currency');

/** The discount that a vendor gives its customer. */
export const SubsidyBody = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('fixed').describe('An amount'),
      amount: MinorUnits.describe('The amount in minor units of the vendor’s currency'),
    }),
    z.strictObject({
      type: z.literal('percent').describe('A share of what the customer would otherwise pay'),
      rate_bp: z.number().int().min(1).max(WHOLE_BP).describe('The share in basis points, 1 to 10000: 2500 is 25 %'),
      cap,
    }),
    z.strictObject({ type: z.literal('free').describe('All that the customer would otherwise pay'), cap }),
  ])
  .describe('A discount that the vendor gives its customer and pays itself. It does not change `fee`')
  .transform((subsidy): Subsidy => subsidy);

const amount = (note: string) => z.number().int().describe(`${note}, minor units of \`currency\``);

const priceFields = {
  live_mode: z.boolean(),
  priority: z.enum(['express', 'scheduled']),
  fee: z.number().int(),
  currency: z.string(),
  fee_breakdown: z.array(z.strictObject({ type: z.enum(LINE_TYPES), amount: z.number().int() })),
  customer_fee: amount('The share of the vendor’s customer: the fee without the discounts'),
  vendor_subsidy: amount('The sum of the discounts of type `subsidy`'),
  vendor_net_cost: amount('The share of the vendor: the discounts that it pays'),
  platform_share: amount('The share of the platform: the discounts that it pays'),
  discounts: z
    .array(
      z.strictObject({
        type: z.enum(DISCOUNTS).describe('The reason for the discount'),
        amount: amount('The amount, which is above 0'),
        paid_by: z.enum(PAYERS).describe('The payer'),
      }),
    )
    .describe('The parts of the fee that the customer does not pay. With `customer_fee` they sum exactly to `fee`'),
  surge: z
    .strictObject({
      multiplier: z.number().describe('The factor of demand in the price: 1 or more. It stays until `expires_at`'),
      capped: z.boolean().describe('Whether the factor would have been higher without its limit'),
    })
    .describe('How demand changes the price'),
  waiting_estimate: z
    .strictObject({
      minutes: z.number().int().describe('The minutes of waiting at the pickup that will probably be charged'),
      amount: amount('Their charge, beside `fee`'),
    })
    .nullable()
    .describe(
      'The waiting at the pickup that the server expects to charge. `fee` does not contain it: the ' +
        'minutes that really pass are charged. Null if the server has no estimate',
    ),
  distance_m: z.number().int(),
  duration_s: z.number().int(),
  distance_source: DistanceSourceView,
};

export const QuoteView = z.strictObject({
  id: idSchema('qte'),
  object: z.literal('quote'),
  ...priceFields,
  pickup_eta: EtaView.nullable().describe(
    'When a courier could be at the pickup, as of `created_at`. Goods that are ready more than 30 minutes later are ' +
      'expected at that time. Null if no free courier was found, or if the server cannot tell. It is an estimate and no ' +
      'promise',
  ),
  couriers_near: z
    .number()
    .int()
    .nullable()
    .describe(
      'Free couriers who could carry the goods, found within 5 km of the pickup or the shorter limit of the operator: 0 ' +
        'to 5, where 5 means 5 or more. In a crowd of whom few could, the search may miss some or not tell. Null if the ' +
        'server cannot tell, or if the goods are ready more than 30 minutes later',
    ),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const PreCalcView = z.strictObject({
  object: z.literal('quote_calculation').describe('Always `quote_calculation`'),
  ...priceFields,
  applied_rules: z
    .array(
      z.strictObject({
        rule_id: idSchema('prl')
          .nullable()
          .describe('The rule; null for one of the settings, for the subsidy and the tax'),
        type: z.enum([...LINE_TYPES, ...DISCOUNTS]).describe('The line or the discount that it gave'),
        amount: amount('The amount of that line or discount'),
      }),
    )
    .describe('The rules that gave lines and discounts, in the order in which they were applied'),
});

export const NewSubsidyBody = z
  .strictObject({ quote_id: idSchema('qte').describe('The quote'), subsidy: SubsidyBody })
  .transform(({ quote_id: quoteId, subsidy: terms }) => ({ quoteId, terms }));

export const SubsidyView = z.strictObject({
  id: idSchema('sub'),
  object: z.literal('subsidy').describe('Always `subsidy`'),
  quote_id: idSchema('qte').describe('The quote that it was applied to'),
  amount: amount('The part of the fee that the vendor pays instead of its customer'),
  currency: z.string(),
  live_mode: z.boolean(),
  quote: QuoteView.describe('The quote with its new shares'),
  created_at: z.iso.datetime().describe('When it was applied, UTC'),
});

/** The subsidy of a quote, as its vendor sees it. */
export function presentSubsidy(quote: SubsidizedQuote): z.output<typeof SubsidyView> {
  const { id, amount: part, appliedAt } = quote.subsidy;
  return {
    id,
    object: 'subsidy',
    quote_id: quote.id,
    amount: part,
    currency: quote.currency,
    live_mode: quote.liveMode,
    quote: presentQuote(quote),
    created_at: isoTime(appliedAt),
  };
}

export function presentQuote(quote: Quote): z.output<typeof QuoteView> {
  return {
    id: quote.id,
    object: 'quote',
    ...presentPrice(quote),
    pickup_eta: presentEta(quote.outlook?.eta ?? null),
    couriers_near: quote.outlook?.couriersNear ?? null,
    created_at: isoTime(quote.createdAt),
    expires_at: isoTime(quote.expiresAt),
  };
}

/** A price that was calculated and not promised, with the rules that gave its parts. */
export function presentPreCalc({ trail, ...priced }: Calculated): z.output<typeof PreCalcView> {
  const applied = trail.map(({ ruleId, type, amount: part }) => ({ rule_id: ruleId, type, amount: part }));
  return { object: 'quote_calculation', ...presentPrice(priced), applied_rules: applied };
}

type Shown = Pick<
  Quote,
  | 'liveMode'
  | 'priority'
  | 'fee'
  | 'currency'
  | 'feeBreakdown'
  | 'split'
  | 'waiting'
  | 'distanceM'
  | 'durationS'
  | 'distanceSource'
>;

function presentPrice({ split, fee, ...quote }: Shown) {
  const discounts = (split?.discounts ?? []).map((discount) => ({ ...discount }));
  const subsidies = discounts.filter(({ type }) => type === 'subsidy');
  return {
    live_mode: quote.liveMode,
    priority: quote.priority,
    fee,
    currency: quote.currency,
    fee_breakdown: quote.feeBreakdown.map((line) => ({ ...line })),
    customer_fee: split?.customer ?? fee,
    vendor_subsidy: subsidies.reduce((sum, { amount: part }) => sum + part, 0),
    vendor_net_cost: split?.vendor ?? 0,
    platform_share: split?.platform ?? 0,
    discounts,
    surge: { multiplier: (split?.surgeBp ?? WHOLE_BP) / WHOLE_BP, capped: split?.isSurgeCapped ?? false },
    waiting_estimate: quote.waiting === undefined ? null : { ...quote.waiting },
    distance_m: quote.distanceM,
    duration_s: quote.durationS,
    distance_source: quote.distanceSource ?? 'estimate',
  };
}
