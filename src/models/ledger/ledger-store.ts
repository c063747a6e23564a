import { createGroups } from '../../work/groups.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { refuseAway } from '../../engines/away.ts';
import { OutcomeUnknown } from '../../engines/transact.ts';
import { NOTHING, type LedgerResult } from '../../money/ledger/decide.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/process.ts';
import { balanceOf } from './claim-alone.ts';
import { ACCOUNTS, EXACT } from './ledger-shapes.ts';
import { sealLedger } from './seal-ledger.ts';
import { settleGroup, tooLate } from './settle-group.ts';
import { accountsOf, factsOf, refuseUnsoundCommand, type Posting } from './write-group.ts';

/** How long a command may take, machine time. */
const BUDGET_MS = 5000;
/** Commands of a process that are under way. More of them could not be booked within the budget. */
export const MOST_UNDER_WAY = 8192;

/** A command on its way. One that is given up before its group starts is not carried out. */
type Waiting = { readonly posting: Posting; state: 'waiting' | 'started' | 'given up' };

/**
 * The journal in MongoDB. Commands that wait at the same time share a transaction, over all wallets. Two transactions of
 * a process never touch one wallet at once, because they would conflict.
 */
export function createLedger(mongo: Mongo, clock: Clock): Ledger {
  const settle = createGroups<Waiting, LedgerResult>(clock, (waiting) => startAll({ mongo, clock }, waiting), {
    factsOf: ({ posting: { command } }) => factsOf(command),
    placesOf: ({ posting: { command } }) => accountsOf(command),
  });
  let underWay = 0;
  return {
    post: async (command, audit) => {
      refuseUnsoundCommand(mongo, command);
      if (underWay === MOST_UNDER_WAY) throw tooLate();
      const waiting: Waiting = { posting: { command, audit }, state: 'waiting' };
      const settled = settle(waiting);
      underWay += 1;
      const leave = (): void => void (underWay -= 1);
      void settled.then(leave, leave);
      return refuseAway(inTime(clock, waiting, settled));
    },
    balance: async (account) => {
      const row = await mongo.collection(ACCOUNTS).findOne({ _id: account }, EXACT);
      return row === null ? NOTHING : balanceOf(row);
    },
    seal: (limit) => sealLedger(mongo, clock, limit),
  };
}

/** Carries out the commands of a group, except those that were given up. */
async function startAll(engine: { readonly mongo: Mongo; readonly clock: Clock }, group: readonly Waiting[]) {
  const started = group.filter(({ state }) => state === 'waiting');
  for (const one of started) one.state = 'started';
  const postings = started.map(({ posting }) => posting);
  const results = await settleGroup(engine, postings);
  const byInput = new Map(started.map((one, index) => [one, results[index]]));
  return group.map((one) => byInput.get(one) ?? { status: 'rejected' as const, reason: tooLate() });
}

/** Answers `busy` if a command takes too long. If it has started, it may still be carried out. */
function inTime({ real }: Clock, waiting: Waiting, settled: Promise<LedgerResult>): Promise<LedgerResult> {
  return new Promise((resolve, reject) => {
    const stop = real.after(BUDGET_MS, () => {
      if (waiting.state === 'started') return reject(new OutcomeUnknown(null));
      waiting.state = 'given up';
      reject(tooLate());
    });
    void settled.then(resolve, reject).finally(stop);
  });
}
