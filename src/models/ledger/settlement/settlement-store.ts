import type { mongo } from 'mongoose';
import { SETTLEMENT_CYCLES } from '../../../domain/vendors/vendor.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../../engines/pages.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import { EXACT } from '../../../engines/shapes/fields.ts';
import { transact } from '../../../engines/transact.ts';
import type { Settlement } from '../../../money/settlement/settlement.ts';
import type { SettlementFilter, SettlementStore } from '../../../ports/money/settlements.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import type { Clock } from '../../../ports/process.ts';
import { replaceAndBook, StaleRow, unlessStale } from '../book-along.ts';
import { SEALS } from '../ledger-shapes.ts';
import { readMembers } from './read-members.ts';
import { accountId } from '../../common-fields.ts';
import { accountOf, accountRowOf, rowOf, settlementOf } from './settlement-rows.ts';
import {
  BY_MODE,
  BY_OWNER,
  DUE,
  PAYING_BY_OWNER,
  SETTLEMENT_ACCOUNTS,
  SETTLEMENTS,
  type SettlementRow,
} from './settlement-shapes.ts';

const NEWEST_FIRST = { from: -1, id: -1 } as const;

/** The settlements in MongoDB. A state of one and the entry that belongs to it are one transaction. */
export function createSettlementStore(mongo: Mongo, clock: Clock): SettlementStore {
  const [rows, accounts] = [mongo.collection(SETTLEMENTS), mongo.collection(SETTLEMENT_ACCOUNTS)];
  return {
    listDueAccounts: async (now, limit) => {
      const due = accounts.find({ dueAt: { $lte: now } }, EXACT);
      return (await due.sort(DUE).limit(limit).toArray()).map(accountOf);
    },
    putOff: async (account, dueAt) => {
      const same = { _id: accountId(account), version: account.version };
      await accounts.updateOne(same, { $set: { dueAt }, $inc: { failures: 1 } });
    },
    newestLink: () =>
      readConfirmed(mongo, async (options) => {
        const [last] = await mongo.collection(SEALS).find({}, options).sort({ _id: -1 }).limit(1).toArray();
        return last?._id ?? 0;
      }),
    readMembers: (span, add) => readMembers(mongo, span, add),
    issue: (next, settlement) =>
      unlessStale(() =>
        transact(mongo, clock, async (session) => {
          const { _id, ...row } = accountRowOf(next);
          const { matchedCount } = await accounts.replaceOne({ _id, version: next.version - 1 }, row, { session });
          if (matchedCount === 0) throw new StaleRow();
          if (settlement !== null) await rows.insertOne(rowOf(settlement), { session });
        }),
      ),
    find: async (id) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ id }, { ...options, ...EXACT }));
      return row === null ? null : settlementOf(row);
    },
    replace: (next, command, entry) => replaceAndBook({ mongo, clock }, rows, rowOf(next), { command, entry }),
    listDue: async (now, limit) => {
      const due = rows.find({ dueAt: { $gt: 0, $lte: now } }, { ...EXACT, hint: DUE });
      return (await due.sort(DUE).limit(limit).toArray()).map(settlementOf);
    },
    list: (filter, page) => list(rows, subjectOf(filter), filter, page),
    listPaying: ({ vendorId, liveMode, ...span }, page) =>
      list(rows, { of: { vendorId, liveMode, amount: { $gt: 0n } }, hint: PAYING_BY_OWNER }, span, page),
  };
}

/** With all cycles named, the database merges short ranges of the index instead of sorting. */
function subjectOf({ vendorId, liveMode, cycle }: SettlementFilter) {
  const of = { liveMode, cycle: { $in: cycle === undefined ? [...SETTLEMENT_CYCLES] : [cycle] } };
  return vendorId === undefined ? { of, hint: BY_MODE } : { of: { vendorId, ...of }, hint: BY_OWNER };
}

type Subject = { readonly of: mongo.Filter<SettlementRow>; readonly hint: mongo.IndexSpecification };

async function list(
  rows: mongo.Collection<SettlementRow>,
  { of, hint }: Subject,
  { from = 0, to = Infinity }: Pick<SettlementFilter, 'from' | 'to'>,
  { limit, after }: PageRequest,
): Promise<Page<Settlement>> {
  const found = await rows
    .find({ $and: [of, { from: { $gte: from, $lt: to } }, rowsAfter(after, NEWEST_FIRST)] }, { ...EXACT, hint })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(found.map(settlementOf), limit, ({ id, period }) => ({ at: period.from, id }));
}
