// Reads the total of all accounts less all debts, each time as it was at one moment.
import { setTimeout as pause } from 'node:timers/promises';
import type { Mongo } from '../../src/engines/mongo.ts';
import { EXACT } from '../../src/engines/shapes/fields.ts';
import { ACCOUNTS, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import type { AccountId } from '../../src/money/ledger/accounts.ts';

/** `wrong` has a sentence for each snapshot that does not add up. `unread` counts those that the database refused. */
export type Totals = { read: number; unread: number; readonly wrong: string[] };

const EVERY_MS = 100;
const MOST_TOLD = 20;

/** Reads the total again and again, and compares it with `expected`. `stop` waits for the last read. */
export function watchTotals(mongo: Mongo, accounts: readonly AccountId[], expected: bigint) {
  const totals: Totals = { read: 0, unread: 0, wrong: [] };
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      try {
        const faults = await readOnce(mongo, accounts, expected);
        totals.read += 1;
        totals.wrong.push(...faults.slice(0, MOST_TOLD - totals.wrong.length));
      } catch {
        // The primary changes just now. A run with few reads fails.
        totals.unread += 1;
      }
      await pause(EVERY_MS);
    }
  };
  const done = watch();
  return {
    totals,
    stop: async (): Promise<void> => {
      isOver = true;
      await done;
    },
  };
}

/** The faults of one snapshot, as sentences. */
async function readOnce(mongo: Mongo, accounts: readonly AccountId[], expected: bigint): Promise<string[]> {
  const session = mongo.connection.getClient().startSession({ snapshot: true });
  try {
    const options = { session, ...EXACT };
    const rows = await mongo
      .collection(ACCOUNTS)
      .find({ _id: { $in: [...accounts] } }, options)
      .toArray();
    const holds = await mongo
      .collection(HOLDS)
      .find({ state: 'open', account: { $in: [...accounts] } }, options)
      .toArray();
    const total = rows.reduce((sum, { posted, owed = 0n }) => sum + posted - owed, 0n);
    const held = rows.reduce((sum, row) => sum + row.held, 0n);
    const open = holds.reduce((sum, { amount }) => sum + amount, 0n);
    const bare = rows.filter((row) => row.posted < row.held);
    return [
      ...(total === expected ? [] : [`a snapshot has ${total} instead of ${expected} in all accounts`]),
      ...(held === open ? [] : [`a snapshot holds ${held}, but its open holds sum to ${open}`]),
      ...bare.map(({ _id }) => `a snapshot holds more of ${_id} than there is`),
    ];
  } finally {
    await session.endSession();
  }
}
