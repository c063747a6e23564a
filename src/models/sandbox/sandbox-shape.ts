import { ENDING } from '../../engines/retention.ts';
import { date, maybe, number, omissible, oneOf, part, text, whole64 } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { SANDBOX_STATUSES, type SandboxPayment } from '../../ports/money/sandbox.ts';

type Paid = { readonly amount: bigint; readonly currency: string };

/** A payment at the sandbox as stored. `noticeAt` is when its next callback is sent; left out if none is due. */
export type SandboxRow = Omit<SandboxPayment, 'reference' | 'amount' | 'paid'> & {
  readonly _id: string;
  readonly amount: bigint;
  readonly paid: Paid | null;
  readonly tries: number;
  readonly noticeAt?: number;
  readonly endsOn: Date;
};

/** The payments of a status, the oldest first. */
export const BY_STATUS = { status: 1, createdAt: 1, _id: 1 } as const;

export const SANDBOX_PAYMENTS = shape<SandboxRow>({
  name: 'sandbox_payments',
  holds: 'A payment of play money at the sandbox gateway.',
  kept: '`RETENTION_TOP_UPS_MS` after it was made.',
  shardKey: { _id: 'hashed' },
  indexes: [
    { key: { noticeAt: 1 }, partialFilterExpression: { noticeAt: { $exists: true } } },
    { key: BY_STATUS },
    ENDING,
  ],
  fields: {
    _id: text('The reference that the sandbox was given.'),
    amount: whole64('The amount that was asked for, minor units.'),
    currency: text('ISO 4217 code of the currency.'),
    returnUrl: maybe(text('Where the payer goes afterwards; null for nowhere.')),
    status: oneOf(SANDBOX_STATUSES, 'Whether somebody has paid.'),
    paid: maybe(
      part<Paid>(
        { amount: whole64('The amount, minor units.'), currency: text('ISO 4217 code of the currency.') },
        'The money that was paid; null until then.',
      ),
    ),
    createdAt: number('When it was made, service time in ms.'),
    expiresAt: number('From when nobody can pay, service time in ms.'),
    resolvedAt: omissible(number('When it was paid or declined, service time in ms. Absent before.')),
    notices: number('How many callbacks are still to be sent.'),
    tries: number('How often the present callback was tried.'),
    noticeAt: omissible(number('When the next callback is sent, service time in ms; left out if none is due.')),
    endsOn: date('When the database may delete the row.'),
  },
});
