import { amountOf, type Amount } from '../amount.ts';
import type { GatewayName } from '../gateways.ts';
import { bookOf, currencyOf, platformAccount, vendorAccount, type AccountId } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';
import type { Chargeback } from './chargeback.ts';
import type { TopUp } from './top-up.ts';

/** The entries of a chargeback among those about its top-up. */
export function bookedOf({ gateway }: TopUp, { id }: Chargeback, entries: readonly Entry[]): readonly Entry[] {
  const key = chargebackFactOf(gateway, id);
  const own = [key, returnFactOf(gateway, id)];
  return entries.filter((entry) => own.includes(entry.key) || entry.key.startsWith(`${key}:change:`));
}

/** Says whether a chargeback is booked in another currency than it has now. Then only a person knows what to do. */
export function isInOtherCurrency({ currency }: Chargeback, booked: readonly Entry[]): boolean {
  return booked.some(({ book }) => currencyOf(book) !== currency);
}

/**
 * The entries that a chargeback still lacks. The vendor owes the money, and the ledger takes as much of it as it can out of the
 * wallet. If the amount has changed, the difference is booked. If the gateway has returned the money, the vendor gets back what
 * was taken, and nothing is booked any more.
 * @param booked what was booked of it before the gateway was asked. So an older answer of the gateway undoes nothing that another
 *   process has booked after a newer one: both use the same key
 */
export function chargebackEntries(topUp: TopUp, chargeback: Chargeback, booked: readonly Entry[]): readonly Entry[] {
  const { id: about, gateway, vendorId, liveMode } = topUp;
  const { id, cause, state, amount, currency } = chargeback;
  const [key, returnKey] = [chargebackFactOf(gateway, id), returnFactOf(gateway, id)];
  if (booked.some((entry) => entry.key === returnKey)) return [];
  const [{ book } = { book: bookOf(liveMode, currency) }] = booked;
  const [clearing, owed] = [platformAccount('clearing', book), vendorAccount('receivable', vendorId, book)];
  const wallet = vendorAccount('wallet', vendorId, book);
  const fact = { book, vendorId, about, reason: REASONS[cause] };
  const entryOf = (more: number, as: string): Entry =>
    more > 0
      ? { ...fact, key: as, kind: 'chargeback', postings: move(amountOf(more), owed, clearing) }
      : { ...fact, key: as, kind: 'chargeback_return', postings: move(amountOf(0 - more), clearing, wallet) };
  const first = booked.length === 0 && amount > 0 ? [entryOf(amount, key)] : [];
  const taken = takenBy([...booked, ...first], clearing);
  if (state === 'returned') return taken === 0 ? [] : [...first, entryOf(0 - taken, returnKey)];
  if (taken === amount || isInOtherCurrency(chargeback, booked)) return first;
  return [entryOf(amount - taken, `${key}:change:${booked.length}`)];
}

function takenBy(entries: readonly Entry[], clearing: AccountId): Amount {
  const onClearing = entries.flatMap(({ postings }) => postings.filter(({ account }) => account === clearing));
  return amountOf(onClearing.reduce((sum, { amount }) => sum + amount, 0));
}

/** The fact that books what a gateway has taken back under this id. */
export function chargebackFactOf(gateway: GatewayName, id: Chargeback['id']): string {
  return `chargeback:${gateway}:${id}`;
}

function returnFactOf(gateway: GatewayName, id: Chargeback['id']): string {
  return `chargeback_return:${gateway}:${id}`;
}

/** What the vendor reads beside the transaction. */
const REASONS = {
  dispute: 'The card holder disputed the payment of a top-up.',
  refund: 'The payment of a top-up was refunded at the payment gateway.',
} as const satisfies Record<Chargeback['cause'], string>;
