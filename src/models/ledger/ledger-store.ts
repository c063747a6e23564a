import assert from 'node:assert';
import { refuseForeignRow } from '../../engines/tenants/confine.ts';
import { createGroups } from '../../work/groups.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { refuseAway } from '../../engines/away.ts';
import { amountOf } from '../../money/amount.ts';
import { hasFloor, isLive } from '../../money/ledger/accounts.ts';
import type { Command, LedgerResult } from '../../money/ledger/decide.ts';
import { assertSound } from '../../money/ledger/entries.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Clock } from '../../ports/process.ts';
import { ACCOUNTS, ENTRIES } from './ledger-shapes.ts';
import { sealLedger } from './seal-ledger.ts';
import { settleGroup } from './settle-group.ts';
import { entryOf, EXACT, type Posting } from './write-group.ts';

/** The journal in MongoDB. Commands that wait at the same time share a transaction, over all wallets. */
export function createLedger(mongo: Mongo, clock: Clock): Ledger {
  const entries = mongo.collection(ENTRIES);
  const settle = createGroups<Posting, LedgerResult>(
    clock,
    (postings) => settleGroup({ mongo, clock }, postings),
    ({ command }) => factsOf(command),
  );
  return {
    post: async (command, audit) => {
      const entry = entryOf(command);
      // A fault of one command must not fail the others of its group.
      if (entry !== null) {
        assertSound(entry);
        refuseForeignRow(entries, { vendorId: entry.vendorId, liveMode: isLive(entry.book) });
      }
      if (command.do === 'hold') assert(hasFloor(command.hold.account) && command.hold.amount > 0, 'a hold reserves');
      return refuseAway(settle({ command, audit }));
    },
    balance: async (account) => {
      const row = await mongo.collection(ACCOUNTS).findOne({ _id: account }, EXACT);
      return { posted: amountOf(row?.posted ?? 0), held: amountOf(row?.held ?? 0) };
    },
    seal: (limit) => sealLedger(mongo, clock, limit),
  };
}

/** The facts of a command. Two commands of one fact never share a transaction. */
function factsOf(command: Command): string[] {
  const entry = entryOf(command);
  const hold = command.do === 'hold' ? command.hold.key : 'holdKey' in command ? command.holdKey : null;
  return [...(entry === null ? [] : [`entry ${entry.key}`]), ...(hold === null ? [] : [`hold ${hold}`])];
}
