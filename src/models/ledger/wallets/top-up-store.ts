import type { mongo } from 'mongoose';
import { markOfCreated, pageOf, rowsAfter } from '../../../engines/pages.ts';
import { endsOn } from '../../../engines/retention.ts';
import { isAny } from '../../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../../engines/mongo.ts';
import { EXACT } from '../../../engines/shapes/fields.ts';
import { transact } from '../../../engines/transact.ts';
import type { TopUpId } from '../../../domain/ids.ts';
import { amountOf } from '../../../money/amount.ts';
import { TOP_UP_STATES, type TopUp } from '../../../money/top-ups/top-up.ts';
import type { Arrived, PaidSpan, TopUpFilter, TopUpStore } from '../../../ports/money/top-ups.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import { pauseAfter } from '../../../work/each-due.ts';
import type { Within } from '../../store-entries.ts';
import { moneyOf, transactAlone, type RefuseLeft } from '../../transact-alone.ts';
import { bookAlong } from '../book-along.ts';
import { makeSettledDue, SETTLED } from './make-settled-due.ts';
import { newSuspenseRow, SUSPENSE } from './suspense-store.ts';
import { BY_MODE, BY_VENDOR, DUE, PAID, TOP_UPS, type TopUpRow } from './top-up-shape.ts';

const NEWEST_FIRST = { _id: -1 } as const;
const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;
/** Top-ups whose money has not arrived. */
const UNSETTLED = { state: { $ne: 'succeeded' }, reason: { $ne: 'mismatch' } } as const;

type Rows = mongo.Collection<TopUpRow>;

/**
 * Top-ups in MongoDB. A look that nobody records is repeated, so a process that dies loses nothing.
 * @param refuseLeft refuses one in a currency that the vendor has left
 */
export function createTopUpStore(
  on: Mongo,
  clock: Clock,
  { topUps, retention }: Pick<Settings, 'topUps' | 'retention'>,
  refuseLeft: RefuseLeft,
): TopUpStore {
  const rows: Rows = on.collection(TOP_UPS);
  const find: TopUpStore['find'] = async (id) => {
    const row = await rows.findOne({ _id: id }, EXACT);
    return row === null ? null : topUpOf(row);
  };
  return {
    find,
    add: async (topUp, most) => {
      const { id, vendorId, liveMode } = topUp;
      const own = { vendorId, liveMode, state: 'pending' } as const;
      try {
        return await transactAlone(on, clock, moneyOf(vendorId), async (session) => {
          const known = await rows.findOne({ _id: id }, { session, ...EXACT });
          if (known !== null) return topUpOf(known);
          await refuseLeft(vendorId, topUp.currency, session);
          if ((await rows.countDocuments(own, { session, limit: most })) >= most) return null;
          const dueAt = topUp.createdAt + topUps.firstLookMs;
          await rows.insertOne(rowOf(topUp, dueAt), { session });
          return topUp;
        });
      } catch (error) {
        // Another try of the same request has added it.
        if (isDuplicateKey(error)) return find(id);
        throw error;
      }
    },
    open: async (id, { url, gatewayId, expiresAt }) => {
      const update = { $set: { checkout: { url, gatewayId }, expiresAt } };
      // Two tries may have made two pages. Only the stored one is shown, and looked at.
      const row = await rows.findOneAndUpdate({ _id: id, state: 'pending', checkout: null }, update, {
        ...EXACT,
        returnDocument: 'after',
      });
      return row === null ? find(id) : topUpOf(row);
    },
    list: async (filter, page) => listTopUps(rows, filter, page),
    listPaid: (span, page) => listPaid(rows, span, page),
    paymentIdsOf: async (ids) => {
      const found = await rows.find({ _id: { $in: [...ids] } }, { ...EXACT, projection: { paymentId: 1 } }).toArray();
      return new Map(found.flatMap(({ _id, paymentId }) => (paymentId === undefined ? [] : [[_id, paymentId]])));
    },
    sumPaid: async (vendorId, liveMode, currency) => {
      const pending = rows.find({ vendorId, liveMode, state: 'pending' }, EXACT).limit(topUps.mostPending);
      const paid = (await pending.toArray()).filter((row) => row.isPaid && row.currency === currency);
      return amountOf(paid.reduce((sum, { amount }) => sum + amount, 0n));
    },
    ...claimsOf(on, rows, clock),
    ...endsOf(on, clock, retention.topUpsMs),
  };
}

async function listTopUps(
  rows: Rows,
  { vendorId, liveMode, state }: TopUpFilter,
  { limit, after }: PageRequest,
): Promise<Page<TopUp>> {
  // With all values named, the database merges short ranges of the index instead of sorting.
  const wanted = {
    ...(vendorId === undefined ? {} : { vendorId }),
    liveMode: liveMode ?? { $in: [true, false] },
    state: { $in: state === undefined ? [...TOP_UP_STATES] : [state] },
  };
  const hint = vendorId === undefined ? BY_MODE : BY_VENDOR;
  const found = rows.find({ ...wanted, ...rowsAfter(after, NEWEST_FIRST) }, { ...EXACT, hint });
  const page = await found
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(page.map(topUpOf), limit, markOfCreated);
}

