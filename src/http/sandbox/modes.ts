import { amountOf, type Amount } from '../../money/amount.ts';

export type Money = { readonly amount: Amount; readonly currency: string };

/** How the sandbox treats a payment. A field that is left out means the behaviour of a sound gateway. */
export type Mode = {
  readonly means: string;
  /** The first request to open the payment gets this instead of an answer. The payment is made all the same. */
  readonly opening?: 'unavailable' | 'silence' | 'paid first';
  readonly outcome?: 'declined';
  /** The payer pays this instead of the amount that was asked for. */
  readonly pays?: (asked: Money) => Money;
  /** How many callbacks follow a result: 1 by default. */
  readonly callbacks?: number;
  readonly callbackDelayMs?: number;
  readonly signature?: 'wrong';
  /** The steps of a dispute, each from this time after the payment on. The first one takes the whole payment back. */
  readonly dispute?: readonly { readonly fromMs: number; readonly status: DisputeStatus }[];
};

export type DisputeStatus = 'under_review' | 'lost' | 'won';

const MINUTE_MS = 60_000;

/** The behaviours by the last two digits of the amount in minor units. */
// One row per line: this is a table.
// oxfmt-ignore
export const MODES: Readonly<Record<string, Mode>> = {
  '01': { means: 'The payment is declined.', outcome: 'declined' },
  '02': { means: 'The callback comes 30 s late.', callbackDelayMs: 30_000 },
  '03': { means: 'The callback comes twice.', callbacks: 2 },
  '04': { means: 'The payer has paid, and the callback comes, before the sandbox answers that it has made the payment.', opening: 'paid first' },
  '05': { means: 'The callback never comes.', callbacks: 0 },
  '06': { means: 'All callbacks have a wrong signature.', signature: 'wrong' },
  '07': { means: 'The payer pays one minor unit less than asked.', pays: ({ amount, currency }) => ({ amount: amountOf(amount - 1), currency }) },
  '08': { means: 'The payer pays in another currency.', pays: ({ amount, currency }) => ({ amount, currency: currency === 'USD' ? 'EUR' : 'USD' }) },
  '09': { means: 'The sandbox makes the payment and answers 503 once.', opening: 'unavailable' },
  '10': { means: 'The sandbox makes the payment and does not answer once.', opening: 'silence' },
  '15': { means: 'The payment succeeds. A minute later the bank of the payer takes the money back for good.', dispute: [{ fromMs: MINUTE_MS, status: 'lost' }] },
  '16': { means: 'The payment succeeds. A minute later the bank of the payer takes the money back, and after another minute it returns it.', dispute: [{ fromMs: MINUTE_MS, status: 'under_review' }, { fromMs: 2 * MINUTE_MS, status: 'won' }] },
};

const SOUND: Mode = { means: 'The payment succeeds.' };

/** The behaviour for an amount. */
export function modeOf(amount: Amount): Mode {
  return MODES[String(amount % 100).padStart(2, '0')] ?? SOUND;
}
