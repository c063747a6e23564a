import type { SettlementId, StaffId, VendorId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import type { Wallet } from '../../ports/money/billing.ts';
import { bookOf, vendorAccount, type Book } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move } from '../ledger/entries.ts';
import { openingAt, type Period } from './periods.ts';
import type { Statement } from './statement.ts';

/** `closed`: nothing is paid out, and what is owed is carried over. */
export const SETTLEMENT_STATES = ['draft', 'approved', 'paid', 'closed'] as const;
export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** The moves of a settlement. No other code changes its state. A move that pays books the entry that pays it. */
// One row per line: this is a table.
// oxfmt-ignore
const MOVES = {
  approve: { from: 'draft',    to: 'approved', pays: false }, // a person of finance has looked at it
  pay:     { from: 'approved', to: 'paid',     pays: true  },
} as const satisfies Record<string, { from: SettlementState; to: SettlementState; pays: boolean }>;
export type SettlementVerb = keyof typeof MOVES;

/** A vendor in one book, and the period that is open. A change of its terms counts from the next period on. */
export type SettlementAccount = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly book: Book;
  readonly period: Period;
  /** The newest link of the chain that earlier statements have read. Entries that came later belong to later ones. */
  readonly link: number;
  /** Order values that earlier statements have counted and no settlement has paid. It may be below 0. */
  readonly carried: Amount;
  /** When the period is settled, or when the server tries again after a failure. Service time in ms. */
  readonly dueAt: number;
  /** How often the period could not be settled. */
  readonly failures: number;
  readonly version: number;
};

/** The statement of a vendor's period, and what it pays out. `*At` fields are service time in ms. */
export type Settlement = {
  readonly id: SettlementId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  readonly period: Period;
  /** Its entries are in the links after the first number, up to the second. */
  readonly links: { readonly after: number; readonly upTo: number };
  readonly statement: Statement;
  /** What was owed before, what this settlement pays, and what is owed after it. */
  readonly carriedIn: Amount;
  readonly amount: Amount;
  readonly carriedOut: Amount;
  readonly state: SettlementState;
  /** The member of staff who approved it, if it was above the limit; null for none. */
  readonly approvedBy: StaffId | null;
  /** When the server pays it, or reports a draft that still waits; null for never. */
  readonly dueAt: number | null;
  /** How often it could not be paid. */
  readonly failures: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
};

/** The account of a vendor whose first money in a book was booked at this time. Its first period begins there. */
export function newAccount(wallet: Wallet, at: number): SettlementAccount {
  return { ...wallet, period: openingAt(at), link: 0, carried: amountOf(0), dueAt: at, failures: 0, version: 1 };
}

/** The settlement after the verb, and the command that the move books. Null if the verb does not lead from its state. */
export function moveSettlement(
  settlement: Settlement,
  verb: SettlementVerb,
  now: number,
  sets: Partial<Pick<Settlement, 'approvedBy'>> = {},
): { readonly settlement: Settlement; readonly command: Command | null } | null {
  const { from, to, pays } = MOVES[verb];
  if (settlement.state !== from) return null;
  const version = settlement.version + 1;
  const moved = { ...settlement, ...sets, state: to, dueAt: pays ? null : now, failures: 0, updatedAt: now, version };
  return { settlement: moved, command: pays ? payingInto(moved) : null };
}

/** The settlement after its payment has failed. It is tried again at this time. */
export function putOff(settlement: Settlement, dueAt: number): Settlement {
  return { ...settlement, dueAt, failures: settlement.failures + 1, version: settlement.version + 1 };
}

/** The draft after it was reported that it waits. It is reported again at this time. */
export function waitUntil(draft: Settlement, dueAt: number): Settlement {
  return { ...draft, dueAt, version: draft.version + 1 };
}

/** The command that pays a settlement into the wallet of the vendor. A debt of the vendor is paid from it first. */
function payingInto({ id, vendorId, liveMode, currency, amount }: Settlement): Command {
  const book = bookOf(liveMode, currency);
  const postings = move(amount, vendorAccount('payable', vendorId, book), vendorAccount('wallet', vendorId, book));
  const key = `settlement:${id}`;
  return { do: 'post', entry: { key, kind: 'settlement', book, vendorId, postings, about: id, reason: null } };
}
