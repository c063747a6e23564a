import assert from 'node:assert';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { chargedOf } from '../../domain/pricing/funds.ts';
import type { Books } from '../../domain/deliveries/lifecycle.ts';
import type { CourierId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import {
  bookOf,
  courierAccount,
  platformAccount,
  vendorAccount,
  type AccountId,
  type Book,
} from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import type { Entry, Posting } from '../ledger/entries.ts';
import { priceEnd, type End, type EndCharge } from './end-charge.ts';
import { holdFor, voidFor, walletOf } from './fund-delivery.ts';
import { oweOrderValue } from './owe-order-value.ts';

/** A verb and the delivery before and after it. */
export type Booked = Omit<End, 'books' | 'before' | 'funds'> & {
  readonly books: Books | undefined;
  /** Null at the birth. */
  readonly before: Delivery | null;
};

/** The delivery with what its end charged, and the commands that the ledger carries out in the same transaction. */
type Booking = { readonly delivery: Delivery; readonly commands: readonly Command[] };

/** What a verb books. A verb that moves no money and a delivery without `funds` book nothing. */
export function bookVerb({ books, before, ...rest }: Booked): Booking {
  const { after } = rest;
  const { funds } = after;
  if (books === undefined || funds === undefined) return { delivery: after, commands: [] };
  if (books === 'hold') return { delivery: after, commands: holdFor(after, funds) };
  assert(before !== null, 'only a delivery that exists can end');
  return bookEnd({ ...rest, books, before, funds });
}

/**
 * The end of a delivery. What exceeds the hold goes to what the vendor owes, so an end is never refused. An end that
 * moves no money gives the hold back. A capture takes something of its hold, so the hold is also given back if the
 * platform alone pays.
 */
function bookEnd(end: End): Booking {
  const charge = priceEnd(end);
  const { after, funds } = end;
  const delivery = { ...after, funds: { ...funds, charges: charge.lines } };
  return { delivery, commands: [...chargeFor(end, charge), ...oweOrderValue(after)] };
}

/** The commands that book the charge and resolve the hold. */
function chargeFor(end: End, charge: EndCharge): Command[] {
  const { after, funds } = end;
  const entry = entryOf(end, charge);
  if (entry === null) return voidFor(after, funds);
  const isCapture = funds.hold > 0 && chargedOf(charge.lines) > 0;
  return isCapture
    ? [{ do: 'capture', holdKey: funds.holdKey, entry }]
    : [...voidFor(after, funds), { do: 'post', entry }];
}

/**
 * The entry of an end; null if it moves no money. An end that costs the vendor nothing has a kind of its own, so lists of
 * what vendors paid do not read it. Its key is the one of a charge, because a delivery ends once.
 */
function entryOf({ after, funds }: End, { lines, revenue, tax, promotion, pay, tip }: EndCharge): Entry | null {
  const { id, vendorId, liveMode, currency, courierId } = after;
  const book = bookOf(liveMode, currency);
  const charged = chargedOf(lines);
  const fromHold = Math.min(charged, funds.hold);
  const postings = [
    posting(walletOf(after), 0 - fromHold),
    posting(vendorAccount('receivable', vendorId, book), fromHold - charged),
    posting(platformAccount('promotion', book), 0 - promotion),
    posting(platformAccount('revenue', book), revenue),
    posting(platformAccount('tax', book), tax),
    ...(courierId === null ? [] : payingCourier(courierId, book, pay, tip)),
  ].filter(({ amount }) => amount !== 0);
  if (postings.length === 0) return null;
  const sold = lines.length === 0 ? ({ kind: 'platform_charge' } as const) : ({ kind: 'charge', lines } as const);
  return { key: `charge:${id}`, ...sold, book, vendorId, postings, about: id, reason: null };
}

/** The platform pays the courier for the way, and the vendor pays the tip. */
function payingCourier(courierId: CourierId, book: Book, pay: Amount, tip: Amount): Posting[] {
  return [
    posting(platformAccount('delivery_cost', book), 0 - pay),
    posting(courierAccount('earnings', courierId, book), pay + tip),
  ];
}

function posting(account: AccountId, amount: number): Posting {
  return { account, amount: amountOf(amount) };
}
