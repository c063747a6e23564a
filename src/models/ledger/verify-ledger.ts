import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { besideAccount, hasFloor, kindOfAccount, type AccountId } from '../../money/ledger/accounts.ts';
import { storedAt } from '../../money/ledger/decide.ts';
import type { LedgerCheck } from '../../money/ledger/check.ts';
import { countChain, countDue, eachRow, PAGED, ROWS, tell, type Count, type Pieces } from './count-entries.ts';
import { ACCOUNTS, HOLDS, TOTALS, type AccountRow } from './ledger-shapes.ts';
import { START } from './seal-ledger.ts';

/** Entries between two reports of progress. */
const REPORT_EVERY = 50_000;
/** The faults that `verifyLedger` names. An operator wants to know all that must be repaired. */
const MOST_FAULTS = 10_000;

/**
 * Checks the whole ledger without a rest, and names the first 10,000 faults.
 * @param report is told from time to time how many entries were read
 * @throws MongoServerError as `checkInPieces`
 */
export async function verifyLedger(mongo: Mongo, report: (entries: number) => void): Promise<LedgerCheck> {
  let reported = 0;
  const check = await checkInPieces(
    mongo,
    (entries) => {
      const reached = entries - (entries % REPORT_EVERY);
      if (reached > reported) report(reached);
      reported = reached;
      return true;
    },
    MOST_FAULTS,
  );
  assert(check !== null, 'nobody stopped the check');
  return check;
}

/**
 * Reads the whole ledger while servers run. Checks that every entry and every book sums to zero, that each balance is the
 * sum of its postings and open holds, and that the chain of hashes has every entry once. A sealed entry never
 * changes, so the chain is read first, in groups of links. All else is read as it was at one moment.
 * @param goesOn is called with the number of entries so far after each piece of some ms. The check waits for it. If it says
 *   no, the check ends with null
 * @param mostFaults how many faults are named at most; all are counted
 * @throws MongoServerError (SnapshotTooOld) if the second part takes longer than the database keeps old states, 5 minutes
 */
export async function checkInPieces(
  mongo: Mongo,
  goesOn: (entries: number) => boolean | Promise<boolean>,
  mostFaults: number,
): Promise<LedgerCheck | null> {
  const head = { sequence: 0, hash: START };
  const none = { faults: [], mostFaults, faultCount: 0, entries: 0, accounts: 0 };
  const count: Count = { sums: new Map(), sealed: new Map(), ...none, head };
  const session = mongo.connection.getClient().startSession({ snapshot: true });
  try {
    for await (const _piece of countAll(mongo, session, count)) if (!(await goesOn(count.entries))) return null;
  } finally {
    await session.endSession();
  }
  const { entries, accounts, faultCount, faults } = count;
  return { ok: faultCount === 0, entries, accounts, head: count.head, faultCount, faults };
}

/** Does all parts of a check. The snapshot begins with the first read in the session. */
async function* countAll(mongo: Mongo, session: mongo.ClientSession, count: Count): Pieces {
  yield* countChain(mongo, { readConcern: { level: 'majority' } }, count);
  // The links that were made meanwhile.
  yield* countChain(mongo, { session }, count);
  yield* countDue(mongo, session, count);
  yield* compareAccounts(mongo, session, count);
  yield* compareTotals(mongo, session, count);
  yield* compareBooks(count);
}

/** Compares each stored balance with the journal and the open holds. */
async function* compareAccounts(mongo: Mongo, session: mongo.ClientSession, count: Count): Pieces {
  const [held, known] = [new Map<string, bigint>(), new Set<AccountId>()];
  const holds = mongo.collection(HOLDS).find({ state: 'open' }, { session, ...PAGED });
  yield* eachRow(holds, ({ account, amount }) => void held.set(account, (held.get(account) ?? 0n) + amount));
  yield* eachRow(mongo.collection(ACCOUNTS).find({}, { session, ...PAGED }), (row) => {
    known.add(row._id);
    compareAccount(count, held.get(row._id) ?? 0n, row);
  });
  count.accounts = known.size;
  yield* eachOf([...count.sums.keys(), ...held.keys()], (account) => {
    const stored = storedAt(account as AccountId);
    if (hasFloor(stored) && !known.has(stored)) tell(count, `${account} is missing.`);
  });
}

function compareAccount(count: Count, held: bigint, { _id, ...row }: AccountRow): void {
  const { posted, available, owed = 0n } = row;
  const sum = count.sums.get(_id) ?? 0n;
  const debt = 0n - (count.sums.get(besideAccount(_id, 'receivable')) ?? 0n);
  if (posted !== sum) tell(count, `${_id} has ${posted}, but its entries sum to ${sum}.`);
  if (row.held !== held) tell(count, `${_id} holds ${row.held}, but its open holds sum to ${held}.`);
  if (kindOfAccount(_id) === 'wallet' && owed !== debt)
    tell(count, `${_id} owes ${owed}, but the entries of its receivable sum to ${debt}.`);
  if (available !== posted - row.held - owed || posted < row.held || owed < 0n)
    tell(count, `${_id} has a wrong available amount.`);
}

/** Compares the totals of accounts without a floor with the entries in the chain. */
async function* compareTotals(mongo: Mongo, session: mongo.ClientSession, count: Count): Pieces {
  const left = new Map(count.sealed);
  yield* eachRow(mongo.collection(TOTALS).find({}, { session, ...PAGED }), ({ _id, posted }) => {
    const sum = left.get(_id) ?? 0n;
    if (posted !== sum) tell(count, `The total of ${_id} is ${posted}, but its entries sum to ${sum}.`);
    left.delete(_id);
  });
  yield* eachOf(left.keys(), (account) => tell(count, `The total of ${account} is missing.`));
}

/** All accounts of a book sum to zero. */
async function* compareBooks(count: Count): Pieces {
  const books = new Map<string, bigint>();
  yield* eachOf(count.sums, ([account, sum]) => {
    const book = account.slice(account.lastIndexOf(':') + 1);
    books.set(book, (books.get(book) ?? 0n) + sum);
  });
  for (const [book, sum] of books)
    if (sum !== 0n) tell(count, `The accounts of ${book} sum to ${sum} and not to zero.`);
}

/** Looks at each item, piece by piece. */
async function* eachOf<T>(items: Iterable<T>, look: (item: T) => void): Pieces {
  let looks = 0;
  for (const item of items) {
    look(item);
    looks += 1;
    if (looks % ROWS === 0) yield;
  }
}
