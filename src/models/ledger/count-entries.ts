import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { hasFloor, type AccountId } from '../../money/ledger/accounts.ts';
import { ENTRIES, SEALS, type EntryRow, type SealRow } from './ledger-shapes.ts';
import { hashAfter } from './seal-ledger.ts';

/** Rows of a piece, as many as the longest link has entries. */
export const ROWS = 500;
export const PAGED = { batchSize: ROWS, ...EXACT } as const;
/** Links of a piece. They name their entries: 100 of the longest ones name 50,000. */
const LINKS = 100;
/** Keys of a piece. The database counts them, which is faster than to read them. */
const KEYS = 10_000;

/** A check that is done in pieces. It yields after each piece. */
export type Pieces = AsyncGenerator<void, void, void>;

/** All that was counted. Its size grows with the accounts and not with the entries. */
export type Count = {
  readonly sums: Map<AccountId, bigint>;
  readonly sealed: Map<AccountId, bigint>;
  readonly faults: string[];
  /** How many faults are kept at most, since a broken ledger may have millions. */
  readonly mostFaults: number;
  faultCount: number;
  entries: number;
  accounts: number;
  head: { sequence: number; hash: string };
};

/** Computes each link again that was not counted yet. Most links have a few entries, so those of many are read together. */
export async function* countChain(mongo: Mongo, options: mongo.FindOptions, count: Count): Pieces {
  for (;;) {
    const after = { _id: { $gt: count.head.sequence } };
    const links = await mongo
      .collection(SEALS)
      .find(after, { ...options, sort: { _id: 1 }, limit: LINKS })
      .toArray();
    if (links.length === 0) return;
    yield;
    for (const few of groupsOf(links)) yield* countLinks(mongo, options, count, few);
  }
}

/** Splits links into groups that have at most `ROWS` entries together. A longer link is a group of its own. */
function groupsOf(links: readonly SealRow[]): readonly (readonly SealRow[])[] {
  const groups: SealRow[][] = [];
  let entries = Infinity;
  for (const link of links) {
    entries += link.entryIds.length;
    if (entries > ROWS) {
      groups.push([]);
      entries = link.entryIds.length;
    }
    groups.at(-1)?.push(link);
  }
  return groups;
}

async function* countLinks(mongo: Mongo, options: mongo.FindOptions, count: Count, links: readonly SealRow[]): Pieces {
  const ids = links.flatMap(({ entryIds }) => entryIds);
  const found = await mongo
    .collection(ENTRIES)
    .find({ _id: { $in: ids } }, { ...options, ...EXACT })
    .toArray();
  // To decode the rows takes as long as to compute the hashes.
  yield;
  const byId = new Map(found.map((row) => [row._id, row]));
  for (const link of links) countLink(count, link, byId);
  yield;
}

function countLink(count: Count, link: SealRow, byId: ReadonlyMap<string, EntryRow>): void {
  const { head } = count;
  if (link._id !== head.sequence + 1) tell(count, `Link ${head.sequence + 1} of the chain is missing.`);
  const rows = link.entryIds.flatMap((id) => byId.get(id) ?? []);
  if (rows.length !== link.entryIds.length) tell(count, `An entry of link ${link._id} is missing.`);
  if (hashAfter(head.hash, rows) !== link.hash) tell(count, `Link ${link._id}, or one of its entries, was changed.`);
  // Entries that an early release has sealed do not name their link.
  if (rows.some((row) => (row.link ?? link._id) !== link._id))
    tell(count, `An entry of link ${link._id} names another one.`);
  for (const row of rows) countEntry(count, row, count.sealed);
  count.head = { sequence: link._id, hash: link.hash };
}

/** The entries that the chain does not have yet. Then none may be left that is neither due nor in the chain. */
export async function* countDue(mongo: Mongo, session: mongo.ClientSession, count: Count): Pieces {
  const rows = mongo.collection(ENTRIES);
  yield* eachRow(rows.find({ due: true }, { session, ...PAGED }), (row) => countEntry(count, row, null));
  // Keys that no server stores: the empty text, and all that are not a text.
  let all = await rows.countDocuments({ _id: { $not: { $gt: '' } } }, { session, hint: { _id: 1 } });
  let last = '';
  for (;;) {
    const keys = [{ $match: { _id: { $gt: last } } }, { $sort: { _id: 1 } }, { $limit: KEYS }];
    const group = { $group: { _id: null, count: { $sum: 1 }, last: { $max: '$_id' } } };
    const found = rows.aggregate<{ count: number; last: string }>([...keys, group], { session, hint: { _id: 1 } });
    const [page] = await found.toArray();
    if (page === undefined) break;
    all += page.count;
    last = page.last;
    yield;
  }
  if (all !== count.entries)
    tell(count, `There are ${all} entries, but the chain and the new ones have ${count.entries}.`);
}

function countEntry(count: Count, { _id, book, postings }: EntryRow, sealed: Map<AccountId, bigint> | null): void {
  let sum = 0n;
  for (const { account, amount } of postings) {
    sum += amount;
    count.sums.set(account, (count.sums.get(account) ?? 0n) + amount);
    if (sealed !== null && !hasFloor(account)) sealed.set(account, (sealed.get(account) ?? 0n) + amount);
    if (!account.endsWith(`:${book}`)) tell(count, `Entry ${_id} posts outside of its book.`);
  }
  if (sum !== 0n) tell(count, `Entry ${_id} does not sum to zero.`);
  count.entries += 1;
}

/** Reads the rows of a cursor, piece by piece. */
export async function* eachRow<Row>(cursor: mongo.FindCursor<Row>, read: (row: Row) => void): Pieces {
  try {
    while (await cursor.hasNext()) {
      for (const row of cursor.readBufferedDocuments()) read(row);
      yield;
    }
  } finally {
    await cursor.close();
  }
}

/** Counts a fault and keeps the first ones. */
export function tell(count: Count, fault: string): void {
  count.faultCount += 1;
  if (count.faults.length < count.mostFaults) count.faults.push(fault);
}
