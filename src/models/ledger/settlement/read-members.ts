import type { mongo } from 'mongoose';
import type { Mongo } from '../../../engines/mongo.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import { EXACT } from '../../../engines/shapes/fields.ts';
import { amountOf } from '../../../money/amount.ts';
import { vendorAccount } from '../../../money/ledger/accounts.ts';
import { ENTRY_KIND_NAMES } from '../../../money/ledger/entries.ts';
import { addedChanges, type Changes, type Member } from '../../../money/settlement/statement.ts';
import type { MemberSpan } from '../../../ports/money/settlements.ts';
import { BY_LINK, BY_VENDOR, ENTRIES, type EntryRow } from '../ledger-shapes.ts';

/** How long each read of a period waits for the database: a period may have a million entries. */
const READ_MS = 60_000;
/** Entries of one answer of the database. */
const BATCH = 2000;

const KINDS = ['wallet', 'receivable', 'payable'] as const;
const NOTHING: Changes = { wallet: amountOf(0), receivable: amountOf(0), payable: amountOf(0) };
type Part = { readonly filter: mongo.Filter<EntryRow>; readonly hint: mongo.IndexSpecification };

/** See `SettlementStore`. The entries are read one after the other, and the database adds them up by itself. */
export async function readMembers(mongo: Mongo, span: MemberSpan, add: (member: Member) => void): Promise<Changes> {
  const parts = partsOf(span);
  if (parts.length === 0) return NOTHING;
  const entries = mongo.collection(ENTRIES);
  const own = new Map(KINDS.map((kind) => [vendorAccount(kind, span.vendorId, span.book) as string, kind]));
  const projection = { kind: 1, postings: 1, lines: 1 };
  return readConfirmed(
    mongo,
    async (options) => {
      let sums = NOTHING;
      for (const { filter, hint } of parts) {
        const found = entries.find(filter, { ...options, ...EXACT, hint, projection, batchSize: BATCH });
        for await (const row of found) add(memberOf(row, own));
        const added = entries.aggregate<{ readonly _id: string; readonly sum: bigint }>(
          [
            { $match: filter },
            { $unwind: '$postings' },
            { $match: { 'postings.account': { $in: [...own.keys()] } } },
            { $group: { _id: '$postings.account', sum: { $sum: '$postings.amount' } } },
          ],
          { ...options, ...EXACT, hint } as mongo.AggregateOptions,
        );
        for (const { _id, sum } of await added.toArray()) {
          const kind = own.get(_id);
          if (kind !== undefined) sums = addedChanges(sums, { ...NOTHING, [kind]: amountOf(sum) });
        }
      }
      return sums;
    },
    READ_MS,
  );
}

/** The entries of the period, and those of earlier ones that came late. No entry is in both. An empty part is left out. */
function partsOf({ vendorId, liveMode, book, from, to, after, upTo }: MemberSpan): readonly Part[] {
  const owner = { vendorId, liveMode, book };
  const inTime = { ...owner, kind: { $in: ENTRY_KIND_NAMES }, at: { $gte: from, $lt: to }, link: { $lte: upTo } };
  const late = { ...owner, link: { $gt: after, $lte: upTo }, at: { $lt: from } };
  return [
    ...(from < to ? [{ filter: inTime, hint: BY_VENDOR }] : []),
    ...(after < upTo ? [{ filter: late, hint: BY_LINK }] : []),
  ];
}

function memberOf(
  { kind, postings, lines = [] }: Pick<EntryRow, 'kind' | 'postings' | 'lines'>,
  own: ReadonlyMap<string, keyof Changes>,
): Member {
  let changes = NOTHING;
  for (const { account, amount } of postings) {
    const name = own.get(account);
    if (name !== undefined) changes = { ...changes, [name]: amountOf(amount) };
  }
  return {
    kind,
    changes,
    lines: lines.map(({ type, amount, tax }) => ({ type, amount: amountOf(amount), tax: amountOf(tax) })),
  };
}
