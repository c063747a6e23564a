import type { Context } from '../../ports/context.ts';
import type { SandboxPayment } from '../../ports/money/sandbox.ts';
import { modeOf } from './modes.ts';

type Needs = Pick<Context, 'clock' | 'sandbox'>;

/** The choice of the payer on the page. */
export type Wish = 'pay' | 'decline';

/** Gives an open payment its result, and makes its callbacks due. Changes nothing if it has one or has expired. */
export async function resolvePayment({ clock, sandbox }: Needs, payment: SandboxPayment, wish: Wish): Promise<void> {
  const now = clock.now();
  if (payment.status !== 'open' || now >= payment.expiresAt) return;
  const { reference, amount, currency } = payment;
  const { outcome, pays = (asked) => asked, callbacks = 1, callbackDelayMs = 0 } = modeOf(amount);
  const isPaid = wish === 'pay' && outcome !== 'declined';
  const result = isPaid
    ? ({ status: 'paid', paid: pays({ amount, currency }) } as const)
    : ({ status: 'declined', paid: null } as const);
  await sandbox.resolve(reference, result, { count: callbacks, dueAt: now + callbackDelayMs });
}
