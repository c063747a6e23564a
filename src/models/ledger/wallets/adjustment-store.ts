import assert from 'node:assert';
import type { mongo as engine } from 'mongoose';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import { areDuplicateKeys, type Mongo } from '../../../engines/mongo.ts';
import { markOfCreated, pageOf, rowsAfter } from '../../../engines/pages.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import { EXACT, flag, id, maybe, number, oneOf, text, whole64 } from '../../../engines/shapes/fields.ts';
import { shape } from '../../../engines/shapes/shape.ts';
import { amountOf } from '../../../money/amount.ts';
import { ADJUSTMENT_STATES, type Adjustment } from '../../../money/wallets/adjustment.ts';
import type { AdjustmentStore } from '../../../ports/money/adjustments.ts';
import type { Clock } from '../../../ports/process.ts';
import { OWNED } from '../../common-fields.ts';
import { storeEntries } from '../../store-entries.ts';
import { moneyOf, standAlone, transactAlone, type RefuseLeft } from '../../transact-alone.ts';
import { replaceAndBook, UnbookedRow } from '../book-along.ts';
import { settleGroup } from '../settle-group.ts';
import { refuseUnsoundCommand } from '../write-group.ts';

type AdjustmentRow = Omit<Adjustment, 'id' | 'amount'> & { readonly _id: Adjustment['id']; readonly amount: bigint };

const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;
/** The index of the lists of a vendor, newest first within a state. */
export const BY_VENDOR = { vendorId: 1, liveMode: 1, state: 1, _id: -1 } as const;
const NEWEST_FIRST = { _id: -1 } as const;

export const ADJUSTMENTS = shape<AdjustmentRow>({
  name: 'adjustments',
  holds: 'Adjustments of wallets that one member of finance asked for and that a second one decides about.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: BY_MODE }, { key: BY_VENDOR }],
  fields: {
    _id: id('adj', 'The id of the adjustment.'),
    vendorId: id('ven', 'The vendor whose wallet is adjusted.'),
    liveMode: flag('The mode of the wallet.'),
    currency: text('ISO 4217 code of the currency of the wallet.'),
    amount: whole64('Minor units: above 0 into the wallet, below 0 out of it.'),
    reason: text('Why, as the vendor reads it.'),
    state: oneOf(ADJUSTMENT_STATES, 'Whether it was decided, and how.'),
    requestedBy: id('stf', 'The member of staff who asked for it.'),
    decidedBy: maybe(id('stf', 'The person who approved or rejected it; null while it waits.')),
    createdAt: number('When it was asked for, service time in ms.'),
    updatedAt: number('When it changed last, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});

/**
 * Adjustments in MongoDB. A decision, the money that it books and its audit entry are one transaction.
 * @param refuseLeft refuses one in a currency that the vendor has left
 */
export function createAdjustmentStore(mongo: Mongo, clock: Clock, refuseLeft: RefuseLeft): AdjustmentStore {
  const rows = mongo.collection(ADJUSTMENTS);
  return {
    add: async (adjustment, entry) => {
      try {
        return await transactAlone(mongo, clock, moneyOf(adjustment.vendorId), async (session) => {
          const known = await rows.findOne({ _id: adjustment.id }, { session, projection: { _id: 1 } });
          if (known !== null) return false;
          await refuseLeft(adjustment.vendorId, adjustment.currency, session);
          await rows.insertOne(rowOf(adjustment), { session });
          await storeEntries(mongo, [entry], { session });
          return true;
        });
      } catch (error) {
        if (!areDuplicateKeys(error)) throw error;
        return false;
      }
    },
    find: async (wanted) => {
      const row = await readConfirmed(mongo, (options) => rows.findOne({ _id: wanted }, { ...options, ...EXACT }));
      return row === null ? null : adjustmentOf(row);
    },
    replace: async (next, command, entry) => {
      try {
        return await replaceAndBook({ mongo, clock }, rows, rowOf(next), { command, entry });
      } catch (error) {
        if (error instanceof UnbookedRow) throw new Refusal('insufficient_funds');
        throw error;
      }
    },
    post: async ({ vendorId, currency }, command, audit) => {
      refuseUnsoundCommand(mongo, command);
      const begin = async (session: engine.ClientSession): Promise<void> => {
        await standAlone(mongo, moneyOf(vendorId), session);
        await refuseLeft(vendorId, currency, session);
      };
      const [settled] = await settleGroup({ mongo, clock, begin }, [{ command, audit }], () => {});
      assert(settled !== undefined, 'a command is settled');
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value;
    },
    list: async ({ state, liveMode, vendorId }, { limit, after }) => {
      // With all values named, the database merges short ranges of the index instead of sorting.
      const wanted = {
        ...(vendorId === undefined ? {} : { vendorId }),
        liveMode: { $in: liveMode === undefined ? [true, false] : [liveMode] },
        state: { $in: state === undefined ? [...ADJUSTMENT_STATES] : [state] },
      };
      const hint = vendorId === undefined ? BY_MODE : BY_VENDOR;
      const found = rows.find({ ...wanted, ...rowsAfter(after, NEWEST_FIRST) }, { ...EXACT, hint });
      const page = await found
        .sort(NEWEST_FIRST)
        .limit(limit + 1)
        .toArray();
      return pageOf(page.map(adjustmentOf), limit, markOfCreated);
    },
  };
}

function rowOf({ id: _id, amount, ...rest }: Adjustment): AdjustmentRow {
  return { _id, ...rest, amount: BigInt(amount) };
}

function adjustmentOf({ _id, amount, ...rest }: AdjustmentRow): Adjustment {
  return { id: _id, ...rest, amount: amountOf(amount) };
}
