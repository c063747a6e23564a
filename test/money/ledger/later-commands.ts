/** Random commands about earlier ones: the end of a hold or of a payout, and the refund of a charge. */
import { amountOf } from '../../../src/money/amount.ts';
import { kindOfAccount, platformAccount } from '../../../src/money/ledger/accounts.ts';
import type { Command, NewHold } from '../../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';
import { anEntry, BOOK, CLEARING, IN_TRANSIT, REVENUE } from './book.ts';

/** The commands so far, and which of their entries are booked. */
export type Past = { readonly earlier: readonly Command[]; readonly isBooked: (key: string) => boolean };

/** One of the holds so far. Most of them were not resolved yet, so that many captures pass. */
export function holdAt(pick: number, earlier: readonly Command[]): NewHold | undefined {
  const holds = earlier.flatMap((command) => (command.do === 'hold' ? [command.hold] : []));
  const resolved = new Set(earlier.map((command) => ('holdKey' in command ? command.holdKey : null)));
  const open = holds.filter(({ key }) => !resolved.has(key));
  const among = pick % 4 === 0 || open.length === 0 ? holds : open;
  return among[pick % Math.max(1, among.length)];
}

/** The payouts that have left the earnings, and that are neither paid nor given back. */
export function openPayouts({ earlier, isBooked }: Past): Entry[] {
  const entries = earlier.flatMap((command) => (command.do === 'post' ? [command.entry] : []));
  const ended = new Set(entries.flatMap(({ kind, reason }) => (ENDS_OF_PAYOUTS.includes(kind) ? [reason] : [])));
  const payouts = entries.filter(({ kind, key }) => kind === 'payout' && isBooked(key) && !ended.has(key));
  return [...new Map(payouts.map((entry) => [entry.key, entry])).values()];
}

const ENDS_OF_PAYOUTS: readonly Entry['kind'][] = ['payout_paid', 'payout_return'];

/** The end of a payout: at the bank, or back in the earnings. Its reason names the payout. */
export function endOfPayout({ key, postings }: Entry, by: 'pay_out' | 'give_back'): Command {
  const [out] = postings;
  if (out === undefined) throw new Error('a payout has postings');
  const [kind, to] =
    by === 'pay_out' ? (['payout_paid', CLEARING] as const) : (['payout_return', out.account] as const);
  const entry = anEntry(`${kind}:${key}`, kind, move(amountOf(0 - out.amount), IN_TRANSIT, to));
  return { do: 'post', entry: { ...entry, reason: key } };
}

/** Gives back at most this amount of an earlier charge, and never more than is left of it. Null if nothing is left. */
export function aRefund(amount: number, pick: number, { earlier, isBooked }: Past): Command | null {
  const entries = earlier.flatMap((command) => ('entry' in command ? [command.entry] : []));
  const refunds = [...new Map(entries.map((entry) => [entry.key, entry])).values()].filter(
    ({ kind }) => kind === 'refund',
  );
  const leftOf = ({ key, lines = [] }: Entry): number =>
    linesOf(lines) + linesOf(refunds.filter(({ reason }) => reason === key).flatMap((refund) => refund.lines ?? []));
  const charges = entries.filter((entry) => entry.kind === 'charge' && isBooked(entry.key) && leftOf(entry) > 0);
  const charge = charges[pick % Math.max(1, charges.length)];
  const wallet = charge?.postings.find(({ account }) => kindOfAccount(account) === 'wallet')?.account;
  if (charge === undefined || wallet === undefined) return null;
  const back = Math.min(amount, leftOf(charge));
  const tax = Math.floor(back / 6);
  const postings = [
    { account: wallet, amount: amountOf(back) },
    { account: REVENUE, amount: amountOf(tax - back) },
    { account: platformAccount('tax', BOOK), amount: amountOf(0 - tax) },
  ].filter((posting) => posting.amount !== 0);
  const lines = [{ type: 'delivery', amount: amountOf(0 - back), tax: amountOf(0 - tax) }] as const;
  const entry = anEntry(`refund:${charge.key}:${earlier.length}`, 'refund', postings);
  return { do: 'post', entry: { ...entry, lines, reason: charge.key } };
}

function linesOf(lines: NonNullable<Entry['lines']>): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
