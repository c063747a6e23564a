import type { mongo } from 'mongoose';
import { isId, type DeliveryId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { amountOf } from '../../money/amount.ts';
import { TRANSACTION_KINDS, type Transaction } from '../../money/billing/transactions.ts';
import { kindOfAccount, type AccountKind } from '../../money/ledger/accounts.ts';
import type { TransactionFilter, TransactionStore } from '../../ports/money/billing.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import { ENTRIES, type EntryRow } from './ledger-shapes.ts';

const NEWEST_FIRST = { at: -1, id: -1 } as const;
const [WALLET, RECEIVABLE] = [/^wallet:/, /^receivable:/];
/** Earlier releases booked the end of a delivery that the platform alone pays as a charge. It moves no money of its vendor. */
const OF_VENDOR = { 'postings.account': { $in: [WALLET, RECEIVABLE] } };

/** Reads the entries of the ledger that vendors see. */
export function createTransactionStore(mongo: Mongo): TransactionStore {
  const entries = mongo.collection(ENTRIES);
  return {
    list: (filter, page) => list(entries, filter, page),
    find: async (id) => {
      const wanted = { id, vendorId: { $ne: null }, kind: { $in: [...TRANSACTION_KINDS] }, ...OF_VENDOR };
      const row = await entries.findOne(wanted, EXACT);
      return row === null ? null : transactionOf(row);
    },
    chargedAt: async (ids) => {
      const charges = { _id: { $in: ids.map((id) => `charge:${id}`) } };
      const rows = await entries.find(charges, { projection: { about: 1, at: 1 } }).toArray();
      return new Map(rows.map(({ about, at }) => [about as DeliveryId, at]));
    },
    firstAt: async (kinds, { vendorId, liveMode, book }) => {
      const wanted = { vendorId, liveMode, kind: { $in: [...kinds] }, book };
      const [row] = await entries
        .find(wanted, { projection: { at: 1 } })
        .sort({ at: 1, id: 1 })
        .limit(1)
        .toArray();
      return row?.at ?? null;
    },
  };
}

async function list(
  entries: mongo.Collection<EntryRow>,
  { vendorId, liveMode, kinds, book, direction, about, from, to }: TransactionFilter,
  { limit, after }: PageRequest,
): Promise<Page<Transaction>> {
  const wanted: mongo.Filter<EntryRow>[] = [{ vendorId, liveMode, kind: { $in: [...kinds] }, ...OF_VENDOR }];
  if (from !== undefined || to !== undefined) {
    wanted.push({ at: { $gte: from ?? 0, $lt: to ?? Number.MAX_SAFE_INTEGER } });
  }
  if (book !== undefined) wanted.push({ book });
  if (about !== undefined) wanted.push({ about });
  // Entries of most kinds all have one direction. The others are few.
  if (direction !== undefined) wanted.push(ofDirection(direction));
  const rows = await entries
    .find({ $and: [...wanted, rowsAfter(after, NEWEST_FIRST)] }, EXACT)
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(rows.map(transactionOf), limit, ({ at, id }) => ({ at, id }));
}

function ofDirection(direction: NonNullable<TransactionFilter['direction']>): mongo.Filter<EntryRow> {
  const out = { postings: { $elemMatch: { account: WALLET, amount: { $lt: 0n } } } };
  const onDebt = { postings: { $elemMatch: { account: RECEIVABLE, amount: { $lt: 0n } } } };
  return direction === 'debit' ? { $or: [out, onDebt] } : { $nor: [out, onDebt] };
}

/** The entry as its vendor sees it. */
function transactionOf({ id, kind, vendorId, liveMode, book, postings, lines = [], about, reason, at }: EntryRow) {
  const postingOn = (account: AccountKind) => postings.find((one) => kindOfAccount(one.account) === account);
  const [wallet, receivable] = [postingOn('wallet'), postingOn('receivable')];
  const transaction: Transaction = {
    id,
    kind,
    vendorId: vendorId as Transaction['vendorId'],
    liveMode,
    book,
    deliveryId: isId('del', about) ? about : null,
    wallet: amountOf(wallet?.amount ?? 0),
    owed: amountOf(-(receivable?.amount ?? 0n)),
    balance: wallet?.balance === undefined ? null : amountOf(wallet.balance),
    lines: lines.map(({ type, amount, tax }) => ({ type, amount: amountOf(amount), tax: amountOf(tax) })),
    reason,
    at,
  };
  return transaction;
}
