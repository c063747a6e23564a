import { amountOf } from '../../money/amount.ts';
import type { TransferStatus } from '../../money/payouts/transfer.ts';
import type { Money } from './modes.ts';

/** How the sandbox treats a transfer or a refund. A field that is left out means the behaviour of a sound gateway. */
export type TransferMode = {
  readonly means: string;
  /** The first request to make the transfer gets this instead of an answer. The transfer is made all the same. */
  readonly opening?: 'unavailable' | 'silence';
  /** The transfer is refused and never exists. */
  readonly isRefused?: true;
  /** The states of the transfer, each from its age on. Without them it succeeds at once. */
  readonly states?: readonly { readonly fromMs: number; readonly status: TransferStatus; readonly reason?: string }[];
  /** The sandbox reports this instead of the amount that was sent. */
  readonly reports?: (sent: Money) => Money;
};

const MINUTE_MS = 60_000;

/**
 * The behaviours of transfers by the last two digits of the number of the bank account, because a test cannot choose the
 * amount of a payout. The behaviours of refunds by the last two digits of their amount.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const TRANSFER_MODES: Readonly<Record<string, TransferMode>> = {
  '01': { means: 'The transfer is refused.', isRefused: true },
  '07': { means: 'The sandbox reports one minor unit less than was sent.', reports: ({ amount, currency }) => ({ amount: amountOf(amount - 1), currency }) },
  '08': { means: 'The sandbox reports another currency.', reports: ({ amount, currency }) => ({ amount, currency: currency === 'USD' ? 'EUR' : 'USD' }) },
  '09': { means: 'The sandbox makes the transfer and answers 503 once.', opening: 'unavailable' },
  '10': { means: 'The sandbox makes the transfer and does not answer once.', opening: 'silence' },
  '11': { means: 'The transfer fails.', states: [{ fromMs: 0, status: 'failed', reason: 'account_closed' }] },
  '12': { means: 'The transfer succeeds and comes back a minute later.', states: [{ fromMs: 0, status: 'success' }, { fromMs: MINUTE_MS, status: 'reversed', reason: 'returned_by_bank' }] },
  '13': { means: 'The transfer needs a one-time password, which a person enters within a minute.', states: [{ fromMs: 0, status: 'needs_action', reason: 'otp_required' }, { fromMs: MINUTE_MS, status: 'success' }] },
  '14': { means: 'The transfer is pending for a minute.', states: [{ fromMs: 0, status: 'pending' }, { fromMs: MINUTE_MS, status: 'success' }] },
};

const SOUND: TransferMode = { means: 'The transfer succeeds.' };

/** The name of the behaviour for the number of a bank account. */
export function transferModeName(number: string): string {
  return number.slice(-2);
}

/** The name of the behaviour for the amount of a refund. */
export function refundModeName(amount: number): string {
  return String(amount % 100).padStart(2, '0');
}

/** The behaviour of this name. */
export function transferModeOf(name: string): TransferMode {
  return TRANSFER_MODES[name] ?? SOUND;
}

/** The state of a transfer of this age, ms. */
export function stateAt(
  { states }: TransferMode,
  ageMs: number,
): { readonly status: TransferStatus; readonly reason: string | null } {
  const state = states?.findLast(({ fromMs }) => fromMs <= ageMs);
  return { status: state?.status ?? 'success', reason: state?.reason ?? null };
}
