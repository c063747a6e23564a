/** Random commands about earlier ones: the end of a hold, and all that follows a payout, a suspense, a charge or a dispute. */
import {
  newId,
  type CourierId,
  type DisputeId,
  type PayoutId,
  type TopUpRefundId,
  type VendorId,
} from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { releaseDisputed, reserveDisputed } from '../../../src/money/disputes/book-dispute.ts';
import { kindOfAccount, platformAccount, type AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Command, NewHold } from '../../../src/money/ledger/decide.ts';
import type { Entry, EntryKind } from '../../../src/money/ledger/entries.ts';
import { bookPayout } from '../../../src/money/payouts/book-payout.ts';
import type { Booking } from '../../../src/money/payouts/outgoing.ts';
import {
  bookArrival,
  planApproval,
  planDecision,
  type Suspense,
  type SuspenseDecision,
} from '../../../src/money/suspense/suspense.ts';
import { chargebackEntries } from '../../../src/money/top-ups/book-chargeback.ts';
import type { Chargeback } from '../../../src/money/top-ups/chargeback.ts';
import { bookRefund } from '../../../src/money/top-ups/book-refund.ts';
import { NOON } from '../../builders.ts';
import { aDispute } from '../disputes/a-dispute.ts';
import { aPayout } from '../payouts/a-payout.ts';
import { aSuspense } from '../suspense/a-suspense.ts';
import { aTopUpRefund } from '../top-ups/a-refund.ts';
import { aTopUp } from '../top-ups/a-top-up.ts';
import { amountOn, anEntry, BOOK, bookedOf, CLEARING, entriesOf, RESERVE, REVENUE, type Past } from './book.ts';

/** One of the holds so far. Most of them were not resolved yet, so that many captures pass. */
export function holdAt(pick: number, { earlier }: Past): NewHold | undefined {
  const holds = earlier.flatMap((command) => (command.do === 'hold' ? [command.hold] : []));
  const resolved = new Set(earlier.map((command) => ('holdKey' in command ? command.holdKey : null)));
  const open = holds.filter(({ key }) => !resolved.has(key));
  const among = pick % 4 === 0 || open.length === 0 ? holds : open;
  return among[pick % Math.max(1, among.length)];
}

/** The entries about a payout, a suspense or a dispute, in their order. */
type Story = readonly [birth: Entry, ...later: Entry[]];
/** A random choice, all that has happened so far, and the wallet that may get money. */
type Chance = { readonly pick: number; readonly past: Past; readonly wallet: AccountId };
type Move = { readonly after: readonly EntryKind[]; readonly book: (story: Story, chance: Chance) => Command | null };

const BIRTHS: readonly EntryKind[] = ['payout', 'suspense', 'dispute', 'top_up_refund', 'chargeback'];

/** The ways in which a story goes on, and the kinds of entries that each may follow. */
// One row per line: this is a table.
// oxfmt-ignore
const MOVES = {
  pay_out:   { after: ['payout'],            book: paying('pay_out') },
  give_back: { after: ['payout'],            book: paying('give_back') },
  take_back: { after: ['payout_paid'],       book: paying('take_back') },
  credit_to: { after: ['suspense'],          book: deciding('credit') },
  send_back: { after: ['suspense'],          book: deciding('return') },
  refund_paid:  { after: ['top_up_refund'],      book: refundingTopUp('pay_out') },
  refund_back:  { after: ['top_up_refund'],      book: refundingTopUp('give_back') },
  refund_taken: { after: ['top_up_refund_paid'], book: refundingTopUp('take_back') },
  dispute_won:  { after: ['chargeback'],         book: winning },
  accept:    { after: ['dispute'],           book: accepting },
  release:   { after: ['dispute', 'refund'], book: releasing },
} as const satisfies Record<string, Move>;
export type StoryMove = keyof typeof MOVES;
export const STORY_MOVES = Object.keys(MOVES) as StoryMove[];

/** The move that ends a story, at every second one and at the others. */
const LAST_MOVES: readonly (readonly [StoryMove, StoryMove])[] = [
  ['pay_out', 'give_back'],
  ['credit_to', 'send_back'],
  ['refund_paid', 'refund_back'],
  ['release', 'release'],
];

