import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { besideAccount, hasFloor, kindOfAccount, type AccountId } from '../../money/ledger/accounts.ts';
import { storedAt } from '../../money/ledger/decide.ts';
import { ACCOUNTS, ENTRIES, HOLDS, SEALS, TOTALS, type EntryRow, type SealRow } from './ledger-shapes.ts';
import { hashAfter, START } from './seal-ledger.ts';

/** The result of a check of the whole ledger. `faults` says what is wrong, in sentences. */
export type LedgerCheck = {
  readonly ok: boolean;
  readonly entries: number;
  readonly accounts: number;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly faults: readonly string[];
};

/** The faults that are told; a broken ledger may have millions. */
const MOST_FAULTS = 20;
/** Entries between two reports of progress. */
const REPORT_EVERY = 50_000;
/** Links in one read, of up to 500 entries each. */
const LINKS = 4;

/** All that was counted. Its size grows with the accounts and not with the entries. */
type Count = {
  readonly sums: Map<AccountId, bigint>;
  readonly sealed: Map<AccountId, bigint>;
  readonly faults: string[];
  readonly report: (entries: number) => void;
  entries: number;
  accounts: number;
  head: { sequence: number; hash: string };
};

/**
 * Reads the whole ledger while servers run. Checks that every entry and every book sums to zero, that each balance is the
 * sum of its postings and open holds, and that the chain of hashes has every entry once. A sealed entry never
 * changes, so the chain is read first, page by page. All else is read as it was at one moment.
 * @param report is told from time to time how many entries were read
 * @throws MongoServerError (SnapshotTooOld) if the second part takes longer than the database keeps old states, 5 minutes
 */
export async function verifyLedger(mongo: Mongo, report: (entries: number) => void): Promise<LedgerCheck> {
  const head = { sequence: 0, hash: START };
  const count: Count = { sums: new Map(), sealed: new Map(), faults: [], report, entries: 0, accounts: 0, head };
  await countChain(mongo, { readConcern: { level: 'majority' } }, count);
  const session = mongo.connection.getClient().startSession({ snapshot: true });
  try {
    // The links that were made meanwhile.
    await countChain(mongo, { session }, count);
    await countDue(mongo, session, count);
    await compareAccounts(mongo, session, count);
    await compareTotals(mongo, session, count);
    compareBooks(count);
  } finally {
    await session.endSession();
  }
  const { entries, accounts, faults } = count;
  return { ok: faults.length === 0, entries, accounts, head: count.head, faults: faults.slice(0, MOST_FAULTS) };
}

/** Computes each link again that was not counted yet. */
async function countChain(mongo: Mongo, options: mongo.FindOptions, count: Count): Promise<void> {
  const rows = mongo.collection(SEALS);
  for (;;) {
    const after = { _id: { $gt: count.head.sequence } };
    const links = await rows.find(after, options).sort({ _id: 1 }).limit(LINKS).toArray();
    if (links.length === 0) return;
    const ids = links.flatMap(({ entryIds }) => entryIds);
    const found = await mongo
      .collection(ENTRIES)
      .find({ _id: { $in: ids } }, { ...options, ...EXACT })
      .toArray();
    const byId = new Map(found.map((row) => [row._id, row]));
    for (const link of links) countLink(count, link, byId);
  }
}

function countLink(count: Count, link: SealRow, byId: ReadonlyMap<string, EntryRow>): void {
  const { head, faults } = count;
  if (link._id !== head.sequence + 1) faults.push(`Link ${head.sequence + 1} of the chain is missing.`);
  const rows = link.entryIds.flatMap((id) => byId.get(id) ?? []);
  if (rows.length !== link.entryIds.length) faults.push(`An entry of link ${link._id} is missing.`);
  if (hashAfter(head.hash, rows) !== link.hash) faults.push(`Link ${link._id}, or one of its entries, was changed.`);
  // Entries that an early release has sealed do not name their link.
  if (rows.some((row) => (row.link ?? link._id) !== link._id))
    faults.push(`An entry of link ${link._id} names another one.`);
  for (const row of rows) countEntry(count, row, count.sealed);
  count.head = { sequence: link._id, hash: link.hash };
}

