import type { mongo as engine } from 'mongoose';
import { createTimelyGroups } from '../../work/timely-groups.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { refuseAway } from '../../engines/away.ts';
import { OutcomeUnknown } from '../../engines/transact.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { NOTHING, type LedgerResult } from '../../money/ledger/decide.ts';
import type { Entry } from '../../money/ledger/entries.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/process.ts';
import { balanceOf } from './claim-alone.ts';
import { ACCOUNTS, ENTRIES, type EntryRow } from './ledger-shapes.ts';
import { sealLedger } from './seal-ledger.ts';
import { entryIn, settleGroup, tooLate } from './settle-group.ts';
import { accountsOf, factsOf, refuseUnsoundCommand, type Posting } from './write-group.ts';

/** How long a command may take, machine time. */
const BUDGET_MS = 5000;
/** Commands of a process that are under way. More of them could not be booked within the budget. */
export const MOST_UNDER_WAY = 8192;
/** Entries about one object that a list returns. */
const MOST_LISTED = 1000;

/**
 * The journal in MongoDB. Commands that wait at the same time share a transaction, over all wallets. Two transactions of
 * a process never touch one wallet at once, because they would conflict.
 */
export function createLedger(mongo: Mongo, clock: Clock): Ledger {
  const settle = createTimelyGroups<Posting, LedgerResult>(
    clock,
    (postings, onConflict) => settleGroup({ mongo, clock }, postings, onConflict),
    { factsOf: ({ command }) => factsOf(command), placesOf: ({ command }) => accountsOf(command) },
    {
      budgetMs: BUDGET_MS,
      most: MOST_UNDER_WAY,
      refuse: (hasStarted) => (hasStarted ? new OutcomeUnknown(null, null) : tooLate()),
    },
  );
  return {
    post: async (command, audit) => {
      refuseUnsoundCommand(mongo, command);
      return refuseAway(settle({ command, audit }));
    },
    balance: async (account) => {
      const row = await mongo.collection(ACCOUNTS).findOne({ _id: account }, EXACT);
      return row === null ? NOTHING : balanceOf(row);
    },
    find: (keys) => listEntries(mongo, { _id: { $in: [...keys] } }),
    listAbout: (about) => listEntries(mongo, { about }, { sort: { at: 1, id: 1 }, limit: MOST_LISTED }),
    seal: (limit) => sealLedger(mongo, clock, limit),
  };
}

/** Reads only entries that no failover can take back, because they decide what is booked next. */
function listEntries(mongo: Mongo, filter: engine.Filter<EntryRow>, more: engine.FindOptions = {}): Promise<Entry[]> {
  return readConfirmed(mongo, async (options) => {
    const rows = mongo.collection(ENTRIES).find(filter, { ...more, ...options, ...EXACT });
    return (await rows.toArray()).map(entryIn);
  });
}
