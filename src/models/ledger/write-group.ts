import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { AuditEntry } from '../../domain/audit.ts';
import { newId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { amountOf } from '../../money/amount.ts';
import { hasFloor, isLive, type AccountId, type Book } from '../../money/ledger/accounts.ts';
import {
  availableOf,
  balanceIn,
  decide,
  type Balance,
  type Command,
  type Draft,
  type Hold,
  type LedgerResult,
} from '../../money/ledger/decide.ts';
import type { Entry } from '../../money/ledger/entries.ts';
import type { Clock } from '../../ports/process.ts';
import { storeEntries } from '../store-entries.ts';
import { claimAlone, spending } from './claim-alone.ts';
import { ACCOUNTS, ENTRIES, EXACT, HOLDS, type AccountRow, type EntryRow, type HoldRow } from './ledger-shapes.ts';

/** A command with the entry of the audit log that is stored if the command changes something. */
export type Posting = { readonly command: Command; readonly audit: AuditEntry | null };

/** The state that a transaction has read, and all that it will write. */
type Group = {
  readonly draft: Draft;
  /** The accounts and holds as they are stored. */
  readonly before: Draft;
  readonly entries: EntryRow[];
  readonly audits: AuditEntry[];
};

/**
 * Judges commands in their order and writes those that pass, in the transaction of the session. A refused command leaves
 * nothing, and the others do not notice it. No two of the commands may be of the same fact.
 */
export async function writeGroup(
  { mongo, clock }: { readonly mongo: Mongo; readonly clock: Clock },
  session: mongo.ClientSession,
  postings: readonly Posting[],
): Promise<LedgerResult[]> {
  const commands = postings.map(({ command }) => command);
  const claimed = await claimAlone(mongo, session, commands);
  const before = claimed ?? (await readDraft(mongo, session, commands));
  const draft: Draft = { balances: new Map(before.balances), holds: new Map(before.holds) };
  const group: Group = { draft, before, entries: [], audits: [] };
  const results = postings.map((posting) => judge(group, posting, clock.now()));
  if (claimed === null) await writeAccounts(mongo, session, group);
  else assert(results[0]?.ok, 'a claimed command passes');
  await writeHolds(mongo, session, group, clock.now());
  if (group.entries.length > 0) await mongo.collection(ENTRIES).insertMany(group.entries, { session });
  if (group.audits.length > 0) await storeEntries(mongo, group.audits, { session });
  return results;
}

/** The entry that a command books; null if it books none. */
export function entryOf(command: Command): Entry | null {
  return command.do === 'post' || command.do === 'capture' ? command.entry : null;
}

/** The accounts with a floor that a command names. It changes no others. */
export function accountsOf(command: Command): AccountId[] {
  if (command.do === 'hold') return [command.hold.account];
  if (command.do === 'void') return [command.account];
  return command.entry.postings.map(({ account }) => account).filter(hasFloor);
}

/** The stored hold, with amounts of the domain. */
function holdOf({ _id, amount, captured, at: _at, ...row }: HoldRow): Hold {
  return { ...row, key: _id, amount: amountOf(amount), captured: amountOf(captured) };
}

function judge({ draft, entries, audits }: Group, { command, audit }: Posting, at: number): LedgerResult {
  const result = decide(draft, command);
  if (!result.ok || result.isRepeat) return result;
  const entry = entryOf(command);
  if (entry !== null) entries.push(rowOf(draft, entry, at));
  if (audit !== null) audits.push(audit);
  return result;
}

function rowOf(draft: Draft, { key, ...entry }: Entry, at: number): EntryRow {
  const postings = entry.postings.map(({ account, amount }) => {
    const row = { account, amount: BigInt(amount) };
    return hasFloor(account) ? { ...row, balance: BigInt(balanceIn(draft, account).posted) } : row;
  });
  return { _id: key, id: newId('txn'), ...entry, liveMode: isLive(entry.book), postings, at, due: true };
}

async function readDraft(mongo: Mongo, session: mongo.ClientSession, commands: readonly Command[]): Promise<Draft> {
  const holds = await readHolds(mongo, session, commands);
  const accounts = new Set(commands.flatMap(accountsOf));
  const rows = await mongo
    .collection(ACCOUNTS)
    .find({ _id: { $in: [...accounts] } }, { session, ...EXACT })
    .toArray();
  const balances = new Map<AccountId, Balance>();
  for (const { _id, posted, held } of rows) balances.set(_id, { posted: amountOf(posted), held: amountOf(held) });
  return { balances, holds };
}

async function readHolds(
  mongo: Mongo,
  session: mongo.ClientSession,
  commands: readonly Command[],
): Promise<Map<string, Hold>> {
  const keys = commands.flatMap((command) => ('holdKey' in command ? [command.holdKey] : []));
  if (keys.length === 0) return new Map();
  const rows = mongo.collection(HOLDS).find({ _id: { $in: keys } }, { session, ...EXACT });
  return new Map((await rows.toArray()).map((row) => [row._id, holdOf(row)]));
}

/** The guard stands in the update itself, besides the snapshot: what is spent must be available. */
async function writeAccounts(mongo: Mongo, session: mongo.ClientSession, { draft, before }: Group): Promise<void> {
  const writes: mongo.AnyBulkWriteOperation<AccountRow>[] = [];
  for (const [account, now] of [...draft.balances].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const was = before.balances.get(account);
    if (was === undefined) writes.push({ insertOne: { document: newRow(account, now) } });
    else if (was !== now) writes.push({ updateOne: updateOf(account, was, now) });
  }
  if (writes.length === 0) return;
  const { matchedCount, insertedCount } = await mongo.collection(ACCOUNTS).bulkWrite(writes, { session });
  if (matchedCount + insertedCount !== writes.length) throw new Error('an account changed within its transaction');
}

function updateOf(account: AccountId, was: Balance, now: Balance) {
  return spending(account, BigInt(now.posted) - BigInt(was.posted), BigInt(now.held) - BigInt(was.held));
}

function newRow(account: AccountId, now: Balance): AccountRow {
  const [, owner = '', book = ''] = account.split(':');
  return {
    _id: account,
    vendorId: owner as AccountRow['vendorId'],
    liveMode: isLive(book as Book),
    book: book as Book,
    posted: BigInt(now.posted),
    held: BigInt(now.held),
    available: BigInt(availableOf(now)),
    version: 1n,
  };
}

async function writeHolds(mongo: Mongo, session: mongo.ClientSession, group: Group, at: number): Promise<void> {
  const writes: mongo.AnyBulkWriteOperation<HoldRow>[] = [];
  for (const [key, { state, captured, entryKey, ...now }] of group.draft.holds) {
    const was = group.before.holds.get(key);
    const sets = { state, captured: BigInt(captured), entryKey };
    const { account, amount, about } = now;
    const document: HoldRow = { _id: key, account, amount: BigInt(amount), about, ...sets, at };
    if (was === undefined) writes.push({ insertOne: { document } });
    else if (was.state !== state)
      writes.push({ updateOne: { filter: { _id: key, state: 'open' }, update: { $set: sets } } });
  }
  if (writes.length > 0) await mongo.collection(HOLDS).bulkWrite(writes, { session });
}
