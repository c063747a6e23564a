import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { CHARGE_TYPES } from '../../../domain/pricing/funds.ts';
import { isoTime } from '../../../domain/time.ts';
import { SETTLEMENT_CYCLES } from '../../../domain/vendors/vendor.ts';
import { SETTLEMENT_STATES, type Settlement } from '../../../money/settlement/settlement.ts';
import { sumOf } from '../../../money/settlement/statement.ts';
import type { Table } from '../../csv.ts';
import { pageQuery } from '../../lists.ts';
import { FORMAT } from '../billing/transactions.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';
import { PAYER } from '../billing/payer.ts';

const range = {
  date_range: DateRange.exactOptional().describe(
    `Half-open range in which the periods begin, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
};

export const SettlementsQuery = z.strictObject({
  ...pageQuery,
  cycle: z.enum(SETTLEMENT_CYCLES).exactOptional().describe('Only settlements of days, or of weeks'),
  ...range,
  vendor_id: idSchema('ven').exactOptional().describe('Only those of this vendor, for staff and internal services'),
  live_mode: PAYER.live_mode.describe('For staff and internal services: the mode, by default true'),
  ...FORMAT,
});

export const SettlementPayoutsQuery = z.strictObject({ ...pageQuery, ...range, ...PAYER });

const amount = z.number().int();
const STATUS =
  '`draft` waits for an approval by staff. `approved` is paid within minutes. `paid`: the wallet has it. `closed`: nothing is paid, because less is owed than the least amount';
const facts = {
  id: idSchema('stl').describe('The id of the settlement'),
  vendor_id: idSchema('ven').describe('The vendor'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of all amounts'),
  cycle: z.enum(SETTLEMENT_CYCLES).describe('How long the period lasts'),
  date: z.iso.date().describe('The last date of the period, in its time zone'),
  status: z.enum(SETTLEMENT_STATES).describe(STATUS),
};

const ChargeSumView = z.strictObject({
  type: z.enum(CHARGE_TYPES).describe('The purpose of the charges'),
  count: z.number().int().describe('How many charges have such a line'),
  amount: amount.describe('Their sum with tax, minor units'),
  tax: amount.describe('The tax in them, minor units'),
});

export const SettlementView = z.strictObject({
  ...facts,
  object: z.literal('settlement').describe('The kind of object'),
  period_start: z.iso.datetime().describe('When the period began, UTC'),
  period_end: z.iso.datetime().describe('When the period ended, UTC, excluded'),
  time_zone: z.string().describe('IANA time zone of the cut-offs'),
  deliveries: z.number().int().describe('How many deliveries were charged'),
  order_value: amount.describe('The order values that the platform collected, minor units'),
  delivery_cost: amount.describe('The charges of deliveries with tax, minor units'),
  charges: z.array(ChargeSumView).describe('The charges by purpose. They sum to `delivery_cost`'),
  refunds: amount.describe('The refunds of charges, minor units'),
  adjustments: amount.describe(
    'The money that staff booked into the wallet by hand, minor units; negative if out of it',
  ),
  top_ups: amount.describe(
    'Top-ups and credits from suspense, less refunds of top-ups and chargebacks, minor units; may be negative',
  ),
  net: amount.describe('`order_value` less `delivery_cost`, with `refunds` and `adjustments`, minor units'),
  carried_in: amount.describe('The order values that were not paid before, minor units; may be negative'),
  amount: amount.describe('The order values that this settlement pays, minor units'),
  carried_out: amount.describe('The order values that are not paid yet, minor units; may be negative'),
  destination: z.literal('wallet').describe('Where the amount goes: into the wallet of the vendor'),
  approved_by: idSchema('stf').nullable().describe('The member of staff who approved it; null for none'),
  created_at: z.iso.datetime().describe('When it was made, UTC'),
  updated_at: z.iso.datetime().describe('When its status changed last, UTC'),
});

/** A settlement with its statement. */
export function presentSettlement(settlement: Settlement): z.output<typeof SettlementView> {
  const { period, statement, carriedIn, amount: paid, carriedOut, approvedBy } = settlement;
  const [orderValue, cost] = [sumOf(statement, 'order_values'), 0 - sumOf(statement, 'charges')];
  const [refunds, adjustments] = [sumOf(statement, 'refunds'), sumOf(statement, 'adjustments')];
  return {
    ...factsOf(settlement),
    object: 'settlement',
    period_start: isoTime(period.from),
    period_end: isoTime(period.to),
    time_zone: period.zone,
    deliveries: statement.sections.find(({ section }) => section === 'charges')?.count ?? 0,
    order_value: orderValue,
    delivery_cost: cost,
    charges: statement.charges.map((charge) => ({ ...charge })),
    refunds,
    adjustments,
    top_ups: sumOf(statement, 'top_ups'),
    net: orderValue - cost + refunds + adjustments,
    carried_in: carriedIn,
    amount: paid,
    carried_out: carriedOut,
    destination: 'wallet',
    approved_by: approvedBy,
    created_at: isoTime(settlement.createdAt),
    updated_at: isoTime(settlement.updatedAt),
  };
}

export const SettlementPayoutView = z.strictObject({
  ...facts,
  object: z.literal('settlement_payout').describe('The kind of object'),
  amount: amount.min(1).describe('The amount, minor units'),
  destination: z.literal('wallet').describe('Where the amount goes: into the wallet of the vendor'),
  created_at: z.iso.datetime().describe('When it was made, UTC'),
  paid_at: z.iso.datetime().nullable().describe('When it was paid, UTC; null until then'),
});

/** The payment of a settlement. */
export function presentSettlementPayout(settlement: Settlement): z.output<typeof SettlementPayoutView> {
  const { amount: paid, state, createdAt, updatedAt } = settlement;
  return {
    ...factsOf(settlement),
    object: 'settlement_payout',
    amount: paid,
    destination: 'wallet',
    created_at: isoTime(createdAt),
    paid_at: state === 'paid' ? isoTime(updatedAt) : null,
  };
}

function factsOf({ id, vendorId, liveMode, currency, period, state }: Settlement) {
  const { cycle, date } = period;
  return { id, vendor_id: vendorId, live_mode: liveMode, currency, cycle, date, status: state };
}

// One row per line: this is a table.
// oxfmt-ignore
const COLUMNS = ['id', 'vendor_id', 'cycle', 'date', 'status', 'currency', 'deliveries', 'order_value', 'delivery_cost', 'refunds', 'adjustments', 'top_ups', 'net', 'carried_in', 'amount', 'carried_out'] as const;

/** The table of settlements: its headings, and the row of one. */
export const SETTLEMENT_TABLE = {
  columns: COLUMNS,
  rowsOf: (settlement: Settlement): Table => {
    const view = presentSettlement(settlement);
    return [COLUMNS.map((name) => view[name])];
  },
};