async function listPaid(
  rows: Rows,
  { gateway, liveMode, from, to }: PaidSpan,
  { limit, after }: PageRequest,
): Promise<Page<TopUp>> {
  const since = [{ createdAt: { $gte: from, $lt: to } }, rowsAfter(after, OLDEST_FIRST)];
  const wanted = { gateway, liveMode, isPaid: true, $and: [...since, SETTLED] };
  const found = rows.find(wanted, { ...EXACT, hint: PAID });
  const page = await found
    .sort(OLDEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(page.map(topUpOf), limit, markOfCreated);
}

/** The looks at gateways that are due. */
function claimsOf(
  on: Mongo,
  rows: Rows,
  clock: Clock,
): Pick<TopUpStore, 'report' | 'reportLater' | 'claimDue' | 'noteChargebacks'> {
  const claim = async ({ _id, looks, dueAt, expiresAt }: TopUpRow): Promise<TopUp | null> => {
    const now = clock.now();
    const next = now + pauseAfter(looks + 1);
    // The end of the checkout is always looked at.
    const nextAt = now < expiresAt ? Math.min(next, expiresAt) : next;
    const update = { $set: { dueAt: nextAt }, $inc: { looks: 1 } };
    const row = await rows.findOneAndUpdate({ _id, dueAt: dueAt ?? now }, update, {
      ...EXACT,
      returnDocument: 'after',
    });
    return row === null ? null : topUpOf(row);
  };
  return {
    report: async (id, gateway, isPaid) => {
      const sets = { dueAt: clock.now(), looks: 0, ...(isPaid ? { isPaid } : {}) };
      const { matchedCount } = await rows.updateOne({ _id: id, gateway, ...UNSETTLED }, { $set: sets });
      return matchedCount > 0;
    },
    reportLater: (id, gateway) => makeSettledDue(rows, clock, id, gateway),
    noteChargebacks: async (id, chargebacks, dueAt) => {
      const noted = chargebacks.map(({ amount, ...rest }) => ({ ...rest, amount: BigInt(amount) }));
      if (noted.length > 0) await rows.updateOne({ _id: id }, { $set: { chargebacks: noted } });
      // A claim counts the look. A report since then has set the count to 0, and makes it due at once.
      const over = dueAt === null ? { $unset: { dueAt: '' as const } } : { $set: { dueAt } };
      await rows.updateOne({ _id: id, looks: { $gt: 0 }, ...SETTLED }, over);
    },
    claimDue: async ({ gateway, liveMode }, limit) => {
      const isDue = { gateway, liveMode, dueAt: { $lte: clock.now() } };
      if (!(await isAny(on, clock, TOP_UPS, isDue))) return [];
      const due = rows.find(isDue, { ...EXACT, hint: DUE });
      const claimed = await Promise.all((await due.sort(DUE).limit(limit).toArray()).map(claim));
      return claimed.filter((topUp) => topUp !== null);
    },
  };
}

/** The results of looks. A row without money is kept for `keptMs` after its end. */
function endsOf(on: Mongo, clock: Clock, keptMs: number): Pick<TopUpStore, 'end' | 'markPaid'> {
  const rows = on.collection(TOP_UPS);
  const book = async (id: TopUpId, { command, suspense }: Arrived, session: mongo.ClientSession): Promise<void> => {
    await bookAlong({ mongo: on, clock }, session, command, id);
    if (suspense === null) return;
    await on.collection(SUSPENSE).insertOne(newSuspenseRow(clock, keptMs, suspense), { session });
  };
  return {
    end: async (id, { state, reason, isFinal, paymentId, arrived }) => {
      const now = clock.now();
      const isPaid = state === 'succeeded' || reason === 'mismatch';
      // The count of a claim must stay, because only it tells `noteChargebacks` that no report has come since.
      const later = isFinal ? {} : { ...(isPaid ? {} : { looks: 0 }), dueAt: now + pauseAfter(1) };
      const kept = isPaid ? {} : { endsOn: endsOn(clock, keptMs) };
      const named = paymentId === undefined ? {} : { paymentId };
      const over = { ...(isFinal ? { dueAt: '' as const } : {}), ...(isPaid ? { endsOn: '' as const } : {}) };
      const update = { $set: { state, reason, isPaid, endedAt: now, ...later, ...kept, ...named }, $unset: over };
      const write = async (within: Within): Promise<boolean> => {
        const open = { _id: id, ...UNSETTLED, $nor: [{ state, reason }] };
        return (await rows.updateOne(open, update, within)).matchedCount > 0;
      };
      // Two looks may have found different payments. Only one passes, so the payment of the other is a further one.
      const writeAll = async (given: Arrived, session: mongo.ClientSession): Promise<boolean> => {
        const isNews = await write({ session });
        if (isNews) await book(id, given, session);
        return isNews;
      };
      const isNews =
        arrived === undefined ? await write({}) : await transact(on, clock, (session) => writeAll(arrived, session));
      if (isNews) return true;
      if (isFinal) await rows.updateOne({ _id: id, state, reason }, { $unset: { dueAt: '' } });
      return false;
    },
    markPaid: async (id, isPaid) => {
      await rows.updateOne({ _id: id, isPaid: !isPaid, state: 'pending' }, { $set: { isPaid } });
    },
  };
}

function topUpOf({
  _id,
  amount,
  chargebacks,
  looks: _looks,
  dueAt: _dueAt,
  endsOn: _endsOn,
  ...rest
}: TopUpRow): TopUp {
  const noted = chargebacks?.map((one) => ({ ...one, amount: amountOf(one.amount) }));
  return { id: _id, amount: amountOf(amount), ...rest, ...(noted === undefined ? {} : { chargebacks: noted }) };
}

/** A new top-up, of which nothing was taken back. */
function rowOf({ id, amount, chargebacks: _none, ...rest }: TopUp, dueAt: number): TopUpRow {
  return { _id: id, amount: BigInt(amount), ...rest, looks: 0, dueAt };
}
