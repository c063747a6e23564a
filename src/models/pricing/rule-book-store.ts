import { emptyBook, type RuleBook, type RuleOwner } from '../../domain/pricing/rule-book.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import type { Finds } from '../../engines/together.ts';
import type { Clock } from '../../ports/process.ts';
import type { RuleBookStore } from '../../ports/vendors.ts';
import { storeWith } from '../store-entries.ts';
import { RULE_BOOKS, type RuleBookRow } from './rule-book-shape.ts';

/** Stores the pricing rules of each owner in one document, so that a price reads them by their key. */
export function createRuleBookStore(mongo: Mongo, clock: Clock, finds: Finds): RuleBookStore {
  const rows = mongo.collection(RULE_BOOKS);
  // Every quote and every create reads two of them.
  const read = finds(rows);
  return {
    find: async (owner) => {
      const row = await read(owner);
      return row === null ? emptyBook(owner) : bookOf(row);
    },
    replace: async ({ id, ...book }, version, entry) => {
      try {
        return await storeWith(mongo, clock, entry, async (options) => {
          if (version === 0) {
            await rows.insertOne({ _id: id, ...book }, options);
            return true;
          }
          const { matchedCount } = await rows.replaceOne({ _id: id, version }, book, options);
          return matchedCount > 0;
        });
      } catch (error) {
        // Somebody else made the first version. The caller reads it and decides again.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

function bookOf({ _id, ...book }: RuleBookRow): RuleBook {
  return { id: _id as RuleOwner, ...book };
}
