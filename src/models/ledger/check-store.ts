import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { kindOf } from '../../engines/shapes/shape.ts';
import type { LedgerChecks } from '../../ports/ledger.ts';
import { SETTINGS } from '../setting-shapes.ts';
import { checkInPieces } from './verify-ledger.ts';

const _id = 'ledger_check';
/** The faults that the check of a server names, all in one line of the log. */
const MOST_FAULTS = 20;

/** Checks of the ledger, and the last of them in MongoDB. */
export function createLedgerChecks(mongo: Mongo): LedgerChecks {
  const rows = mongo.collection(kindOf(SETTINGS, _id));
  return {
    run: (goesOn) => checkInPieces(mongo, goesOn, MOST_FAULTS),
    findLast: async () => {
      const row = await rows.findOne({ _id });
      return row === null ? null : { checkedAt: row.checkedAt, entries: row.entries, faultCount: row.faultCount };
    },
    put: async ({ checkedAt, entries, faultCount }) => {
      try {
        await rows.replaceOne(
          { _id, checkedAt: { $lt: checkedAt } },
          { checkedAt, entries, faultCount },
          { upsert: true },
        );
      } catch (error) {
        // The stored one is not older. A process that has stalled must not replace it.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}
