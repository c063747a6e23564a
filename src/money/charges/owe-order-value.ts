import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { amountOf } from '../amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type Entry } from '../ledger/entries.ts';

/**
 * The command that books what an ended delivery has sold, if a service of the platform has collected it: the order
 * values of the drop-offs that were delivered. The customer gets the others back from that service. None if nothing is
 * owed.
 */
export function oweOrderValue({ id, vendorId, liveMode, currency, ...delivery }: Delivery): Command[] {
  if (delivery.orderValueCollectedBy === undefined) return [];
  const sold = delivery.dropOffs.filter(({ state }) => state === 'delivered');
  const amount = amountOf(sold.reduce((sum, { orderValue = 0 }) => sum + orderValue, 0));
  if (amount === 0) return [];
  const book = bookOf(liveMode, currency);
  const postings = move(amount, platformAccount('clearing', book), vendorAccount('payable', vendorId, book));
  const entry: Entry = {
    key: `order_value:${id}`,
    kind: 'order_value',
    book,
    vendorId,
    postings,
    about: id,
    reason: null,
  };
  return [{ do: 'post', entry }];
}