/** A move of one of the stories so far. Null if there is none that it may follow. */
export function aMove(by: StoryMove, chance: Chance): Command | null {
  const { after, book }: Move = MOVES[by];
  const open = storiesOf(chance.past).filter((story) => after.includes((story.at(-1) ?? story[0]).kind));
  const story = open[chance.pick % Math.max(1, open.length)];
  return story === undefined ? null : book(story, chance);
}

/** The end of a story that is open; null if none is. */
export function lastMove(past: Past, wallet: AccountId): Command | null {
  const pick = past.earlier.length;
  for (const moves of LAST_MOVES)
    for (const story of storiesOf(past)) {
      const { after, book }: Move = MOVES[moves[pick % 2 === 0 ? 0 : 1]];
      const command = after.includes((story.at(-1) ?? story[0]).kind) ? book(story, { pick, past, wallet }) : null;
      if (command !== null) return command;
    }
  return null;
}

function storiesOf(past: Past): Story[] {
  const entries = entriesOf(past);
  const births = entries.filter(({ kind, key }) => BIRTHS.includes(kind) && past.isBooked(key));
  return births.map((birth) => [
    birth,
    ...entries.filter((entry) => entry.key !== birth.key && nameOf(entry) === nameOf(birth)),
  ]);
}

/** The part of a key that all entries of a story share: the end of an id. */
function nameOf({ key }: Entry): string {
  return key.slice(key.lastIndexOf('_') + 1);
}

/** Money of a courier on its way. */
export function aPayoutOf(earnings: AccountId, amount: number): Command {
  return bookPayout(aPayout({ courierId: ownerOf(earnings) as CourierId, amount: amountOf(amount) }), 'reserve');
}

function paying(booking: Booking): Move['book'] {
  return ([birth]) => {
    const earnings = birth.postings.find(({ account }) => kindOfAccount(account) === 'earnings');
    if (earnings === undefined) throw new Error('a payout takes earnings');
    const [courierId, amount] = [ownerOf(earnings.account) as CourierId, amountOf(0 - earnings.amount)];
    return bookPayout(aPayout({ id: idOf(birth) as PayoutId, courierId, amount }), booking);
  };
}

/** Money of a wallet on its way back to the payer. */
export function aRefundOf(wallet: AccountId, amount: number): Command {
  return bookRefund(aTopUpRefund({ vendorId: ownerOf(wallet) as VendorId, amount: amountOf(amount) }), 'reserve');
}

function refundingTopUp(booking: Booking): Move['book'] {
  return ([birth]) => {
    const [wallet] = birth.postings;
    if (wallet === undefined) throw new Error('a refund takes money of a wallet');
    const [vendorId, amount] = [ownerOf(wallet.account) as VendorId, amountOf(0 - wallet.amount)];
    return bookRefund(aTopUpRefund({ id: idOf(birth) as TopUpRefundId, vendorId, amount }), booking);
  };
}

/** Money that a card holder takes back. */
export function aChargebackOf(wallet: AccountId, amount: number): Command | null {
  return chargingBack(wallet, amount, `dp_${newId('top').slice(4)}`, 'open');
}

/** The card holder loses the dispute, so the money comes back. */
function winning([birth]: Story): Command | null {
  const [owed] = birth.postings;
  if (owed === undefined) throw new Error('a chargeback is owed');
  return chargingBack(owed.account, 0 - owed.amount, birth.key.slice(birth.key.lastIndexOf(':') + 1), 'returned');
}

/** The last entry of a chargeback in this state. */
function chargingBack(account: AccountId, amount: number, id: string, state: Chargeback['state']): Command | null {
  const chargeback = { id, cause: 'dispute', state, amount: amountOf(amount), currency: 'EUR' } as const;
  const entry = chargebackEntries(aTopUp({ vendorId: ownerOf(account) as VendorId }), chargeback, []).at(-1);
  return entry === undefined ? null : { do: 'post', entry };
}

/** Money that belongs to nobody yet. */
export function anArrival(amount: number): Command {
  return bookArrival(aSuspense({ topUpId: newId('top'), amount: amountOf(amount) }));
}

/** Above this amount, a second person approves. */
const LIMIT = 10;

