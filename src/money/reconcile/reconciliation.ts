import type { PayoutId, TopUpId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { Entry } from '../ledger/entries.ts';
import { currencyOf, isLive, kindOfAccount } from '../ledger/accounts.ts';
import type { GatewayName } from '../gateways.ts';
import { creditFactOf, nameOfPayment, suspenseFactOf, type PaymentName } from '../suspense/suspense.ts';
import { feeFactOf, type Fees } from './gateway-fees.ts';

/** A payment that a gateway says it has received. Times are service time in ms. */
export type ListedPayment = {
  /** The gateway's own name of the payment. */
  readonly gatewayId: string;
  /** The top-up that it names; null if it names none of ours. */
  readonly topUpId: TopUpId | null;
  /** Null if the gateway says a part of a minor unit, which cannot be booked. */
  readonly amount: Amount | null;
  readonly currency: string;
  /** The part of the amount that the gateway keeps; null if it does not say, or keeps it in another currency. */
  readonly fee: Amount | null;
  /** When the payment was begun at the gateway. */
  readonly createdAt: number;
};

export const UNMATCHED_CAUSES = ['not_booked', 'amount_differs', 'fee_differs', 'paid_twice', 'not_listed'] as const;

/** Money that came in, and money that went out. They are compared apart. */
export const SUBJECTS = ['payments', 'transfers'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** A payment or a transfer that stands on one side only. */
export type Unmatched = {
  readonly side: 'ours' | 'theirs';
  readonly why: (typeof UNMATCHED_CAUSES)[number];
  readonly topUpId: TopUpId | null;
  readonly payoutId: PayoutId | null;
  readonly gatewayId: string | null;
  /** Null if the gateway says a part of a minor unit. */
  readonly amount: Amount | null;
  readonly currency: string;
};

/** `gateway.mode.date` for payments, and the same with `.transfers` for transfers. */
export type ReconciliationId = `${GatewayName}.${'live' | 'test'}.${string}`;

/** The comparison of a gateway with the ledger, for a mode, a date and a subject. The last run replaces the ones before. */
export type Reconciliation = Fees & {
  readonly id: ReconciliationId;
  readonly subject: Subject;
  readonly gateway: GatewayName;
  readonly liveMode: boolean;
  /** The UTC date on which the payments were begun, or the transfers made: `2026-01-31`. */
  readonly date: string;
  readonly from: number;
  readonly matched: number;
  readonly oursOnly: number;
  readonly theirsOnly: number;
  /** The first unmatched payments or transfers. The counts are of all. */
  readonly unmatched: readonly Unmatched[];
  readonly runs: number;
  readonly ranAt: number;
  /** When it is run again; null if all is matched, or if it has run often enough. */
  readonly dueAt: number | null;
};

/** The comparison with the present numbers of its parts, while it is made. */
export type Comparison = Pick<
  Reconciliation,
  'matched' | 'oursOnly' | 'theirsOnly' | 'unmatched' | 'fees' | 'feesUnknown'
>;

/** A comparison of nothing. */
export const NOTHING_COMPARED: Comparison = {
  matched: 0,
  oursOnly: 0,
  theirsOnly: 0,
  unmatched: [],
  fees: [],
  feesUnknown: 0,
};

const MOST_KEPT = 200;
const HOUR_MS = 3_600_000;
/** How long after each run a day is run again that is unmatched or has unknown fees. After the last one a person must look. */
const RUN_AGAIN_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS] as const;

/** The id of a comparison. */
export function reconciliationId({
  gateway,
  liveMode,
  date,
  subject,
}: Pick<Reconciliation, 'gateway' | 'liveMode' | 'date' | 'subject'>): ReconciliationId {
  return `${gateway}.${liveMode ? 'live' : 'test'}.${date}${subject === 'payments' ? '' : `.${subject}`}`;
}

/** A listed payment with its name in the ledger; null if it names no top-up of ours. */
export type NamedPayment = ListedPayment & { readonly name: PaymentName | null };

/** The facts under which the money of a payment may be booked, and what the gateway kept of it. */
export function factsOf({ topUpId, gatewayId }: Pick<ListedPayment, 'topUpId' | 'gatewayId'>): readonly string[] {
  if (topUpId === null) return [];
  const names = [nameOfPayment(topUpId), nameOfPayment(topUpId, gatewayId)];
  return [creditFactOf(topUpId), ...names.flatMap((name) => [suspenseFactOf(name), feeFactOf(name)])];
}

/**
 * Gives each payment its name in the ledger. A payment is a further one if the ledger has it as such, or if its top-up stores
 * another payment as booked. Every other payment counts as the first of its top-up.
 * @param firsts the payments that the top-ups store as booked
 */
export function namePayments(
  payments: readonly ListedPayment[],
  entries: readonly Entry[],
  firsts: ReadonlyMap<TopUpId, string>,
): readonly NamedPayment[] {
  const booked = new Set(entries.map(({ key }) => key));
  return payments.map((payment) => {
    const { topUpId, gatewayId } = payment;
    if (topUpId === null) return { ...payment, name: null };
    const further = nameOfPayment(topUpId, gatewayId);
    const isFirst = (firsts.get(topUpId) ?? gatewayId) === gatewayId && !booked.has(suspenseFactOf(further));
    return { ...payment, name: isFirst ? topUpId : further };
  });
}

/** Finds payments that are not in the ledger, or that are in it otherwise. `seen` has the names of earlier payments. */
export function judgeTheirs(
  payments: readonly NamedPayment[],
  entries: readonly Entry[],
  liveMode: boolean,
  seen: ReadonlySet<PaymentName>,
): readonly (Unmatched | null)[] {
  const booked = new Map(entries.map((entry) => [entry.key, entry]));
  const before = new Set(seen);
  return payments.map((payment) => {
    const { gatewayId, topUpId, name, amount, currency } = payment;
    const why = causeOf(payment, booked, liveMode, before);
    if (name !== null) before.add(name);
    return why === null ? null : { side: 'theirs', why, topUpId, payoutId: null, gatewayId, amount, currency };
  });
}

function causeOf(
  { topUpId, name, amount, currency, fee }: NamedPayment,
  booked: ReadonlyMap<string, Entry>,
  liveMode: boolean,
  seen: ReadonlySet<PaymentName>,
): Unmatched['why'] | null {
  if (topUpId === null || name === null) return 'not_booked';
  const entryOf = (one: PaymentName): Entry | undefined =>
    booked.get(creditFactOf(one)) ?? booked.get(suspenseFactOf(one));
  const entry = entryOf(name);
  if (entry === undefined) return entryOf(topUpId) === undefined ? 'not_booked' : 'paid_twice';
  if (seen.has(name)) return 'paid_twice';
  if (!isAsBooked(entry, { amount, currency }, liveMode)) return 'amount_differs';
  const kept = booked.get(feeFactOf(name));
  const hasOtherFee = fee !== null && kept !== undefined && !isAsBooked(kept, { amount: fee, currency }, liveMode);
  return hasOtherFee ? 'fee_differs' : null;
}

/** Says whether the entry moved this money into the gateway or out of it. */
export function isAsBooked(
  { postings, book }: Entry,
  { amount, currency }: Pick<Unmatched, 'amount' | 'currency'>,
  liveMode: boolean,
): boolean {
  const moved = postings.find(({ account }) => kindOfAccount(account) === 'clearing')?.amount ?? 0;
  return Math.abs(moved) === amount && currencyOf(book) === currency && isLive(book) === liveMode;
}

/** The comparison with more payments of one side. */
export function withMore(sum: Comparison, matched: number, unmatched: readonly Unmatched[]): Comparison {
  const count = (side: Unmatched['side']): number => unmatched.filter((one) => one.side === side).length;
  return {
    matched: sum.matched + matched,
    oursOnly: sum.oursOnly + count('ours'),
    theirsOnly: sum.theirsOnly + count('theirs'),
    fees: sum.fees,
    feesUnknown: sum.feesUnknown,
    unmatched: [...sum.unmatched, ...unmatched].slice(0, MOST_KEPT),
  };
}

/** When a comparison is run again after its run of this number; null for never. */
export function runAgainAt(
  { oursOnly, theirsOnly, feesUnknown }: Comparison,
  runs: number,
  now: number,
): number | null {
  const waitMs = oursOnly + theirsOnly + feesUnknown === 0 ? undefined : RUN_AGAIN_MS[runs - 1];
  return waitMs === undefined ? null : now + waitMs;
}
