import type { Context } from '../../ports/context.ts';
import type { SandboxPayment } from '../../ports/money/sandbox.ts';
import { noticesOf } from './disputes.ts';
import { modeOf } from './modes.ts';

type Needs = Pick<Context, 'clock' | 'sandbox'>;

/** The choice of the payer on the page. */
export type Wish = 'pay' | 'decline';

/** Gives an open payment its result, and makes its callbacks due. Changes nothing if it has one or has expired. */
export async function resolvePayment({ clock, sandbox }: Needs, payment: SandboxPayment, wish: Wish): Promise<void> {
  const now = clock.now();
  if (payment.status !== 'open' || now >= payment.expiresAt) return;
  const { reference, amount, currency } = payment;
  const { outcome, pays = (asked) => asked } = modeOf(amount);
  const isPaid = wish === 'pay' && outcome !== 'declined';
  const result = isPaid
    ? ({ status: 'paid', paid: pays({ amount, currency }), resolvedAt: now } as const)
    : ({ status: 'declined', paid: null, resolvedAt: now } as const);
  const notices = noticesOf({ ...payment, ...result });
  await sandbox.resolve(reference, result, { count: notices.length, dueAt: notices[0]?.dueAt ?? now });
}