/** The entries that the chain does not have yet. Then none may be left that is neither due nor in the chain. */
async function countDue(mongo: Mongo, session: mongo.ClientSession, count: Count): Promise<void> {
  const rows = mongo.collection(ENTRIES);
  for await (const row of rows.find({ due: true }, { session, ...EXACT })) countEntry(count, row, null);
  let all = 0;
  // Streamed from the index, because one count of many millions would take longer than an answer may.
  for await (const _row of rows.find({}, { session, projection: { _id: 1 } }).hint({ _id: 1 })) all += 1;
  if (all !== count.entries)
    count.faults.push(`There are ${all} entries, but the chain and the new ones have ${count.entries}.`);
}

function countEntry(count: Count, { _id, book, postings }: EntryRow, sealed: Map<AccountId, bigint> | null): void {
  let sum = 0n;
  for (const { account, amount } of postings) {
    sum += amount;
    count.sums.set(account, (count.sums.get(account) ?? 0n) + amount);
    if (sealed !== null && !hasFloor(account)) sealed.set(account, (sealed.get(account) ?? 0n) + amount);
    if (!account.endsWith(`:${book}`)) count.faults.push(`Entry ${_id} posts outside of its book.`);
  }
  if (sum !== 0n) count.faults.push(`Entry ${_id} does not sum to zero.`);
  count.entries += 1;
  if (count.entries % REPORT_EVERY === 0) count.report(count.entries);
}

/** Compares each stored balance with the journal and the open holds. */
async function compareAccounts(mongo: Mongo, session: mongo.ClientSession, count: Count): Promise<void> {
  const { sums, faults } = count;
  const held = new Map<string, bigint>();
  for await (const { account, amount } of mongo.collection(HOLDS).find({ state: 'open' }, { session, ...EXACT }))
    held.set(account, (held.get(account) ?? 0n) + amount);
  const known = new Set<AccountId>();
  for await (const row of mongo.collection(ACCOUNTS).find({}, { session, ...EXACT })) {
    const { _id, posted, available, owed = 0n } = row;
    const debt = 0n - (sums.get(besideAccount(_id, 'receivable')) ?? 0n);
    known.add(_id);
    if (posted !== (sums.get(_id) ?? 0n))
      faults.push(`${_id} has ${posted}, but its entries sum to ${sums.get(_id) ?? 0n}.`);
    if (row.held !== (held.get(_id) ?? 0n))
      faults.push(`${_id} holds ${row.held}, but its open holds sum to ${held.get(_id) ?? 0n}.`);
    if (kindOfAccount(_id) === 'wallet' && owed !== debt)
      faults.push(`${_id} owes ${owed}, but the entries of its receivable sum to ${debt}.`);
    if (available !== posted - row.held - owed || posted < row.held || owed < 0n)
      faults.push(`${_id} has a wrong available amount.`);
  }
  count.accounts = known.size;
  for (const account of [...sums.keys(), ...held.keys()])
    if (hasFloor(storedAt(account as AccountId)) && !known.has(storedAt(account as AccountId)))
      faults.push(`${account} is missing.`);
}

/** Compares the totals of accounts without a floor with the entries in the chain. */
async function compareTotals(mongo: Mongo, session: mongo.ClientSession, { sealed, faults }: Count): Promise<void> {
  const left = new Map(sealed);
  for await (const { _id, posted } of mongo.collection(TOTALS).find({}, { session, ...EXACT })) {
    if (posted !== (left.get(_id) ?? 0n))
      faults.push(`The total of ${_id} is ${posted}, but its entries sum to ${left.get(_id) ?? 0n}.`);
    left.delete(_id);
  }
  for (const account of left.keys()) faults.push(`The total of ${account} is missing.`);
}

/** All accounts of a book sum to zero. */
function compareBooks({ sums, faults }: Count): void {
  const books = new Map<string, bigint>();
  for (const [account, sum] of sums) {
    const book = account.slice(account.lastIndexOf(':') + 1);
    books.set(book, (books.get(book) ?? 0n) + sum);
  }
  for (const [book, sum] of books)
    if (sum !== 0n) faults.push(`The accounts of ${book} sum to ${sum} and not to zero.`);
}