function deciding(decision: SuspenseDecision): Move['book'] {
  return ([birth], { wallet }) => {
    const money = aSuspense({
      id: `sus_${nameOf(birth)}`,
      topUpId: idOf(birth) as Suspense['topUpId'],
      vendorId: ownerOf(wallet) as VendorId,
      amount: amountOf(0 - amountOn(CLEARING, birth)),
    });
    const asked = { decision, reason: 'paid by card', by: newId('stf') };
    const step = planDecision(money, asked, { limit: LIMIT, alertMs: 60_000, now: NOON });
    return step === null ? null : (step.command ?? planApproval(step.next, newId('stf'), NOON)?.command ?? null);
  };
}

/** Disputes at most this amount of an earlier charge. Its reason names the charge. Null if nothing is left of any. */
export function aDisputeOf(amount: number, { pick, past }: Omit<Chance, 'wallet'>): Command | null {
  const charge = refundableAt(pick, past);
  if (charge === null) return null;
  const command = reserveDisputed(aDispute({ amount: amountOf(Math.min(amount, leftOf(charge, past))) }));
  return command.do === 'post' ? { ...command, entry: { ...command.entry, reason: charge.key } } : command;
}

/** Refunds a part of what is disputed from the reserve, and not more than is left of the charge. */
function accepting([birth]: Story, { pick, past }: Chance): Command | null {
  const charge = entriesOf(past).find(({ key }) => key === birth.reason);
  if (charge === undefined) throw new Error('a dispute names its charge');
  const back = Math.min(1 + (pick % amountOn(RESERVE, birth)), leftOf(charge, past));
  return back === 0 ? null : refunding(`refund:${idOf(birth)}`, back, charge, RESERVE);
}

/** Gives the rest of the reserve back. */
function releasing([birth, ...later]: Story): Command | null {
  const taken = later.reduce((sum, entry) => sum - amountOn(RESERVE, entry), 0);
  const dispute = aDispute({ id: idOf(birth) as DisputeId, amount: amountOf(amountOn(RESERVE, birth)) });
  return releaseDisputed(dispute, taken)[0] ?? null;
}

/** Gives back at most this amount of an earlier charge, and never more than is left of it. Null if nothing is left. */
export function aRefund(amount: number, { pick, past }: Omit<Chance, 'wallet'>): Command | null {
  const charge = refundableAt(pick, past);
  if (charge === null) return null;
  const back = Math.min(amount, leftOf(charge, past));
  return refunding(`refund:${charge.key}:${past.earlier.length}`, back, charge, REVENUE);
}

/** One of the charges of which something is left. */
function refundableAt(pick: number, past: Past): Entry | null {
  const charges = bookedOf(past).filter((entry) => entry.kind === 'charge' && leftOf(entry, past) > 0);
  return charges[pick % Math.max(1, charges.length)] ?? null;
}

/** The part of a charge that was not refunded. */
function leftOf({ key, lines }: Entry, past: Past): number {
  const refunds = entriesOf(past).filter(({ kind, reason }) => kind === 'refund' && reason === key);
  return sumOf(lines) + refunds.reduce((sum, refund) => sum + sumOf(refund.lines), 0);
}

function sumOf(lines: Entry['lines'] = []): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** A refund of a part of a charge. Its reason names the charge. */
function refunding(key: string, back: number, charge: Entry, source: AccountId): Command {
  const wallet = charge.postings.find(({ account }) => kindOfAccount(account) === 'wallet')?.account;
  if (wallet === undefined) throw new Error('a charge takes money of a wallet');
  const tax = Math.floor(back / 6);
  const postings = [
    { account: wallet, amount: amountOf(back) },
    { account: source, amount: amountOf(tax - back) },
    { account: platformAccount('tax', BOOK), amount: amountOf(0 - tax) },
  ].filter((posting) => posting.amount !== 0);
  const lines = [{ type: 'delivery', amount: amountOf(0 - back), tax: amountOf(0 - tax) }] as const;
  return { do: 'post', entry: { ...anEntry(key, 'refund', postings), lines, reason: charge.key } };
}

/** The id after the colon of a key. */
function idOf({ key }: Entry): string {
  return key.slice(key.indexOf(':') + 1);
}

function ownerOf(account: AccountId): string {
  return account.split(':')[1] ?? '';
}
