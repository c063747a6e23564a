/** Random commands about earlier ones: the end of a hold, of a payout and of a suspense, and refunds. */
import { amountOf } from '../../../src/money/amount.ts';
import { kindOfAccount, platformAccount, type AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Command, NewHold } from '../../../src/money/ledger/decide.ts';
import { move, type Entry } from '../../../src/money/ledger/entries.ts';
import { anEntry, BOOK, CLEARING, REVENUE } from './book.ts';

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

/** The ways in which money that waits goes on: a payout on its way, or money that belongs to nobody yet. */
// One row per line: this is a table.
// oxfmt-ignore
const ENDS = {
  pay_out:   { of: 'payout',   kind: 'payout_paid',     to: () => CLEARING },
  give_back: { of: 'payout',   kind: 'payout_return',   to: ({ postings: [out] }: Entry) => out?.account ?? CLEARING },
  credit_to: { of: 'suspense', kind: 'suspense_credit', to: (_entry: Entry, wallet: AccountId) => wallet },
  send_back: { of: 'suspense', kind: 'suspense_return', to: () => CLEARING },
} as const;
export type End = keyof typeof ENDS;
const END_KINDS: readonly Entry['kind'][] = Object.values(ENDS).map(({ kind }) => kind);

/** The end of money that waits and that has not ended. Null if there is none. */
export function anEnd(by: End, pick: number, past: Past, wallet: AccountId): Command | null {
  const open = waiting(ENDS[by].of, past);
  const entry = open[pick % Math.max(1, open.length)];
  return entry === undefined ? null : ending(entry, by, wallet);
}

/** The ends of all money that waits. After them, nothing is on its way and nothing belongs to nobody. */
export function endAll(past: Past, wallet: AccountId): Command[] {
  const turns: readonly (readonly [End, End])[] = [
    ['pay_out', 'give_back'],
    ['credit_to', 'send_back'],
  ];
  return turns.flatMap(([one, other]) =>
    waiting(ENDS[one].of, past).map((entry, at) => ending(entry, at % 2 === 0 ? one : other, wallet)),
  );
}

/** The entries of this kind that are booked and whose money still waits. */
function waiting(of: 'payout' | 'suspense', { earlier, isBooked }: Past): Entry[] {
  const entries = earlier.flatMap((command) => (command.do === 'post' ? [command.entry] : []));
  const ended = new Set(entries.flatMap(({ kind, reason }) => (END_KINDS.includes(kind) ? [reason] : [])));
  const found = entries.filter(({ kind, key }) => kind === of && isBooked(key) && !ended.has(key));
  return [...new Map(found.map((entry) => [entry.key, entry])).values()];
}

/** Its reason names the entry whose money it moves on. */
function ending(entry: Entry, by: End, wallet: AccountId): Command {
  const [, into] = entry.postings;
  if (into === undefined) throw new Error('an entry has two postings');
  const { kind, to } = ENDS[by];
  const postings = move(into.amount, into.account, to(entry, wallet));
  return { do: 'post', entry: { ...anEntry(`${kind}:${entry.key}`, kind, postings), reason: entry.key } };
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
