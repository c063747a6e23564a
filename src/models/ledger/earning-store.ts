import type { CourierId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { courierAccount, kindOfAccount, type AccountId } from '../../money/ledger/accounts.ts';
import type { EarningKind } from '../../money/ledger/entries.ts';
import type { Earning, EarningStore } from '../../ports/money/earnings.ts';
import { ACCOUNTS, BY_COURIER, ENTRIES, type EntryRow } from './ledger-shapes.ts';

const NEWEST_FIRST = { at: -1, id: -1 } as const;
/** Books of one courier in one read. */
const MOST_BOOKS = 100;

/** Reads what couriers have earned from the entries and accounts of the ledger. */
export function createEarningStore(mongo: Mongo): EarningStore {
  const [entries, accounts] = [mongo.collection(ENTRIES), mongo.collection(ACCOUNTS)];
  return {
    list: async (courierId, span, { limit, after }) => {
      const within = span === null ? [] : [{ at: { $gte: span.from, $lt: span.to } }];
      const rows = await entries
        .find({ $and: [{ courierId }, ...within, rowsAfter(after, NEWEST_FIRST)] }, { ...EXACT, hint: BY_COURIER })
        .sort(NEWEST_FIRST)
        .limit(limit + 1)
        .toArray();
      return pageOf(rows.map(earningOf), limit, ({ at, id }) => ({ at, id }));
    },
    balances: async (courierId) => {
      const rows = await accounts
        .find({ _id: { $gte: firstOf(courierId), $lt: lastOf(courierId) } }, { ...EXACT, hint: '_id_' })
        .sort({ _id: 1 })
        .limit(MOST_BOOKS)
        .toArray();
      return rows.map(({ book, available }) => ({ book, amount: amountOf(available) }));
    },
    listAtLeast: async ({ liveMode, amount, after }, limit) => {
      const from = after === null ? FIRST : courierAccount('earnings', after.courierId, after.book);
      const rows = await accounts
        .find(
          { _id: { $gt: from, $lt: LAST }, liveMode, available: { $gte: BigInt(amount) } },
          { ...EXACT, hint: '_id_' },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id, book, available }) => ({
        courierId: _id.slice(FIRST.length, _id.lastIndexOf(':')) as CourierId,
        book,
        amount: amountOf(available),
      }));
    },
  };
}

function earningOf({ id, kind, book, postings, lines = [], about, reason, at }: EntryRow): Earning {
  const own = postings.find(({ account }) => kindOfAccount(account) === 'earnings');
  const tip = lines.filter(({ type }) => type === 'tip').reduce((sum, { amount }) => sum + amount, 0n);
  return {
    id,
    // Only entries of these kinds name a courier.
    kind: kind as EarningKind,
    book,
    amount: amountOf(own?.amount ?? 0),
    tip: amountOf(tip),
    balance: amountOf(own?.balance ?? 0),
    about,
    reason,
    at,
  };
}

/** The ends of the ids of all accounts of earnings. */
const [FIRST, LAST] = ['earnings:' as AccountId, 'earnings;' as AccountId];

/** The lower end of the ids of all accounts of earnings of a courier. */
function firstOf(courierId: CourierId): AccountId {
  return `earnings:${courierId}:` as AccountId;
}

/** The upper end: the sign after the colon is the semicolon. */
function lastOf(courierId: CourierId): AccountId {
  return `earnings:${courierId};` as AccountId;
}
