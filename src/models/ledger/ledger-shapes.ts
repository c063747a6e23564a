import { CHARGE_TYPES } from '../../domain/pricing/funds.ts';
import type { CourierId, TransactionId, VendorId } from '../../domain/ids.ts';
import type { AccountId, Book } from '../../money/ledger/accounts.ts';
import { ENTRY_KIND_NAMES, type EntryKind, type EntryLine } from '../../money/ledger/entries.ts';
import type { HoldState } from '../../money/ledger/decide.ts';
import {
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  whole64,
  word,
} from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED } from '../common-fields.ts';

/**
 * An account with a floor. `available` is `posted` less `held` and `owed`, so that the database can check it. Rows from
 * before there were debts have no `owed`.
 */
export type AccountRow = {
  readonly _id: AccountId;
  readonly vendorId: VendorId | null;
  readonly liveMode: boolean;
  readonly book: Book;
  readonly posted: bigint;
  readonly held: bigint;
  readonly owed?: bigint;
  readonly available: bigint;
  readonly frozen?: boolean;
  readonly version: bigint;
};

/** A posting. `balance` is what the account has after it; absent for an account without a floor. */
export type PostingRow = { readonly account: AccountId; readonly amount: bigint; readonly balance?: bigint };

/** A part of a charge. */
export type LineRow = { readonly type: EntryLine['type']; readonly amount: bigint; readonly tax: bigint };

/** An entry. `_id` is the fact that it books. It is `due` until the chain has it, and has a `link` then. */
export type EntryRow = {
  readonly _id: string;
  readonly id: TransactionId;
  readonly kind: EntryKind;
  readonly vendorId: VendorId | null;
  /** The courier whose earnings it moves; absent for none. */
  readonly courierId?: CourierId;
  readonly liveMode: boolean;
  readonly book: Book;
  readonly postings: readonly PostingRow[];
  readonly lines?: readonly LineRow[];
  readonly about: string;
  readonly reason: string | null;
  readonly at: number;
  readonly due?: boolean;
  /** The number of the link of the chain that has it. Absent until then. */
  readonly link?: number;
};

/** Reserved money. `_id` is the fact that it is for. */
export type HoldRow = {
  readonly _id: string;
  readonly account: AccountId;
  readonly amount: bigint;
  readonly about: string;
  readonly state: HoldState;
  readonly captured: bigint;
  readonly entryKey: string | null;
  readonly at: number;
};

/** One link of the chain over many entries. `_id` is its number, from 1 without gaps. */
export type SealRow = { readonly _id: number; readonly entryIds: readonly string[]; readonly hash: string };

/** The sum that the sealed entries have posted to an account without a floor. */
export type TotalRow = { readonly _id: AccountId; readonly posted: bigint };

const ACCOUNT_ID = 'The account: its kind, its owner and its book.';
const BOOK = 'The mode and the currency. Money never moves between two books.';

const OWED = { $ifNull: ['$owed', 0] };

export const ACCOUNTS = shape<AccountRow>({
  name: 'ledger_accounts',
  holds: 'An account that never spends more than it has, such as the wallet of a vendor.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [],
  rule: {
    $and: [
      { $eq: ['$available', { $subtract: ['$posted', { $add: ['$held', OWED] }] }] },
      { $gte: ['$posted', '$held'] },
      { $gte: ['$held', 0] },
      { $gte: [OWED, 0] },
    ],
  },
  fields: {
    _id: word(ACCOUNT_ID),
    vendorId: maybe(id('ven', 'The vendor whose money it is; null for a courier.')),
    liveMode: flag('The mode of its book.'),
    book: word(BOOK),
    posted: whole64('The sum of its postings, minor units.'),
    held: whole64('The sum of its open holds, minor units.'),
    owed: omissible(whole64('The debt of its owner beside it, minor units. The next money pays it first.')),
    available: whole64('The money that may be spent, minor units: `posted` less `held` and `owed`.'),
    frozen: omissible(flag('True while nothing can be held of it. Absent otherwise.')),
    version: whole64('Rises by one with each group of changes.'),
  },
});

/** The indexes by which the entries of a vendor are read: newest first by kind, and by their link of the chain. */
export const BY_VENDOR = { vendorId: 1, liveMode: 1, kind: 1, at: -1, id: -1 } as const;
export const BY_LINK = { vendorId: 1, liveMode: 1, book: 1, link: 1, at: 1 } as const;

