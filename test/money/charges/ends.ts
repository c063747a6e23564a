import fc from 'fast-check';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Funds } from '../../../src/domain/pricing/funds.ts';
import { CANCEL_REASONS_OF, FAIL_REASONS } from '../../../src/domain/deliveries/states.ts';
import type { Split } from '../../../src/domain/pricing/split.ts';
import { bookVerb, type Booked } from '../../../src/money/charges/book-verb.ts';
import { fundsAtBirth } from '../../../src/money/charges/fund-delivery.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aCourier, aDelivery, aStop, heldBy, NOON } from '../../builders.ts';

const { charges: TERMS, pay: PAY } = defaultSettings();
export { PAY, TERMS };
export const MINUTE_MS = 60_000;

/** The delivery with money, of whose fee the platform pays a share. */
export function funded(delivery: Delivery, platform = 0, pay = PAY): Delivery {
  const split: Split = {
    customer: delivery.fee - platform,
    vendor: 0,
    platform,
    discounts: [],
    surgeBp: 10_000,
    isSurgeCapped: false,
  };
  return { ...delivery, funds: fundsAtBirth(delivery, split, pay) };
}

/** A delivery with money that a courier has, for a fee of 10.00. */
export function funded10(state: Delivery['state'], over: Parameters<typeof heldBy>[2] = {}, platform = 0): Delivery {
  return funded(heldBy(aCourier(), state, { fee: 1000, ...over }), platform);
}

/** What the end of a delivery books. */
export function endOf(
  books: NonNullable<Booked['books']>,
  before: Delivery,
  over: Partial<Delivery> = {},
  more: Partial<Pick<Booked, 'now' | 'opensReturn' | 'terms'>> = {},
): { readonly funds: Funds | undefined; readonly commands: readonly Command[]; readonly charged: Charged } {
  const after = { ...before, ...over };
  const { delivery, commands } = bookVerb({
    books,
    before,
    after,
    now: NOON,
    opensReturn: false,
    terms: TERMS,
    ...more,
  });
  return { funds: delivery.funds, commands, charged: chargedBy(commands) };
}

type Charged = Readonly<Record<string, number>>;

/** The entry among the commands; null for none. */
export function entryIn(commands: readonly Command[]): Entry | null {
  return commands.flatMap((command) => ('entry' in command ? [command.entry] : []))[0] ?? null;
}

/** The amounts of the entry by kind of account. */
function chargedBy(commands: readonly Command[]): Charged {
  const postings = entryIn(commands)?.postings ?? [];
  return Object.fromEntries(postings.map(({ account, amount }) => [account.slice(0, account.indexOf(':')), amount]));
}

/** A canceled end by a vendor. */
export const byVendor = (reason: string | null = null): Partial<Delivery> => ({
  state: 'canceled',
  ending: { by: 'vendor', reason },
});

const MOST = 1_000_000;

/** Ends of every kind: any fee, tax, share, tip, wait, number of drop-offs and cause. */
export const ENDS = fc
  .record({
    fee: fc.nat(MOST),
    platform: fc.nat(MOST),
    tip: fc.nat(5000),
    taxRateBp: fc.nat(5000),
    courierShareBp: fc.nat(10_000),
    waitMin: fc.nat(90),
    stops: fc.array(fc.constantFrom('delivered', ...FAIL_REASONS), { minLength: 1, maxLength: 4 }),
    by: fc.constantFrom('vendor', 'staff', 'system'),
    reason: fc.constantFrom(null, ...CANCEL_REASONS_OF.staff),
    at: fc.constantFrom('searching', 'assigned', 'arrived', 'in_transit'),
    afterMin: fc.nat(20),
    opensReturn: fc.boolean(),
    isCancel: fc.boolean(),
  })
  .map((given): Booked & { readonly before: Delivery } => {
    const { fee, taxRateBp, courierShareBp, at, waitMin, stops, isCancel } = given;
    const arrivedAt = at === 'searching' || at === 'assigned' ? null : NOON;
    const now = NOON + (given.afterMin + waitMin) * MINUTE_MS;
    const isCollected = !isCancel || at === 'in_transit';
    const pickup = aStop(0, {
      arrivedAt: isCancel ? arrivedAt : NOON,
      ...(isCollected ? { state: 'delivered', doneAt: NOON + waitMin * MINUTE_MS } : {}),
      ...(at === 'arrived' && isCancel ? { state: 'arrived' } : {}),
    });
    const ended = stops.map((end, index) =>
      end === 'delivered'
        ? aStop(index + 1, { state: 'delivered' })
        : aStop(index + 1, { state: 'failed', reason: end }),
    );
    const canceled = stops.map((end, index) =>
      aStop(index + 1, { state: at === 'in_transit' && end === 'delivered' ? 'delivered' : 'canceled' }),
    );
    const dropOffs = isCancel ? canceled : ended;
    const over = { fee, tip: given.tip, pickup, dropOffs };
    const held = isCancel && at === 'searching' ? aDelivery(over) : heldBy(aCourier(), stateOf(isCancel, at), over);
    const before = funded(held, Math.min(fee, given.platform), { taxRateBp, courierShareBp });
    const isDelivered = stops.includes('delivered');
    const books = isCancel ? 'charge_cancel' : isDelivered ? 'charge' : 'charge_failure';
    const after: Delivery = {
      ...before,
      state: isCancel ? 'canceled' : isDelivered ? 'delivered' : 'failed',
      ending: { by: given.by as 'vendor', reason: isCancel ? given.reason : null },
    };
    return { books, before, after, now, opensReturn: given.opensReturn && isCollected, terms: TERMS };
  });

function stateOf(isCancel: boolean, at: string): Delivery['state'] {
  return isCancel && at !== 'in_transit' ? 'assigned' : 'in_transit';
}
