import type { mongo as engine } from 'mongoose';
import type { VendorId } from '../../../domain/ids.ts';
import { isAny } from '../../../engines/is-any.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../../engines/pages.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import { EXACT, flag, id, maybe, number, omissible, oneOf, text, whole64 } from '../../../engines/shapes/fields.ts';
import { shape } from '../../../engines/shapes/shape.ts';
import { amountOf } from '../../../money/amount.ts';
import {
  isUndone,
  MOST_REFUNDS,
  TOP_UP_REFUND_STATES,
  type TopUpRefund,
} from '../../../money/top-ups/top-up-refund.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { TopUpRefundStore } from '../../../ports/money/top-up-refunds.ts';
import type { Clock } from '../../../ports/process.ts';
import { OWNED } from '../../common-fields.ts';
import { storeEntries } from '../../store-entries.ts';
import { makeSettledDue } from './make-settled-due.ts';
import { TOP_UPS } from './top-up-shape.ts';
import { transactAlone } from '../../transact-alone.ts';
import { bookAlong, replaceAndBook, UnbookedRow } from '../book-along.ts';

export type TopUpRefundRow = Omit<TopUpRefund, 'id' | 'amount'> & {
  readonly _id: TopUpRefund['id'];
  readonly amount: bigint;
};

const BY_TOP_UP = { topUpId: 1, state: 1, _id: -1 } as const;
const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;
const DUE = { gateway: 1, liveMode: 1, dueAt: 1 } as const;
const NEWEST_FIRST = { _id: -1 } as const;

export const TOP_UP_REFUNDS = shape<TopUpRefundRow>({
  name: 'top_up_refunds',
  holds: 'Money of a top-up on its way back from the wallet to the payer.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: BY_TOP_UP }, { key: BY_MODE }, { key: DUE, partialFilterExpression: { dueAt: { $gt: 0 } } }],
  fields: {
    _id: id('tur', 'The refund’s id, and its reference at the gateway.'),
    topUpId: id('top', 'The top-up.'),
    vendorId: id('ven', 'The vendor whose wallet pays it.'),
    liveMode: flag('The mode of the wallet.'),
    currency: text('ISO 4217 code of the currency.'),
    amount: whole64('The amount, minor units.'),
    gateway: oneOf(GATEWAY_NAMES, 'The gateway that carries it out.'),
    paymentId: text(
      'The gateway’s own id of the payment that is booked, or of the page if the top-up does not name it.',
    ),
    reference: text('The name that finance gave it, unique for the top-up.'),
    note: text('Why the money goes back.'),
    requestedBy: id('stf', 'The member of finance who asked for it.'),
    state: oneOf(TOP_UP_REFUND_STATES, 'Where the money is.'),
    resolvedBy: omissible(id('stf', 'The person who ended a refund that waited for one. Absent for none.')),
    reason: maybe(
      text('Why it failed, came back or needs a person, or what the person who ended it wrote; null otherwise.'),
    ),
    looks: number('How often the gateway was asked since the last change of the state.'),
    failures: number('How often the present look brought nothing.'),
    dueAt: maybe(number('When the server looks at it next, service time in ms; null for never.')),
    createdAt: number('When it was asked for, service time in ms.'),
    updatedAt: number('When its state changed last, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});

/** The name of the transactions that add refunds to the top-ups of a vendor. */
export function refundsOf(vendorId: VendorId, liveMode: boolean): string {
  return `top-up-refunds:${vendorId}:${liveMode}`;
}

/** Refunds of top-ups in MongoDB. A state of a refund and the entry that belongs to it are one transaction. */
export function createTopUpRefundStore(mongo: Mongo, clock: Clock): TopUpRefundStore {
  const rows = mongo.collection(TOP_UP_REFUNDS);
  const topUps = mongo.collection(TOP_UPS);
  const engines = { mongo, clock };
  return {
    add: async ({ id: topUpId, vendorId, liveMode }, plan) => {
      try {
        return await transactAlone(mongo, clock, refundsOf(vendorId, liveMode), async (session) => {
          const known = rows.find({ topUpId }, { session, ...EXACT, hint: BY_TOP_UP }).limit(MOST_REFUNDS);
          const { refund, births } = plan((await known.toArray()).map(refundOf));
          if (births === null) return refund;
          await rows.insertOne(rowOf(refund), { session });
          await bookAlong(engines, session, births.command, refund.id);
          await storeEntries(mongo, [births.entry], { session });
          return refund;
        });
      } catch (error) {
        if (error instanceof UnbookedRow) return null;
        throw error;
      }
    },
    find: async (wanted) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ _id: wanted }, { ...options, ...EXACT }));
      return row === null ? null : refundOf(row);
    },
    replace: (next, command, entry) => replaceAndBook(engines, rows, rowOf(next), { command, entry }),
    resolve: (next, command, entry) => {
      const writeAlong = async (session: engine.ClientSession): Promise<void> => {
        if (isUndone(next)) await makeSettledDue(topUps, clock, next.topUpId, next.gateway, { session });
      };
      return replaceAndBook(engines, rows, rowOf(next), { command, entry, writeAlong });
    },
    listDue: async ({ gateway, liveMode }, before, limit) => {
      const isDue = { gateway, liveMode, dueAt: { $gt: 0, $lte: before } };
      if (!(await isAny(engines.mongo, engines.clock, TOP_UP_REFUNDS, isDue))) return [];
      const due = rows.find(isDue, { ...EXACT, hint: DUE });
      return (await due.sort(DUE).limit(limit).toArray()).map(refundOf);
    },
    list: async ({ topUpId, state: only, liveMode }, { limit, after }) => {
      // With all values named, the database merges short ranges of the index instead of sorting.
      const state = { $in: only === undefined ? [...TOP_UP_REFUND_STATES] : [only] };
      const modes = { $in: liveMode === undefined ? [true, false] : [liveMode] };
      const [of, hint] = topUpId === undefined ? ([{}, BY_MODE] as const) : ([{ topUpId }, BY_TOP_UP] as const);
      const wanted = { ...of, liveMode: modes, state, ...rowsAfter(after, NEWEST_FIRST) };
      const found = rows.find(wanted, { ...EXACT, hint }).sort(NEWEST_FIRST);
      return pageOf((await found.limit(limit + 1).toArray()).map(refundOf), limit, markOfCreated);
    },
  };
}

function rowOf({ id: _id, amount, ...rest }: TopUpRefund): TopUpRefundRow {
  return { _id, ...rest, amount: BigInt(amount) };
}

function refundOf({ _id, amount, ...rest }: TopUpRefundRow): TopUpRefund {
  return { id: _id, ...rest, amount: amountOf(amount) };
}