/** The key of the index by which a courier reads what they earned, newest first. */
export const BY_COURIER = { courierId: 1, at: -1, id: -1 } as const;

export const ENTRIES = shape<EntryRow>({
  name: 'ledger_entries',
  holds: 'One business fact that moved money. It never changes, except that it gets its link and stops being due.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, keys: ['_id', 'id'] },
  indexes: [
    { key: { due: 1, _id: 1 }, partialFilterExpression: { due: true } },
    { key: BY_VENDOR },
    { key: BY_LINK, partialFilterExpression: { link: { $gt: 0 } } },
    { key: { about: 1, at: -1, id: -1 } },
    { key: { id: 1 } },
    { key: BY_COURIER, partialFilterExpression: { courierId: { $exists: true } } },
  ],
  rule: {
    $and: [
      { $eq: [{ $sum: '$postings.amount' }, 0] },
      { $gte: [{ $size: '$postings' }, 2] },
      { $lte: [{ $size: '$postings' }, 12] },
      // The last part of each account is the book of the entry.
      {
        $allElementsTrue: {
          $map: {
            input: '$postings',
            as: 'posting',
            in: { $eq: [{ $arrayElemAt: [{ $split: ['$$posting.account', ':'] }, 2] }, '$book'] },
          },
        },
      },
    ],
  },
  fields: {
    _id: text('The fact that the entry books. No fact is booked twice.'),
    id: id('txn', 'The entry’s id.'),
    kind: oneOf(ENTRY_KIND_NAMES, 'Why the money moved.'),
    vendorId: maybe(id('ven', 'The vendor who sees the entry; null for none.')),
    courierId: omissible(id('cou', 'The courier whose earnings it moves. Absent for none.')),
    liveMode: flag('The mode of its book.'),
    book: word(BOOK),
    postings: list(
      part<PostingRow>(
        {
          account: word(ACCOUNT_ID),
          amount: whole64('The signed amount, minor units.'),
          balance: omissible(whole64('The balance of the account after it. Only accounts with a floor have one.')),
        },
        'One posting.',
      ),
      'The signed amounts of its accounts. Their sum is zero.',
    ),
    lines: omissible(
      list(
        part<LineRow>(
          {
            type: oneOf(CHARGE_TYPES, 'The purpose of the amount.'),
            amount: whole64('The part of the charge, minor units.'),
            tax: whole64('The tax in the amount, minor units.'),
          },
          'One part of the charge.',
        ),
        'The parts of the charge. Absent if the entry charges nothing.',
      ),
    ),
    about: text('The id of the object that it is about.'),
    reason: maybe(text('The reason that a person gave; null for none.')),
    at: number('When it was booked, service time in ms.'),
    due: omissible(flag('True until the chain has the entry.')),
    link: omissible(number('The number of the link of the chain that has the entry. Absent until then.')),
  },
});

export const HOLDS = shape<HoldRow>({
  name: 'ledger_holds',
  holds: 'Money of an account that is reserved for one fact until it is captured or voided.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  indexes: [{ key: { state: 1, account: 1 }, partialFilterExpression: { state: 'open' } }],
  fields: {
    _id: text('The fact that the hold is for.'),
    account: word(ACCOUNT_ID),
    amount: whole64('The amount that was reserved, minor units.'),
    about: text('The id of the object that it is about.'),
    state: oneOf(['open', 'captured', 'voided'], 'Whether the money is still reserved.'),
    captured: whole64('The amount that was captured of it, minor units.'),
    entryKey: maybe(text('The entry that captured it; null for none.')),
    at: number('When it was made, service time in ms.'),
  },
});

export const SEALS = shape<SealRow>({
  name: 'ledger_seals',
  holds: 'One link of the chain over all entries, by which a changed or removed entry shows.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  indexes: [],
  fields: {
    _id: number('The number of the link, from 1 without gaps.'),
    entryIds: list(text('An entry.'), 'The entries of the link in their order.'),
    hash: text('SHA-256 of the hash before it and the entries, in hex.'),
  },
});

export const TOTALS = shape<TotalRow>({
  name: 'ledger_totals',
  holds: 'The balance of an account without a floor, as far as its entries are in the chain.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  indexes: [],
  fields: { _id: word(ACCOUNT_ID), posted: whole64('The sum of its postings, minor units.') },
});
