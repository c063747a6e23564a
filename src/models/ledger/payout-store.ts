import type { mongo as engine } from 'mongoose';
import { isAny } from '../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import { readConfirmed } from '../../engines/read-confirmed.ts';
import { transact } from '../../engines/transact.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { OUTGOING_STATES } from '../../money/payouts/outgoing.ts';
import type { Payout, PayoutBatch } from '../../money/payouts/payout.ts';
import type { PayoutFilter, PayoutStore } from '../../ports/money/payouts.ts';
import type { PaidSpan } from '../../ports/money/top-ups.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import { bookAll, replaceAndBook, StaleRow, unlessStale } from './book-along.ts';
import { storeWith } from '../store-entries.ts';
import {
  BY_BATCH,
  BY_EARNER,
  BY_MODE,
  DUE,
  OPEN,
  PAID,
  PAYOUT_BATCHES,
  PAYOUTS,
  type BatchRow,
  type PayoutRow,
} from './payout-shapes.ts';

const NEWEST_FIRST = { _id: -1 } as const;
const FIRST_PAID = { updatedAt: 1, _id: 1 } as const;

/** The payouts in MongoDB. A state of a payout and the entry that belongs to it are one transaction. */
export function createPayoutStore(mongo: Mongo, clock: Clock): PayoutStore {
  const rows = mongo.collection(PAYOUTS);
  return {
    ...batchesOf(mongo, clock),
    find: async (id) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ _id: id }, { ...options, ...EXACT }));
      return row === null ? null : payoutOf(row);
    },
    replace: (next, command, entry) => replaceAndBook({ mongo, clock }, rows, rowOf(next), { command, entry }),
    listDue: async ({ gateway, liveMode }, before, limit) => {
      const isDue = { gateway, liveMode, dueAt: { $gt: 0, $lte: before } };
      if (!(await isAny(mongo, clock, PAYOUTS, isDue))) return [];
      const due = rows.find(isDue, { ...EXACT, hint: DUE });
      return (await due.sort(DUE).limit(limit).toArray()).map(payoutOf);
    },
    listPaid: (span, page) => listPaid(rows, span, page),
    list: (filter, page) => list(rows, filter, page),
  };
}

type BatchStore = Pick<PayoutStore, 'addBatch' | 'listOpenBatches' | 'putOff' | 'makePage'>;

function batchesOf(mongo: Mongo, clock: Clock): BatchStore {
  const [rows, batches] = [mongo.collection(PAYOUTS), mongo.collection(PAYOUT_BATCHES)];
  return {
    addBatch: async (batch, entry) => {
      try {
        await storeWith(mongo, clock, entry, (within) => batches.insertOne(batchRowOf(batch), within));
        return batch;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const read = (options: engine.FindOptions) => batches.findOne({ _id: batch.id }, { ...options, ...EXACT });
        const known = await readConfirmed(mongo, read);
        // A failover took it back, so the next try can store it.
        if (known === null) throw error;
        return batchOf(known);
      }
    },
    listOpenBatches: async (now, limit) => {
      const due = { state: 'making', retryAt: { $not: { $gt: now } } } as const;
      if (!(await isAny(mongo, clock, PAYOUT_BATCHES, due))) return [];
      const open = batches.find(due, { ...EXACT, hint: OPEN });
      return (await open.sort({ createdAt: 1 }).limit(limit).toArray()).map(batchOf);
    },
    putOff: async ({ id, after, failures }, retryAt) => {
      const sets = { $set: { failures: failures + 1, retryAt } };
      await batches.updateOne({ _id: id, state: 'making', after }, sets);
    },
    makePage: (batch, births, after) =>
      unlessStale(() =>
        transact(mongo, clock, async (session) => {
          const passed = await bookAll(
            { mongo, clock },
            session,
            births.map(({ command }) => command),
          );
          // Somebody has less than was read, so all are read again.
          if (passed.includes(false)) throw new StaleRow();
          const made = births.map(({ payout }) => payout);
          const sum = made.reduce((total, { amount }) => total + BigInt(amount), 0n);
          const next = after === null ? { state: 'made' as const } : { after };
          const counts = { payouts: made.length, amount: sum as never };
          const update = { $set: next, $inc: counts, $unset: { failures: '', retryAt: '' } } as const;
          const same = { _id: batch.id, state: 'making' as const, after: batch.after };
          const { matchedCount } = await batches.updateOne(same, update, { session });
          if (matchedCount === 0) throw new StaleRow();
          if (made.length > 0) await rows.insertMany(made.map(rowOf), { session });
        }),
      ),
  };
}

async function list(
  rows: engine.Collection<PayoutRow>,
  filter: PayoutFilter,
  { limit, after }: PageRequest,
): Promise<Page<Payout>> {
  const { of, hint } = subjectOf(filter);
  // With all states named, the database merges short ranges of the index instead of sorting.
  const state = { $in: filter.state === undefined ? [...OUTGOING_STATES] : [filter.state] };
  const found = await rows
    .find({ ...of, state, ...rowsAfter(after, NEWEST_FIRST) }, { ...EXACT, hint })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(found.map(payoutOf), limit, markOfCreated);
}

async function listPaid(
  rows: engine.Collection<PayoutRow>,
  { gateway, liveMode, from, to }: PaidSpan,
  { limit, after }: PageRequest,
): Promise<Page<Payout>> {
  const since = [{ updatedAt: { $gte: from, $lt: to } }, rowsAfter(after, FIRST_PAID)];
  const found = await rows
    .find({ gateway, liveMode, state: 'paid', $and: since }, { ...EXACT, hint: PAID })
    .sort(FIRST_PAID)
    .limit(limit + 1)
    .toArray();
  return pageOf(found.map(payoutOf), limit, ({ id, updatedAt }) => ({ at: updatedAt, id }));
}

function subjectOf({ batchId, courierId, liveMode }: PayoutFilter) {
  if (batchId !== undefined) return { of: { batchId }, hint: BY_BATCH };
  if (courierId !== undefined) return { of: { courierId }, hint: BY_EARNER };
  return { of: { liveMode: { $in: liveMode === undefined ? [true, false] : [liveMode] } }, hint: BY_MODE };
}

function rowOf({ id, amount, ...payout }: Payout): PayoutRow {
  return { _id: id, ...payout, amount: BigInt(amount) };
}

function payoutOf({ _id, amount, failures = 0, ...row }: PayoutRow): Payout {
  return { id: _id, ...row, amount: amountOf(amount), failures };
}

function batchRowOf({ id, amount, failures: _none, ...batch }: PayoutBatch): BatchRow {
  return { _id: id, ...batch, amount: BigInt(amount) };
}

function batchOf({ _id, amount, failures = 0, retryAt: _retryAt, ...row }: BatchRow): PayoutBatch {
  return { id: _id, ...row, amount: amountOf(amount), failures };
}
