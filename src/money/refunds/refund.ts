import { endedAtOf, type Delivery } from '../../domain/deliveries/delivery.ts';
import { chargedOf, refundedOf, taxOf, type ChargeLine, type Funds, type Refund } from '../../domain/pricing/funds.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Settings } from '../../settings.ts';
import { allocate, amountOf, dividedHalfUp, type Amount } from '../amount.ts';
import { bookOf, platformAccount } from '../ledger/accounts.ts';
import { walletOf } from '../charges/fund-delivery.ts';
import type { Entry } from '../ledger/entries.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

const DAY_MS = 86_400_000;
/** Refunds of one delivery. Each is stored in it, and more of them would be a mistake. */
const MOST_REFUNDS = 20;

/** Within which a refund may be made: a time after the end of its delivery, ms, and a number of refunds with it. */
type RefundTerms = Settings['refunds'] & { readonly most?: number };

/** A refund as its caller asks for it. */
export type AskedRefund = Pick<Refund, 'id' | 'reference' | 'reason' | 'disputeId'> & {
  /** Minor units, above 0. Null for all that is left of the charge. */
  readonly amount: number | null;
};

/**
 * A refund, the money of its delivery with it, and what the ledger books. `fromReserve` is the part that the entry takes
 * from the reserve, minor units: the amount without its tax if the refund decides a dispute, and nothing otherwise.
 */
export type PlannedRefund = {
  readonly refund: Refund;
  readonly funds: Funds;
  readonly entry: Entry;
  readonly fromReserve: number;
};

/**
 * The refund that this delivery already has under the reference; null for none. Refuses `idempotency_key_reused` if it
 * has another amount or reason.
 */
export function findRefund({ funds }: Delivery, { reference, reason, amount }: Omit<AskedRefund, 'id'>): Refund | null {
  const found = funds?.refunds?.find((refund) => refund.reference === reference);
  if (found === undefined) return null;
  if (found.reason === reason && (amount === null || amount === chargedOf(found.lines))) return found;
  throw new Refusal('idempotency_key_reused', { detail: '`/reference` names another refund of this delivery.' });
}

/**
 * Plans a new refund. Each line of the charge gives back its share of the amount, by what is left of it, with its tax.
 * What the courier earned stays theirs. Refuses `refund_not_possible`, and `refund_exceeds_charge` if less is left.
 */
export function planRefund(
  delivery: Delivery,
  { amount, ...asked }: AskedRefund,
  now: number,
  terms: RefundTerms,
): PlannedRefund {
  const { funds, wanted } = refundable(delivery, amount, now, terms);
  const lines = linesOf(funds, wanted);
  const refund: Refund = { ...asked, lines, at: now };
  return {
    refund,
    funds: { ...funds, refunds: [...(funds.refunds ?? []), refund] },
    entry: entryOf(delivery, refund),
    fromReserve: refund.disputeId === undefined ? 0 : wanted - taxOf(lines),
  };
}

/**
 * The money of a delivery, and the amount of it that can be refunded: the one that is wanted, or all that is left of the
 * charge if it is null. Refuses `refund_not_possible`, and `refund_exceeds_charge` if less is left.
 */
export function refundable(
  delivery: Delivery,
  amount: number | null,
  now: number,
  { windowMs, most = MOST_REFUNDS }: RefundTerms,
): { readonly funds: Funds; readonly wanted: Amount } {
  const { funds } = delivery;
  const charged = chargedOf(funds?.charges ?? []);
  if (funds === undefined || charged === 0) throw notPossible('not_charged', 'Nothing was charged for this delivery.');
  const left = charged - refundedOf(funds);
  if (left === 0) throw notPossible('fully_refunded', `All of the charge, ${charged}, was refunded.`);
  if ((funds.refunds?.length ?? 0) >= most)
    throw notPossible('too_many_refunds', `A delivery can have at most ${counted(most, 'refund')}.`);
  if (now - (endedAtOf(delivery) ?? now) > windowMs)
    throw notPossible('too_late', `The delivery ended more than ${counted(Math.floor(windowMs / DAY_MS), 'day')} ago.`);
  const wanted = amountOf(amount ?? left);
  if (wanted > left) throw exceeds(charged, left);
  return { funds, wanted };
}

function notPossible(reason: string, detail: string): Refusal {
  return new Refusal('refund_not_possible', { reason, detail });
}

function exceeds(charged: number, left: number): Refusal {
  const detail = `\`/amount\` must be at most ${left}, which is left of the charge of ${charged}.`;
  const errors = [{ pointer: '/amount', code: 'out_of_range', message: detail }];
  const metadata = { charged, refunded: charged - left, refundable: left };
  return new Refusal('refund_exceeds_charge', { detail, errors, metadata });
}

/** The parts of the lines of a charge that an amount gives back, by what is left of each. */
function linesOf(funds: Funds, amount: Amount): ChargeLine[] {
  const lines = (funds.charges ?? []).map((line) => ({ line, earlier: earlierOf(funds, line) }));
  const left = lines.map(({ line, earlier }) => line.amount - earlier);
  const parts = allocate(amount, left);
  return lines.flatMap(({ line, earlier }, at) => {
    const part = parts[at] ?? 0;
    const tax = taxUpTo(line, earlier + part) - taxUpTo(line, earlier);
    return part === 0 ? [] : [{ type: line.type, amount: part, tax }];
  });
}

/** What earlier refunds gave back of a line. A charge has one line of each type. */
function earlierOf({ refunds = [] }: Funds, { type }: ChargeLine): number {
  return chargedOf(refunds.flatMap(({ lines }) => lines).filter((line) => line.type === type));
}

/** The tax that refunds of this much of a line give back in all. It is rounded once, so a whole line gives back its tax. */
function taxUpTo({ amount, tax }: ChargeLine, refunded: number): Amount {
  return dividedHalfUp(BigInt(tax) * BigInt(refunded), BigInt(amount));
}

/** The entry of a refund: what the vendor paid, the other way round. */
function entryOf(delivery: Delivery, { reference, reason, lines, disputeId }: Refund): Entry {
  const { id, vendorId, liveMode, currency } = delivery;
  const book = bookOf(liveMode, currency);
  const [amount, tax] = [chargedOf(lines), taxOf(lines)];
  const source = disputeId === undefined ? 'revenue' : 'reserve';
  const postings = [
    { account: walletOf(delivery), amount: amountOf(amount) },
    { account: platformAccount(source, book), amount: amountOf(tax - amount) },
    { account: platformAccount('tax', book), amount: amountOf(0 - tax) },
  ].filter((posting) => posting.amount !== 0);
  const back = lines.map((line) => ({ ...line, amount: amountOf(0 - line.amount), tax: amountOf(0 - line.tax) }));
  return {
    key: `refund:${id}:${reference}`,
    kind: 'refund',
    book,
    vendorId,
    postings,
    lines: back,
    about: id,
    reason,
  };
}
