import { newId, type VendorId } from '../../../src/domain/ids.ts';
import { SETTLEMENT_STATES } from '../../../src/money/settlement/settlement.ts';
import { accountRowOf, rowOf } from '../../../src/models/ledger/settlement/settlement-rows.ts';
import type { SettlementStore } from '../../../src/ports/money/settlements.ts';
import { NOON } from '../../builders.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { aSettlement, anAccount } from '../../money/settlement/an-account.ts';
import { anEntry } from '../audit/an-entry.ts';
import { turnPages, type Calls } from './calls.ts';

const LIMIT = 20;
/** A vendor with many settlements. */
const SETTLED = newId('ven');

/** Calls of every method of the store of settlements. */
export function settlementCalls(settlements: SettlementStore, vendorId: VendorId): Calls<SettlementStore> {
  const account = anAccount();
  const { settlement, next } = aSettlement(account);
  const span = { from: NOON - 90 * 86_400_000, to: NOON };
  return {
    listDueAccounts: () => settlements.listDueAccounts(CLOCK.now(), LIMIT),
    putOff: () => settlements.putOff(account, NOON),
    newestLink: () => settlements.newestLink(),
    readMembers: async () => {
      const to = CLOCK.now() - 5_000_000;
      const of = { vendorId, liveMode: false, book: 'test.EUR' } as const;
      for (const after of [0, 1_000_000])
        await settlements.readMembers({ ...of, from: to - 5000, to, after, upTo: 5 }, () => undefined);
    },
    issue: async () => {
      for (const _try of [1, 2]) await settlements.issue(next, settlement);
    },
    find: () => settlements.find(settlement.id),
    replace: () => settlements.replace({ ...settlement, version: 2 }, null, anEntry()),
    listDue: () => settlements.listDue(NOON + 1_000_000_000, LIMIT),
    list: async () => {
      for (const subject of [{}, { vendorId: SETTLED }, { vendorId }])
        for (const cycle of [{}, { cycle: 'weekly' as const }])
          for (const within of [{}, span])
            await turnPages((after) =>
              settlements.list({ liveMode: false, ...subject, ...cycle, ...within }, { limit: LIMIT, after }),
            );
    },
    listPaying: async () => {
      for (const owner of [SETTLED, vendorId])
        await turnPages((after) =>
          settlements.listPaying({ vendorId: owner, liveMode: false, ...span }, { limit: LIMIT, after }),
        );
    },
  };
}

type Row = { readonly _id: string; readonly [field: string]: unknown };

/** Makes one row of each collection of settlements from its number. Few are due, and few pay. */
export const SETTLEMENT_ROWS: Record<string, (at: number) => Row> = {
  settlements: (at) => {
    const vendorId = at % 20 === 0 ? SETTLED : newId('ven');
    const { settlement } = aSettlement(anAccount({ vendorId }), at % 3 === 0 ? 5000 : 1);
    const state = SETTLEMENT_STATES[at % 4] ?? 'paid';
    const from = NOON - at * 86_400_000;
    const row = rowOf({ ...settlement, state, dueAt: at % 100 === 0 ? NOON + at : null });
    return { ...row, _id: `${row._id}:${at}`, cycle: at % 7 === 0 ? 'weekly' : 'daily', from };
  },
  settlement_accounts: (at) => accountRowOf(anAccount({ dueAt: CLOCK.now() + (at - 10) * 1000 })),
};
