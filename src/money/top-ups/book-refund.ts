import { bookOf, platformAccount, vendorAccount, type AccountId, type Book } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type EntryKind } from '../ledger/entries.ts';
import type { Booking } from '../payouts/outgoing.ts';
import type { TopUpRefund } from './top-up-refund.ts';

type Place = 'wallet' | 'in_transit' | 'clearing';
type Ends = { readonly kind: EntryKind; readonly from: Place; readonly to: Place };

/** What each step of a refund books. Both ways back are the same fact, so that a refund comes back once. */
// One row per line: this is a table.
// oxfmt-ignore
const BOOKINGS: Readonly<Record<Booking, Ends>> = {
  reserve:   { kind: 'top_up_refund',        from: 'wallet',     to: 'in_transit' },
  pay_out:   { kind: 'top_up_refund_paid',   from: 'in_transit', to: 'clearing' },
  give_back: { kind: 'top_up_refund_return', from: 'in_transit', to: 'wallet' },
  take_back: { kind: 'top_up_refund_return', from: 'clearing',   to: 'wallet' },
};

/** The command that books a step of a refund. Each step is booked once. The vendor sees those that change its wallet. */
export function bookRefund(refund: TopUpRefund, booking: Booking): Command {
  const { id, vendorId, amount, note } = refund;
  const { kind, from, to } = BOOKINGS[booking];
  const book = bookOf(refund.liveMode, refund.currency);
  const postings = move(amount, accountOf(refund, from, book), accountOf(refund, to, book));
  const seenBy = from === 'wallet' || to === 'wallet' ? vendorId : null;
  return {
    do: 'post',
    entry: { key: `${kind}:${id}`, kind, book, vendorId: seenBy, postings, about: id, reason: note },
  };
}

function accountOf({ vendorId }: TopUpRefund, place: Place, book: Book): AccountId {
  return place === 'wallet' ? vendorAccount(place, vendorId, book) : platformAccount(place, book);
}
