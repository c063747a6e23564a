import { CHARGE_TYPES } from '../../domain/pricing/funds.ts';
import { amountOf, type Amount } from '../amount.ts';
import type { EntryKind, EntryLine } from '../ledger/entries.ts';

/** The parts of a statement. */
export const SECTIONS = ['order_values', 'charges', 'refunds', 'adjustments', 'top_ups'] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * Where entries of each kind stand; null if they only move money between accounts of the vendor, or name no vendor. A
 * delivery that the platform pays in full counts among the charges, and costs nothing there.
 */
// One row per line: this is a table.
// oxfmt-ignore
const SECTION_OF: Readonly<Record<EntryKind, Section | null>> = {
  order_value: 'order_values',
  charge:      'charges',
  platform_charge: 'charges',
  refund:      'refunds',
  adjustment:  'adjustments',
  top_up:      'top_ups',
  top_up_refund:        'top_ups',
  top_up_refund_return: 'top_ups',
  chargeback:        'top_ups',
  chargeback_return: 'top_ups',
  suspense_credit: 'top_ups',
  repayment:   null,
  settlement:  null,
  gateway_fee: null,
  suspense:    null,
  top_up_refund_paid: null,
  dispute:         null,
  dispute_end:     null,
  suspense_return: null,
  payout:        null,
  payout_paid:   null,
  payout_return: null,
};

/** What entries change on the accounts of a vendor, minor units. `receivable` falls by what is added to the debt. */
export type Changes = { readonly wallet: Amount; readonly receivable: Amount; readonly payable: Amount };
/** An entry of a statement. */
export type Member = { readonly kind: EntryKind; readonly changes: Changes; readonly lines: readonly EntryLine[] };

/** Entries, and the sum of what they change for the vendor; below 0 if they cost it something. */
export type SectionSum = { readonly section: Section; readonly count: number; readonly amount: Amount };
/** What was charged for one purpose. */
export type ChargeSum = {
  readonly type: EntryLine['type'];
  readonly count: number;
  readonly amount: Amount;
  readonly tax: Amount;
};

/** The entries of a period, added up. Amounts are minor units. */
export type Statement = {
  readonly entries: number;
  /** One for each section, in their order. */
  readonly sections: readonly SectionSum[];
  /** One for each purpose that was charged. */
  readonly charges: readonly ChargeSum[];
  /** What earlier settlements paid out in the period. */
  readonly paidOut: Amount;
  readonly changes: Changes;
};

/** Entries that are added up one after the other. Its memory does not grow with their number. */
export type Gathering = { add(member: Member): void; statement(): Statement };

const NONE = amountOf(0);

/** Adds up the entries of a statement. */
export function gatherStatement(): Gathering {
  const sections = new Map<Section, Omit<SectionSum, 'section'>>();
  const charges = new Map<EntryLine['type'], Omit<ChargeSum, 'type'>>();
  let [entries, paidOut, changes] = [0, NONE, { wallet: NONE, receivable: NONE, payable: NONE }];
  return {
    add: (member) => {
      entries += 1;
      changes = addedChanges(changes, member.changes);
      if (member.kind === 'settlement') paidOut = amountOf(paidOut - member.changes.payable);
      const section = SECTION_OF[member.kind];
      if (section !== null) {
        const { count, amount } = sections.get(section) ?? { count: 0, amount: NONE };
        sections.set(section, { count: count + 1, amount: amountOf(amount + totalOf(member.changes)) });
      }
      for (const { type, amount, tax } of section === 'charges' ? member.lines : []) {
        const sum = charges.get(type) ?? { count: 0, amount: NONE, tax: NONE };
        const added = { amount: amountOf(sum.amount + amount), tax: amountOf(sum.tax + tax) };
        charges.set(type, { count: sum.count + 1, ...added });
      }
    },
    statement: () => ({
      entries,
      sections: SECTIONS.map((section) => ({ section, ...(sections.get(section) ?? { count: 0, amount: NONE }) })),
      charges: CHARGE_TYPES.flatMap((type) => {
        const sum = charges.get(type);
        return sum === undefined ? [] : [{ type, ...sum }];
      }),
      paidOut,
      changes,
    }),
  };
}

/**
 * Says whether a statement agrees with the sums that the ledger itself has for its entries: account by account, and
 * section by section. The lines of charges must sum to what the charges cost.
 */
export function agreesWith({ sections, charges, changes }: Statement, ledger: Changes): boolean {
  const inSections = sections.reduce((sum, { amount }) => sum + amount, 0);
  const charged = charges.reduce((sum, { amount }) => sum + amount, 0);
  const cost = sections.find(({ section }) => section === 'charges')?.amount ?? 0;
  return (
    changes.wallet === ledger.wallet &&
    changes.receivable === ledger.receivable &&
    changes.payable === ledger.payable &&
    inSections === totalOf(ledger) &&
    charged + cost === 0
  );
}

/** The sum of the amounts of a section. */
export function sumOf({ sections }: Pick<Statement, 'sections'>, section: Section): Amount {
  return sections.find((one) => one.section === section)?.amount ?? NONE;
}

/** The sum of changes. */
export function addedChanges(one: Changes, other: Changes): Changes {
  return {
    wallet: amountOf(one.wallet + other.wallet),
    receivable: amountOf(one.receivable + other.receivable),
    payable: amountOf(one.payable + other.payable),
  };
}

function totalOf({ wallet, receivable, payable }: Changes): Amount {
  return amountOf(wallet + receivable + payable);
}
