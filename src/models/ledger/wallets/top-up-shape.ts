import { ENDING } from '../../../engines/retention.ts';
import {
  date,
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
import { CHARGEBACK_CAUSES, CHARGEBACK_STATES, type Chargeback } from '../../../money/top-ups/chargeback.ts';
import { TOP_UP_REASONS, TOP_UP_STATES, type Checkout, type TopUp } from '../../../money/top-ups/top-up.ts';
import { OWNED } from '../../common-fields.ts';

type ChargebackRow = Omit<Chargeback, 'amount'> & { readonly amount: bigint };

/** A top-up as stored. `dueAt` is when somebody looks at its gateway next; left out once nobody has to. */
export type TopUpRow = Omit<TopUp, 'id' | 'amount' | 'chargebacks'> & {
  readonly _id: TopUp['id'];
  readonly amount: bigint;
  readonly chargebacks?: readonly ChargebackRow[];
  readonly looks: number;
  readonly dueAt?: number;
  readonly endsOn?: Date;
};

/** The indexes of the lists, each newest first within a state. */
export const BY_VENDOR = { vendorId: 1, liveMode: 1, state: 1, _id: -1 } as const;
export const BY_MODE = { liveMode: 1, state: 1, _id: -1 } as const;

/** The top-ups of a gateway and a mode that are due, so that neither waits for another one. */
export const DUE = { gateway: 1, liveMode: 1, dueAt: 1 } as const;

/** The paid top-ups of a gateway, for its reconciliation. */
export const PAID = { gateway: 1, liveMode: 1, createdAt: 1, _id: 1 } as const;

export const TOP_UPS = shape<TopUpRow>({
  name: 'top_ups',
  holds: 'Money that a vendor pays into its wallet through a payment gateway.',
  kept: 'Always, if money was paid. Otherwise `RETENTION_TOP_UPS_MS` after it ended.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [
    { key: DUE, partialFilterExpression: { dueAt: { $exists: true } } },
    { key: BY_VENDOR },
    { key: BY_MODE },
    { key: PAID, partialFilterExpression: { isPaid: true } },
    ENDING,
  ],
  fields: {
    _id: id('top', 'The top-up’s id, which is its reference at the gateway.'),
    vendorId: id('ven', 'The vendor whose wallet gets the money.'),
    liveMode: flag('The mode of the wallet.'),
    gateway: word('The payment gateway.'),
    amount: whole64('The amount, minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    returnUrl: maybe(text('Where the gateway sends the payer afterwards; null for a page of the gateway.')),
    state: oneOf(TOP_UP_STATES, 'Where the payment stands.'),
    reason: maybe(oneOf(TOP_UP_REASONS, 'Why it ended without a credit; null for none.')),
    isPaid: flag('Whether the gateway has reported a payment.'),
    checkout: maybe(
      part<Checkout>(
        { url: text('The page on which the payer pays.'), gatewayId: text('The gateway’s own id of the payment.') },
        'The payment at the gateway; null until it has answered.',
      ),
    ),
    paymentId: omissible(
      text('The gateway’s own id of the payment that is booked; left out for none, or if a page takes one payment.'),
    ),
    chargebacks: omissible(
      list(
        part<ChargebackRow>(
          {
            id: text('The gateway’s own id of it.'),
            cause: oneOf(CHARGEBACK_CAUSES, 'Why the gateway has taken the money back.'),
            state: oneOf(CHARGEBACK_STATES, 'Whether the money may come back, never does, or has come back.'),
            amount: whole64('The amount, minor units.'),
            currency: text('ISO 4217 code of its currency.'),
          },
          'Money that the gateway has taken back.',
        ),
        'Money of the payment that the gateway has taken back; left out for none.',
      ),
    ),
    createdAt: number('When it was made, service time in ms.'),
    expiresAt: number('From when the gateway accepts no payment, service time in ms.'),
    endedAt: maybe(number('When it ended, service time in ms; null while it is pending.')),
    looks: number('How often the gateway was asked since it last reported.'),
    dueAt: omissible(number('When the gateway is asked next, service time in ms; left out if nobody has to.')),
    endsOn: omissible(date('When the database may delete the row; left out if it stays.')),
  },
});
