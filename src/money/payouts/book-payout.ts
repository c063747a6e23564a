import type { PayoutId } from '../../domain/ids.ts';
import { bookOf, courierAccount, platformAccount, type AccountId, type Book } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type Entry, type EntryKind } from '../ledger/entries.ts';
import type { Booking } from './outgoing.ts';
import type { Payout } from './payout.ts';

type Booked = Pick<Payout, 'id' | 'courierId' | 'liveMode' | 'currency' | 'amount'>;
type Ends = {
  readonly kind: EntryKind;
  readonly from: (of: Booked, book: Book) => AccountId;
  readonly to: Ends['from'];
};

const earnings: Ends['from'] = ({ courierId }, book) => courierAccount('earnings', courierId, book);
const onTheWay: Ends['from'] = (_of, book) => platformAccount('in_transit', book);
const atTheBank: Ends['from'] = (_of, book) => platformAccount('clearing', book);

/** What each step of a payout books. Both ways back are the same fact, so that a payout comes back once. */
// One row per line: this is a table.
// oxfmt-ignore
const BOOKINGS: Readonly<Record<Booking, Ends>> = {
  reserve:   { kind: 'payout',        from: earnings,  to: onTheWay },
  pay_out:   { kind: 'payout_paid',   from: onTheWay,  to: atTheBank },
  give_back: { kind: 'payout_return', from: onTheWay,  to: earnings },
  take_back: { kind: 'payout_return', from: atTheBank, to: earnings },
};

/** The command that books a step of a payout. Each step is booked once. */
export function bookPayout(of: Booked, booking: Booking): Command {
  const { kind, from, to } = BOOKINGS[booking];
  const book = bookOf(of.liveMode, of.currency);
  const postings = move(of.amount, from(of, book), to(of, book));
  const entry: Entry = { key: factOf(kind, of.id), kind, book, vendorId: null, postings, about: of.id, reason: null };
  return { do: 'post', entry };
}

/** The fact that an entry of this kind books of a payout. */
export function factOf(kind: EntryKind, id: PayoutId): string {
  return `${kind}:${id}`;
}
