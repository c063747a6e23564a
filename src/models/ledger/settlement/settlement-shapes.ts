import { CHARGE_TYPES } from '../../../domain/pricing/funds.ts';
import { SETTLEMENT_CYCLES } from '../../../domain/vendors/vendor.ts';
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
} from '../../../engines/shapes/fields.ts';
import { shape } from '../../../engines/shapes/shape.ts';
import type { Book } from '../../../money/ledger/accounts.ts';
import type { Period } from '../../../money/settlement/periods.ts';
import { SETTLEMENT_STATES, type Settlement, type SettlementAccount } from '../../../money/settlement/settlement.ts';
import {
  SECTIONS,
  type Changes,
  type ChargeSum,
  type SectionSum,
  type Statement,
} from '../../../money/settlement/statement.ts';
import { OWNED, type Exact } from '../../common-fields.ts';

export type SectionRow = Exact<SectionSum, 'amount'>;
export type ChargeRow = Exact<ChargeSum, 'amount' | 'tax'>;
export type ChangesRow = Exact<Changes, keyof Changes>;
export type StatementRow = Omit<Exact<Statement, 'paidOut'>, 'sections' | 'charges' | 'changes'> & {
  readonly sections: readonly SectionRow[];
  readonly charges: readonly ChargeRow[];
  readonly changes: ChangesRow;
};

/** A settlement. `_id` is the vendor, the book, the cycle and the date. */
export type SettlementRow = Omit<
  Exact<Settlement, 'carriedIn' | 'amount' | 'carriedOut'>,
  'currency' | 'period' | 'statement' | 'failures'
> &
  Period & {
    readonly _id: string;
    readonly book: Book;
    readonly statement: StatementRow;
    /** Missing in rows of earlier servers, which means 0. */
    readonly failures?: number;
  };

/** The open period of a vendor. `_id` is the vendor and the book. */
export type SettlementAccountRow = Omit<Exact<SettlementAccount, 'carried'>, 'period'> &
  Period & { readonly _id: string };

const NEWEST_FIRST = { from: -1, id: -1 } as const;
/** The indexes of the lists, the latest period first. */
export const BY_OWNER = { vendorId: 1, liveMode: 1, cycle: 1, ...NEWEST_FIRST } as const;
export const BY_MODE = { liveMode: 1, cycle: 1, ...NEWEST_FIRST } as const;
export const PAYING_BY_OWNER = { vendorId: 1, liveMode: 1, ...NEWEST_FIRST } as const;
/** Those that pay something. */
const PAYING = { amount: { $gt: 0 } } as const;
export const DUE = { dueAt: 1 } as const;

const PERIOD = {
  cycle: oneOf(SETTLEMENT_CYCLES, 'How long the period lasts.'),
  zone: text('IANA time zone of the cut-offs.'),
  from: number('When the period began, service time in ms.'),
  to: number('When the period ended, service time in ms.'),
  date: text('The last date of the period, YYYY-MM-DD.'),
};
const OWNER = {
  vendorId: id('ven', 'The vendor.'),
  liveMode: flag('The mode of its book.'),
  book: word<Book>('The mode and the currency.'),
} as const;
const count = number('The entries, or the charges, of which it is the sum.');

const statement = part<StatementRow>(
  {
    entries: number('The entries of the ledger that it adds up.'),
    sections: list(
      part<SectionRow>(
        {
          section: oneOf(SECTIONS, 'The kind of its entries.'),
          count,
          amount: whole64('The gain of the vendor by them, minor units.'),
        },
        'One section.',
      ),
      'The sums by kind of entry.',
    ),
    charges: list(
      part<ChargeRow>(
        {
          type: oneOf(CHARGE_TYPES, 'The purpose of the charges.'),
          count,
          amount: whole64('Their sum with tax, minor units.'),
          tax: whole64('The tax in them, minor units.'),
        },
        'One purpose.',
      ),
      'The lines of the charges, added up by purpose.',
    ),
    paidOut: whole64('The amount that earlier settlements paid out in the period, minor units.'),
    changes: part<ChangesRow>(
      {
        wallet: whole64('The change of the wallet, minor units.'),
        receivable: whole64('The change of the account of debts, minor units. A new debt is below zero.'),
        payable: whole64('The change of what is owed to the vendor, minor units.'),
      },
      'The changes by account, which the ledger confirms.',
    ),
  },
  'The entries of the period, added up.',
);

export const SETTLEMENTS = shape<SettlementRow>({
  name: 'settlements',
  holds: 'The statement of a period of a vendor, and its payment.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, keys: ['_id', 'id'] },
  indexes: [
    { key: { id: 1 } },
    { key: BY_OWNER },
    { key: BY_MODE },
    { key: PAYING_BY_OWNER, partialFilterExpression: PAYING },
    { key: DUE, partialFilterExpression: { dueAt: { $gt: 0 } } },
  ],
  fields: {
    _id: text('The vendor, the book, the cycle and the date. No period is settled twice.'),
    id: id('stl', 'The id of the settlement.'),
    ...OWNER,
    ...PERIOD,
    links: part<Settlement['links']>(
      {
        after: number('The newest link of the chain that the statement before has read.'),
        upTo: number('The newest link that this statement has read.'),
      },
      'The high-water marks. Entries in later links belong to later statements.',
    ),
    statement,
    carriedIn: whole64('The order values that were not paid before, minor units.'),
    amount: whole64('The amount that it pays, minor units; 0 for none.'),
    carriedOut: whole64('The order values that are not paid after it, minor units.'),
    state: oneOf(SETTLEMENT_STATES, 'Whether it is paid.'),
    approvedBy: maybe(id('stf', 'The member of staff who approved it; null for none.')),
    dueAt: maybe(
      number('When the server pays it, or reports a draft that still waits. Service time in ms; null for never.'),
    ),
    failures: omissible(number('How often it could not be paid.')),
    createdAt: number('When it was made, service time in ms.'),
    updatedAt: number('When its state changed last, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});

export const SETTLEMENT_ACCOUNTS = shape<SettlementAccountRow>({
  name: 'settlement_accounts',
  holds: 'A vendor with money in one book, and its open period.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: DUE }],
  fields: {
    _id: text('The vendor and the book.'),
    ...OWNER,
    ...PERIOD,
    link: number('The newest link of the chain that earlier statements have read.'),
    carried: whole64('The order values that no settlement has paid, minor units; may be below zero.'),
    dueAt: number('When the period is settled, or when the server tries again. Service time in ms.'),
    failures: number('How often the period could not be settled.'),
    version: number('Rises by one with each period.'),
  },
});
