import type { PayoutId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import {
  EXACT,
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
import { amountOf } from '../../money/amount.ts';
import {
  SUBJECTS,
  UNMATCHED_CAUSES,
  type Reconciliation,
  type Subject,
  type Unmatched,
} from '../../money/reconcile/reconciliation.ts';
import { GATEWAY_NAMES } from '../../money/gateways.ts';
import type { ReconciliationStore } from '../../ports/money/reconciliations.ts';

type UnmatchedRow = Omit<Unmatched, 'amount' | 'payoutId'> & {
  readonly amount: bigint | null;
  readonly payoutId?: PayoutId;
};
type FeeRow = { readonly currency: string; readonly amount: bigint };
/** A comparison as stored. A row without a subject compared payments, and one without fees booked none. */
export type ReconciliationRow = Omit<Reconciliation, 'id' | 'subject' | 'unmatched' | 'fees' | 'feesUnknown'> & {
  readonly subject?: Subject;
  readonly fees?: readonly FeeRow[];
  readonly feesUnknown?: number;
  readonly _id: Reconciliation['id'];
  readonly isClean: boolean;
  readonly unmatched: readonly UnmatchedRow[];
};

const BY_DATE = { isClean: 1, from: -1, _id: -1 } as const;
const LATEST_FIRST = { from: -1, _id: -1 } as const;

export const RECONCILIATIONS = shape<ReconciliationRow>({
  name: 'reconciliations',
  holds: 'The comparison of a gateway with the ledger, for a mode, a date and a subject.',
  kept: 'Always.',
  shardKey: null,
  indexes: [{ key: BY_DATE }],
  fields: {
    _id: word('The gateway, the mode, the date and the subject, unless that is payments.'),
    subject: omissible(
      oneOf(SUBJECTS, 'The kind of money that was compared; left out in older rows, which compared payments.'),
    ),
    gateway: oneOf(GATEWAY_NAMES, 'The payment gateway.'),
    liveMode: flag('The mode of the money.'),
    date: text('The UTC date on which the payments were begun, or the transfers made, YYYY-MM-DD.'),
    from: number('When that date began, service time in ms.'),
    isClean: flag('Whether all is matched.'),
    matched: number('How many payments or transfers the gateway and the ledger have alike.'),
    oursOnly: number('How many only the ledger has.'),
    theirsOnly: number('How many the ledger does not have like the gateway.'),
    unmatched: list(
      part<UnmatchedRow>(
        {
          side: oneOf(['ours', 'theirs'], 'The side that has it.'),
          why: oneOf(UNMATCHED_CAUSES, 'The reason why it is not matched.'),
          topUpId: maybe(id('top', 'The top-up that it names; null for none of ours.')),
          payoutId: omissible(id('pay', 'The payout that it names; left out for none of ours.')),
          gatewayId: maybe(text('Its name at the gateway; null if the gateway does not list it.')),
          amount: maybe(whole64('The amount, minor units; null if the gateway says a part of a minor unit.')),
          currency: text('ISO 4217 code of the currency.'),
        },
        'A payment or a transfer that is not matched.',
      ),
      'The first that are not matched.',
    ),
    fees: omissible(
      list(
        part<FeeRow>(
          { currency: text('ISO 4217 code of the currency.'), amount: whole64('The sum, minor units.') },
          'The fees of one currency.',
        ),
        'The fees that the gateway kept of matched payments; left out in older rows.',
      ),
    ),
    feesUnknown: omissible(number('How many matched payments have a fee that is not known; left out in older rows.')),
    runs: number('How often the comparison was made.'),
    ranAt: number('When it was made last, service time in ms.'),
    dueAt: maybe(number('When it is made again, service time in ms; null for never.')),
  },
});

/** Comparisons in MongoDB. */
export function createReconciliationStore(mongo: Mongo): ReconciliationStore {
  const rows = mongo.collection(RECONCILIATIONS);
  return {
    find: async (wanted) => {
      const row = await rows.findOne({ _id: wanted }, EXACT);
      return row === null ? null : reconciliationOf(row);
    },
    put: async (reconciliation) => {
      const { _id, ...row } = rowOf(reconciliation);
      await rows.replaceOne({ _id }, row, { upsert: true });
    },
    list: async ({ isClean }, { limit, after }) => {
      const wanted = { isClean: { $in: isClean === undefined ? [true, false] : [isClean] } };
      const found = rows.find({ ...wanted, ...rowsAfter(after, LATEST_FIRST) }, { ...EXACT, hint: BY_DATE });
      const page = (
        await found
          .sort(LATEST_FIRST)
          .limit(limit + 1)
          .toArray()
      ).map(reconciliationOf);
      return pageOf(page, limit, (last) => ({ at: last.from, id: last.id }));
    },
  };
}

function rowOf({ id: _id, unmatched, fees, ...rest }: Reconciliation): ReconciliationRow {
  const isClean = rest.oursOnly + rest.theirsOnly === 0;
  const feeRows = fees.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
  return { _id, ...rest, isClean, fees: feeRows, unmatched: unmatched.map(unmatchedRowOf) };
}

function unmatchedRowOf({ amount, payoutId, ...one }: Unmatched): UnmatchedRow {
  return { ...one, ...(payoutId === null ? {} : { payoutId }), amount: amount === null ? null : BigInt(amount) };
}

function reconciliationOf({
  _id,
  isClean: _isClean,
  subject = 'payments',
  fees = [],
  feesUnknown = 0,
  unmatched,
  ...rest
}: ReconciliationRow): Reconciliation {
  const sums = fees.map(({ currency, amount }) => ({ currency, amount: amountOf(amount) }));
  return { id: _id, subject, ...rest, fees: sums, feesUnknown, unmatched: unmatched.map(unmatchedOf) };
}

function unmatchedOf({ amount, payoutId, ...one }: UnmatchedRow): Unmatched {
  return { ...one, payoutId: payoutId ?? null, amount: amount === null ? null : amountOf(amount) };
}
