import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { AuditEntry } from '../../domain/audit.ts';
import { newId, type CourierId, type VendorId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { refuseForeignRow } from '../../engines/tenants/confine.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { hasFloor, isLive, kindOfAccount, type AccountId, type Book } from '../../money/ledger/accounts.ts';
import {
  availableOf,
  decide,
  storedAt,
  type Balance,
  type Booked,
  type Command,
  type Draft,
  type Hold,
  type LedgerResult,
  type Stored,
} from '../../money/ledger/decide.ts';
import { assertSound, type Entry } from '../../money/ledger/entries.ts';
import type { Clock } from '../../ports/process.ts';
import { storeEntries } from '../store-entries.ts';
import { balanceOf, claimAlone, NOT_OWED } from './claim-alone.ts';
import { ACCOUNTS, ENTRIES, HOLDS, type AccountRow, type EntryRow, type HoldRow } from './ledger-shapes.ts';

/** A command with the entry of the audit log that is stored if the command changes something. */
export type Posting = { readonly command: Command; readonly audit: AuditEntry | null };

/** The accounts and holds as they are stored, and as they become. */
type Group = { readonly draft: Draft; readonly before: Stored };

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
  const before = claimed ?? (await readStored(mongo, session, commands));
  const draft: Draft = { balances: new Map(before.balances), holds: new Map(before.holds), booked: [] };
  const results = commands.map((command) => decide(draft, command));
  const audits = postings.flatMap(({ audit }, at) => (audit !== null && isNews(results[at]) ? [audit] : []));
  const group: Group = { draft, before };
  if (claimed === null) await writeAccounts(mongo, session, group);
  else assert(results[0]?.ok, 'a claimed command passes');
  await writeHolds(mongo, session, group, clock.now());
  const entries = draft.booked.map((booked) => rowOf(booked, clock.now()));
  if (entries.length > 0) await mongo.collection(ENTRIES).insertMany(entries, { session });
  if (audits.length > 0) await storeEntries(mongo, audits, { session });
  return results;
}

function isNews(result: LedgerResult | undefined): boolean {
  return result?.ok === true && !result.isRepeat;
}

/** The stored hold, with amounts of the domain. */
function holdOf({ _id, amount, captured, at: _at, ...row }: HoldRow): Hold {
  return { ...row, key: _id, amount: amountOf(amount), captured: amountOf(captured) };
}

function rowOf({ entry: { key, lines, ...entry }, balances }: Booked, at: number): EntryRow {
  const postings = entry.postings.map(({ account, amount }) => {
    const row = { account, amount: BigInt(amount) };
    const balance = balances.get(account);
    return balance === undefined ? row : { ...row, balance: BigInt(balance) };
  });
  const own = lines?.map(({ type, amount, tax }) => ({ type, amount: BigInt(amount), tax: BigInt(tax) }));
  const sold = own === undefined ? {} : { lines: own };
  const about = { ...entry, ...earnerOf(entry), ...sold, liveMode: isLive(entry.book) };
  return { _id: key, id: newId('txn'), ...about, postings, at, due: true };
}

/** The courier whose earnings an entry moves, for the index of what they earned. */
function earnerOf({ postings }: Pick<Entry, 'postings'>): Pick<EntryRow, 'courierId'> {
  const earned = postings.find(({ account }) => kindOfAccount(account) === 'earnings');
  return earned === undefined ? {} : { courierId: earned.account.split(':')[1] as CourierId };
}

async function readStored(mongo: Mongo, session: mongo.ClientSession, commands: readonly Command[]): Promise<Stored> {
  const holds = await readHolds(mongo, session, commands);
  const accounts = new Set(commands.flatMap(accountsOf));
  const rows = await mongo
    .collection(ACCOUNTS)
    .find({ _id: { $in: [...accounts] } }, { session, ...EXACT })
    .toArray();
  return { balances: new Map(rows.map((row) => [row._id, balanceOf(row)])), holds };
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

/** The condition stands in the update itself, besides the snapshot: the account is as it was when it was judged. */
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
  const { posted, held, owed } = was;
  const same = { _id: account, posted: BigInt(posted), held: BigInt(held), owed: owed === 0 ? NOT_OWED : BigInt(owed) };
  const thawed = was.isFrozen && !now.isFrozen ? { $unset: { frozen: '' as const } } : {};
  return { filter: same, update: { $set: amountsOf(now), ...thawed, $inc: { version: 1n } as never } };
}

function newRow(account: AccountId, now: Balance): AccountRow {
  const [, owner = '', book = ''] = account.split(':');
  return {
    _id: account,
    vendorId: kindOfAccount(account) === 'wallet' ? (owner as VendorId) : null,
    liveMode: isLive(book as Book),
    book: book as Book,
    ...amountsOf(now),
    version: 1n,
  };
}

function amountsOf(balance: Balance) {
  const { posted, held, owed, isFrozen } = balance;
  const frozen = isFrozen ? { frozen: true } : {};
  return {
    ...frozen,
    posted: BigInt(posted),
    held: BigInt(held),
    owed: BigInt(owed),
    available: BigInt(availableOf(balance)),
  };
}

async function writeHolds(
  mongo: Mongo,
  session: mongo.ClientSession,
  { draft, before }: Group,
  at: number,
): Promise<void> {
  const writes: mongo.AnyBulkWriteOperation<HoldRow>[] = [];
  for (const [key, { state, captured, entryKey, ...now }] of draft.holds) {
    const was = before.holds.get(key);
    const sets = { state, captured: BigInt(captured), entryKey };
    const { account, amount, about } = now;
    const document: HoldRow = { _id: key, account, amount: BigInt(amount), about, ...sets, at };
    if (was === undefined) writes.push({ insertOne: { document } });
    else if (was.state !== state)
      writes.push({ updateOne: { filter: { _id: key, state: 'open' }, update: { $set: sets } } });
  }
  if (writes.length > 0) await mongo.collection(HOLDS).bulkWrite(writes, { session });
}

/** Asserts that a command is sound and of the tenant that is at work, because a fault of one must not fail its group. */
export function refuseUnsoundCommand(mongo: Mongo, command: Command): void {
  if (command.do === 'hold') assert(hasFloor(command.hold.account) && command.hold.amount > 0, 'a hold reserves');
  const entry = entryOf(command);
  if (entry === null) return;
  assertSound(entry);
  refuseForeignRow(mongo.collection(ENTRIES), { vendorId: entry.vendorId, liveMode: isLive(entry.book) });
}

/** The entry that a command books; null if it books none. */
export function entryOf(command: Command): Entry | null {
  return command.do === 'post' || command.do === 'capture' ? command.entry : null;
}

/** The stored accounts that a command names. It changes no others. */
export function accountsOf(command: Command): AccountId[] {
  if (command.do === 'hold') return [command.hold.account];
  if (command.do === 'void' || command.do === 'freeze') return [command.account];
  return [...new Set(command.entry.postings.map(({ account }) => storedAt(account)).filter(hasFloor))];
}

/** The facts of a command. Two commands of one fact never share a transaction. */
export function factsOf(command: Command): string[] {
  const entry = entryOf(command);
  const hold = command.do === 'hold' ? command.hold.key : 'holdKey' in command ? command.holdKey : null;
  return [...(entry === null ? [] : [`entry ${entry.key}`]), ...(hold === null ? [] : [`hold ${hold}`])];
}
