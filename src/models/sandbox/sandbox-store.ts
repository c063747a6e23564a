import type { mongo } from 'mongoose';
import { isAny } from '../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { endsOn } from '../../engines/retention.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import type { SandboxPayment, SandboxStore } from '../../ports/money/sandbox.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { BY_STATUS, SANDBOX_PAYMENTS, type SandboxRow } from './sandbox-shape.ts';

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;
/** The pauses after each failed try of a callback. After the last one the sandbox gives up. */
const PAUSES_MS = [5, 60, 600, 3600, 7200, 14_400, 28_800].map((seconds) => seconds * 1000);

/** The payments of the sandbox gateway in MongoDB. */
export function createSandboxStore(on: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): SandboxStore {
  const rows = on.collection(SANDBOX_PAYMENTS);
  const find: SandboxStore['find'] = async (reference) => {
    const row = await rows.findOne({ _id: reference }, EXACT);
    return row === null ? null : paymentOf(row);
  };
  /** Counts a try. Its callback is due again after a pause, unless this was the last try. */
  const claim = async ({ _id, tries, noticeAt }: SandboxRow): Promise<SandboxPayment | null> => {
    const pauseMs = PAUSES_MS[tries];
    const update =
      pauseMs === undefined
        ? { $inc: { tries: 1 }, $unset: { noticeAt: '' as const } }
        : { $inc: { tries: 1 }, $set: { noticeAt: clock.now() + pauseMs } };
    const row = await rows.findOneAndUpdate({ _id, noticeAt: noticeAt ?? 0 }, update, EXACT);
    return row === null ? null : paymentOf(row);
  };
  return {
    find,
    add: async (payment) => {
      try {
        await rows.insertOne(rowOf(payment, endsOn(clock, retention.topUpsMs)));
        return { payment, isNew: true };
      } catch (error) {
        const known = isDuplicateKey(error) ? await find(payment.reference) : null;
        if (known === null) throw error;
        return { payment: known, isNew: false };
      }
    },
    listPaid: (span, page) => listPaid(rows, span, page),
    resolve: async (reference, { paid, ...rest }, { count, dueAt }) => {
      const result = { ...rest, paid: paid === null ? null : { ...paid, amount: BigInt(paid.amount) } };
      const due = count === 0 ? {} : { noticeAt: dueAt };
      const sets = { ...result, notices: count, tries: 0, ...due };
      const { matchedCount } = await rows.updateOne({ _id: reference, status: 'open' }, { $set: sets });
      return matchedCount > 0;
    },
    claimNotices: async (limit) => {
      const isDue = { noticeAt: { $lte: clock.now() } };
      if (!(await isAny(on, clock, SANDBOX_PAYMENTS, isDue))) return [];
      const due = await rows.find(isDue, EXACT).sort({ noticeAt: 1 }).limit(limit).toArray();
      const claimed = await Promise.all(due.map(claim));
      return claimed.filter((payment) => payment !== null);
    },
    recordNotice: async ({ reference, notices }, nextAt) => {
      const left = { notices: Math.max(notices - 1, 0), tries: 0 };
      const next =
        nextAt === null ? { $set: left, $unset: { noticeAt: '' as const } } : { $set: { ...left, noticeAt: nextAt } };
      // Another process may have recorded it.
      await rows.updateOne({ _id: reference, notices }, next);
    },
  };
}

async function listPaid(
  rows: mongo.Collection<SandboxRow>,
  { from, to }: { readonly from: number; readonly to: number },
  { limit, after }: PageRequest,
): Promise<Page<SandboxPayment>> {
  const since = [{ createdAt: { $gte: from, $lt: to } }, rowsAfter(after, OLDEST_FIRST)];
  const found = rows.find({ status: 'paid', $and: since }, { ...EXACT, hint: BY_STATUS });
  const page = await found
    .sort(OLDEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(page.map(paymentOf), limit, ({ createdAt, reference: id }) => ({ at: createdAt, id }));
}

function paymentOf(row: SandboxRow): SandboxPayment {
  const { _id, amount, paid, tries: _tries, noticeAt: _noticeAt, endsOn: _endsOn, ...rest } = row;
  const was = paid === null ? null : { ...paid, amount: amountOf(paid.amount) };
  return { reference: _id, amount: amountOf(amount), paid: was, ...rest };
}

function rowOf({ reference, amount, paid, ...rest }: SandboxPayment, ends: Date): SandboxRow {
  const was = paid === null ? null : { ...paid, amount: BigInt(paid.amount) };
  return { _id: reference, amount: BigInt(amount), paid: was, ...rest, tries: 0, endsOn: ends };
}
