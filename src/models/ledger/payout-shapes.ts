import type { AuditActor } from '../../domain/audit.ts';
import { AUDITED_ACTORS } from '../../domain/audit.ts';
import type { PayoutId } from '../../domain/ids.ts';
import { flag, id, maybe, number, omissible, oneOf, part, text, whole64, word } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OUTGOING_STATES } from '../../money/payouts/outgoing.ts';
import type { Payout, PayoutBatch, PayoutBatchId } from '../../money/payouts/payout.ts';
import { GATEWAY_NAMES } from '../../money/gateways.ts';

/** A payout as stored. Rows that were stored before failures were counted have no `failures`. */
export type PayoutRow = Omit<Payout, 'id' | 'amount' | 'failures'> & {
  readonly _id: PayoutId;
  readonly amount: bigint;
  readonly failures?: number;
};
/** A batch that cannot be made is tried again from `retryAt` on. Batches that never failed have neither that nor `failures`. */
export type BatchRow = Omit<PayoutBatch, 'id' | 'amount' | 'failures'> & {
  readonly _id: PayoutBatchId;
  readonly amount: bigint;
  readonly failures?: number;
  readonly retryAt?: number;
};

/** The indexes of the lists, each newest first within a state. */
export const BY_BATCH = { batchId: 1, state: 1, _id: -1 } as const;
export const BY_EARNER = { courierId: 1, state: 1, _id: -1 } as const;
export const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;
/** The paid payouts of a gateway, for its reconciliation. */
export const PAID = { gateway: 1, liveMode: 1, updatedAt: 1, _id: 1 } as const;
export const DUE = { gateway: 1, liveMode: 1, dueAt: 1 } as const;
export const OPEN = { state: 1, createdAt: 1 } as const;

const CURRENCY = 'ISO 4217 code of the currency.';
const REQUESTED_BY = 'The caller who asked for the batch. They may approve none of its payouts.';
const actor = part<AuditActor>(
  {
    type: oneOf(AUDITED_ACTORS, 'The kind of caller.'),
    id: maybe(text('The member of staff, or the name of the service.')),
  },
  REQUESTED_BY,
);

export const PAYOUTS = shape<PayoutRow>({
  name: 'payouts',
  holds: 'Money on its way from the earnings of a courier to their bank account.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  indexes: [
    { key: BY_BATCH },
    { key: BY_EARNER },
    { key: BY_MODE },
    { key: PAID, partialFilterExpression: { state: 'paid' } },
    { key: DUE, partialFilterExpression: { dueAt: { $gt: 0 } } },
  ],
  fields: {
    _id: id('pay', 'The payout’s id, and the reference of the transfer at the gateway.'),
    batchId: word('The batch: its mode, its currency and its date.'),
    courierId: id('cou', 'The courier who is paid.'),
    liveMode: flag('The mode of the courier.'),
    currency: text(CURRENCY),
    amount: whole64('The amount, minor units.'),
    gateway: oneOf(GATEWAY_NAMES, 'The gateway that carries it out.'),
    state: oneOf(OUTGOING_STATES, 'Where the money is.'),
    sealedDetails: text('The bank account as it was when the payout was made, encrypted.'),
    last4: text('The last four characters of the number of the account.'),
    requestedBy: actor,
    approvedBy: maybe(
      id('stf', 'The second person, for a payout above the limit or of a suspended courier; null for none.'),
    ),
    resolvedBy: omissible(id('stf', 'The person who ended a payout that waited for one. Absent for none.')),
    reason: maybe(
      text(
        'Why it failed, came back, or needs or needed a person, or what the person who ended it wrote; null otherwise.',
      ),
    ),
    looks: number('How often the gateway was asked since the last change of the state.'),
    failures: omissible(number('How often the present look brought nothing. Absent for never.')),
    dueAt: maybe(number('When the server looks at it next, service time in ms; null for never.')),
    createdAt: number('When it was made, service time in ms.'),
    updatedAt: number('When its state changed last, service time in ms.'),
    version: number('Rises by one with each change.'),
  },
});

export const PAYOUT_BATCHES = shape<BatchRow>({
  name: 'payout_batches',
  holds: 'The payouts that were asked for together. There is one batch for each mode, currency and date.',
  kept: 'Always.',
  shardKey: null,
  indexes: [{ key: OPEN, partialFilterExpression: { state: 'making' } }],
  fields: {
    _id: word('The mode, the currency and the date.'),
    liveMode: flag('The mode of its couriers.'),
    currency: text(CURRENCY),
    date: text('The date that names it, YYYY-MM-DD.'),
    gateway: omissible(oneOf(GATEWAY_NAMES, 'The gateway that carries out its payouts. Absent in older batches.')),
    requestedBy: actor,
    state: oneOf(['making', 'made'], 'Whether all of its payouts were made.'),
    after: maybe(id('cou', 'The last courier who was looked at; null before the first.')),
    payouts: number('How many payouts were made.'),
    amount: whole64('Their sum, minor units.'),
    createdAt: number('When it was asked for, service time in ms.'),
    failures: omissible(number('How often its next page could not be made. Absent for never.')),
    retryAt: omissible(number('When a batch that failed is tried again, service time in ms. Absent for at once.')),
  },
});
