import { amountOf, type Amount } from '../amount.ts';
import type { GatewayName } from '../gateways.ts';
import { bookOf, currencyOf, platformAccount, vendorAccount, type AccountId } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';
import type { Chargeback } from './chargeback.ts';
import type { TopUp } from './top-up.ts';

/** The entries of a chargeback among those about its top-up. */
export function bookedOf({ gateway }: TopUp, { id }: Chargeback, entries: readonly Entry[]): readonly Entry[] {
  const [first, second] = [0, 1].map((at) => factOf(gateway, id, at));
  return entries.filter(({ key }) => key === first || key === second || key.startsWith(`${first}:change:`));
}

/** Says whether a chargeback is booked in another currency than it has now. Then only a person knows what to do. */
export function isInOtherCurrency({ currency }: Chargeback, booked: readonly Entry[]): boolean {
  return booked.some(({ book }) => currencyOf(book) !== currency);
}

/**
 * The entries that a chargeback still lacks. The vendor owes what the gateway has taken, and the ledger takes as much of it as it
 * can out of the wallet. Whenever the gateway has taken more or has returned some or all of it, the difference is booked.
 * @param booked what was booked of it before the gateway was asked. So an older answer of the gateway undoes nothing that another
 *   process has booked after a newer one: both use the same key
 */
export function chargebackEntries(topUp: TopUp, chargeback: Chargeback, booked: readonly Entry[]): readonly Entry[] {
  const { id: about, gateway, vendorId, liveMode } = topUp;
  const { id, cause, state, amount, currency } = chargeback;
  const [{ book } = { book: bookOf(liveMode, currency) }] = booked;
  const [clearing, owed] = [platformAccount('clearing', book), vendorAccount('receivable', vendorId, book)];
  const wallet = vendorAccount('wallet', vendorId, book);
  const fact = { book, vendorId, about, reason: REASONS[cause] };
  const entryOf = (more: number, at: number): Entry => {
    const key = factOf(gateway, id, at);
    return more > 0
      ? { ...fact, key, kind: 'chargeback', postings: move(amountOf(more), owed, clearing) }
      : { ...fact, key, kind: 'chargeback_return', postings: move(amountOf(0 - more), clearing, wallet) };
  };
  const first = booked.length === 0 && amount > 0 ? [entryOf(amount, 0)] : [];
  const all = [...booked, ...first];
  const more = (state === 'returned' ? 0 : amount) - takenBy(all, clearing);
  if (more === 0 || (state !== 'returned' && isInOtherCurrency(chargeback, booked))) return first;
  return [...first, entryOf(more, all.length)];
}

function takenBy(entries: readonly Entry[], clearing: AccountId): Amount {
  const onClearing = entries.flatMap(({ postings }) => postings.filter(({ account }) => account === clearing));
  return amountOf(onClearing.reduce((sum, { amount }) => sum + amount, 0));
}

/** The fact that books what a gateway has taken back under this id. */
export function chargebackFactOf(gateway: GatewayName, id: Chargeback['id']): string {
  return factOf(gateway, id, 0);
}

/** The fact of each entry of a chargeback. The second one is nearly always its return, and has the name of one. */
function factOf(gateway: GatewayName, id: Chargeback['id'], at: number): string {
  const first = `chargeback:${gateway}:${id}`;
  return [first, `chargeback_return:${gateway}:${id}`][at] ?? `${first}:change:${at}`;
}

/** What the vendor reads beside the transaction. */
const REASONS = {
  dispute: 'The card holder disputed the payment of a top-up.',
  refund: 'The payment of a top-up was refunded at the payment gateway.',
} as const satisfies Record<Chargeback['cause'], string>;
