import type { GatewayName } from '../gateways.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';
import type { Chargeback } from './chargeback.ts';
import type { TopUp } from './top-up.ts';

/**
 * The entries of a chargeback: the vendor owes the money, and the ledger takes as much of it as it can out of the wallet. If the
 * gateway returned the money, a second entry gives it back.
 */
export function chargebackEntries(topUp: TopUp, chargeback: Chargeback): readonly Entry[] {
  const { id: about, gateway, vendorId, liveMode } = topUp;
  const { id, cause, state, amount, currency } = chargeback;
  const book = bookOf(liveMode, currency);
  const [clearing, owed] = [platformAccount('clearing', book), vendorAccount('receivable', vendorId, book)];
  const wallet = vendorAccount('wallet', vendorId, book);
  const fact = { book, vendorId, about, reason: REASONS[cause] };
  const taken: Entry = {
    ...fact,
    key: chargebackFactOf(gateway, id),
    kind: 'chargeback',
    postings: move(amount, owed, clearing),
  };
  if (state !== 'returned') return [taken];
  const postings = move(amount, clearing, wallet);
  return [taken, { ...fact, key: `chargeback_return:${gateway}:${id}`, kind: 'chargeback_return', postings }];
}

/** The fact that books what a gateway has taken back under this id. */
export function chargebackFactOf(gateway: GatewayName, id: Chargeback['id']): string {
  return `chargeback:${gateway}:${id}`;
}

/** What the vendor reads beside the transaction. */
const REASONS = {
  dispute: 'The card holder disputed the payment of a top-up.',
  refund: 'The payment of a top-up was refunded at the payment gateway.',
} as const satisfies Record<Chargeback['cause'], string>;
