import type { mongo as engine } from 'mongoose';
import { areDuplicateKeys, type Mongo } from '../../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../../engines/pages.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import {
  date,
  EXACT,
  flag,
  id,
  maybe,
  number,
  omissible,
  oneOf,
  text,
  whole64,
} from '../../../engines/shapes/fields.ts';
import { endsOn, ENDING } from '../../../engines/retention.ts';
import { shape } from '../../../engines/shapes/shape.ts';
import { transact } from '../../../engines/transact.ts';
import { amountOf } from '../../../money/amount.ts';
import { SUSPENSE_DECISIONS, SUSPENSE_STATES, type Suspense } from '../../../money/suspense/suspense.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { SuspenseStore } from '../../../ports/money/suspense.ts';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import { OWNED } from '../../common-fields.ts';
import { moneyOf, standAlone, type RefuseLeft } from '../../transact-alone.ts';
import { bookAlong, replaceAndBook } from '../book-along.ts';
import { ENTRIES } from '../ledger-shapes.ts';
import { makeSettledDue } from './make-settled-due.ts';
import { TOP_UPS } from './top-up-shape.ts';

/** Money in suspense as stored. Rows of test mode end, so that nobody fills the collection with play money. */
export type SuspenseRow = Omit<Suspense, 'id' | 'amount'> & {
  readonly _id: Suspense['id'];
  readonly amount: bigint;
  readonly endsOn?: Date;
};

const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;
/** Live money comes first, so that no amount of test money keeps the server from looking at it. */
const DUE = { liveMode: -1, dueAt: 1 } as const;
const NEWEST_FIRST = { _id: -1 } as const;

export const SUSPENSE = shape<SuspenseRow>({
  name: 'suspense',
  holds: 'Money that arrived and that belongs to nobody until finance decides about it.',
  kept: 'Always in live mode. In test mode `RETENTION_TOP_UPS_MS` after the money was booked.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: BY_MODE }, { key: DUE, partialFilterExpression: { dueAt: { $gt: 0 } } }, ENDING],
  fields: {
    _id: id('sus', 'The id of the money in suspense.'),
    gateway: oneOf(GATEWAY_NAMES, 'The payment gateway that took the money.'),
    topUpId: id('top', 'The top-up that was paid for.'),
    paymentId: omissible(text('The gateway’s own id of a further payment. Absent for the payment that differs.')),
    vendorId: id('ven', 'The vendor of the top-up.'),
    liveMode: flag('The mode of the top-up.'),
    currency: text('ISO 4217 code of the currency that was paid.'),
    amount: whole64('The amount that was paid, minor units.'),
    state: oneOf(SUSPENSE_STATES, 'Where the money is.'),
    decision: maybe(oneOf(SUSPENSE_DECISIONS, 'The decision about the money; null until somebody has decided.')),
    reason: maybe(text('The reason of the decision; null for none.')),
    decidedBy: maybe(id('stf', 'The member of staff who decided; null for nobody.')),
    approvedBy: maybe(id('stf', 'The second person, above the limit; null for nobody.')),
    createdAt: number('When the money was booked, service time in ms.'),
    updatedAt: number('When the row changed last, service time in ms.'),
    dueAt: maybe(number('When the server complains next, service time in ms; null for never.')),
    version: number('Rises by one with each change.'),
    endsOn: omissible(date('When the database may delete the row; left out if it stays.')),
  },
});

type Engines = { readonly mongo: Mongo; readonly clock: Clock };

/**
 * Money in suspense in MongoDB. A state and the entry that belongs to it are one transaction.
 * @param refuseLeft refuses a credit in a currency that the vendor has left
 */
export function createSuspenseStore(
  mongo: Mongo,
  clock: Clock,
  { retention }: Pick<Settings, 'retention'>,
  refuseLeft: RefuseLeft,
): SuspenseStore {
  const rows = mongo.collection(SUSPENSE);
  const engines = { mongo, clock };
  return {
    add: async (suspense, command) => {
      try {
        await transact(mongo, clock, async (session) => {
          await rows.insertOne(newSuspenseRow(clock, retention.topUpsMs, suspense), { session });
          await bookAlong(engines, session, command, suspense.id);
        });
        return true;
      } catch (error) {
        if (!areDuplicateKeys(error) || command.do !== 'post') throw error;
        // The key of the entry names the payment. A failover may have taken the other write back.
        const { key } = command.entry;
        const known = await readConfirmed(mongo, (options) => mongo.collection(ENTRIES).findOne({ _id: key }, options));
        if (known === null) throw error;
        return false;
      }
    },
    find: async (wanted) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ _id: wanted }, { ...options, ...EXACT }));
      return row === null ? null : suspenseOf(row);
    },
    replace: async (next, command, entry) => {
      // No change moves the end of a row.
      const known = await rows.findOne({ _id: next.id }, { projection: { _id: 0, endsOn: 1 }, ...EXACT });
      const writeAlong = writeCredit(engines, refuseLeft, next);
      return replaceAndBook(engines, rows, { ...rowOf(next), ...known }, { command, entry, writeAlong });
    },
    listDue: async (before, limit) => {
      const due = rows.find(
        { liveMode: { $in: [true, false] }, dueAt: { $gt: 0, $lte: before } },
        { ...EXACT, hint: DUE },
      );
      return (await due.sort(DUE).limit(limit).toArray()).map(suspenseOf);
    },
    list: async ({ state, liveMode }, { limit, after }) => {
      // With all values named, the database merges short ranges of the index instead of sorting.
      const wanted = {
        liveMode: { $in: liveMode === undefined ? [true, false] : [liveMode] },
        state: { $in: state === undefined ? [...SUSPENSE_STATES] : [state] },
      };
      const found = rows.find({ ...wanted, ...rowsAfter(after, NEWEST_FIRST) }, { ...EXACT, hint: BY_MODE });
      const page = (
        await found
          .sort(NEWEST_FIRST)
          .limit(limit + 1)
          .toArray()
      ).map(suspenseOf);
      return pageOf(page, limit, markOfCreated);
    },
  };
}

/** The other writes of a credit. Another step has none. */
function writeCredit({ mongo, clock }: Engines, refuseLeft: RefuseLeft, next: Suspense) {
  return async (session: engine.ClientSession): Promise<void> => {
    if (next.state !== 'credited') return;
    await standAlone(mongo, moneyOf(next.vendorId), session);
    await refuseLeft(next.vendorId, next.currency, session);
    // The gateway may have taken the money back before, so it is asked again.
    await makeSettledDue(mongo.collection(TOP_UPS), clock, next.topUpId, next.gateway, { session });
  };
}

/** The row of money that has just arrived. Test money is kept for `keptMs`, and live money always. */
export function newSuspenseRow(clock: Clock, keptMs: number, suspense: Suspense): SuspenseRow {
  return { ...rowOf(suspense), ...(suspense.liveMode ? {} : { endsOn: endsOn(clock, keptMs) }) };
}

function rowOf({ id: _id, amount, ...rest }: Suspense): SuspenseRow {
  return { _id, ...rest, amount: BigInt(amount) };
}

function suspenseOf({ _id, amount, endsOn: _endsOn, ...rest }: SuspenseRow): Suspense {
  return { id: _id, ...rest, amount: amountOf(amount) };
}
