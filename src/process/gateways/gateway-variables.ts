import { z } from 'zod';

/** The environment variables of payment gateways. */
export const GATEWAY_VARIABLES = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(test|live)_\w{10,}$/, 'must be a secret or restricted key of Stripe, such as sk_live_…')
    .exactOptional()
    .describe(
      'Secret. The key of an account at Stripe, which takes top-ups in the mode of the key. It needs STRIPE_WEBHOOK_SECRET',
    ),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w{10,}$/, 'must be the signing secret of an endpoint at Stripe, which begins with whsec_')
    .exactOptional()
    .describe(
      'Secret. Checks the callbacks of Stripe. Register BASE_URL/gateways/stripe/callbacks at Stripe for the events ' +
        'checkout.session.completed, .async_payment_succeeded, .async_payment_failed and .expired, charge.dispute.*, ' +
        'charge.refunded, charge.refund.updated and refund.*. Without the last ones the server does not see that Stripe ' +
        'has taken money back',
    ),
  PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_\w{10,}$/, 'must be a secret key of Paystack, such as sk_live_…')
    .exactOptional()
    .describe(
      'Secret. The key of an account at Paystack, which takes top-ups and pays couriers in the mode of the key. Paystack signs ' +
        'its callbacks with it too. Register BASE_URL/gateways/paystack/callbacks there. Turn off the confirmation of transfers ' +
        'there, or each payout waits for a person. Before you use a live key, make one refund in test mode, and check that it is ' +
        'not booked as a chargeback as well',
    ),
  FLUTTERWAVE_SECRET_KEY: z
    .string()
    .regex(/^FLWSECK(_TEST)?-[\w-]{10,}$/, 'must be a secret key of Flutterwave, such as FLWSECK-…')
    .exactOptional()
    .describe(
      'Secret. The key of an account at Flutterwave, which takes top-ups and pays couriers in the mode of the key. It needs ' +
        'FLUTTERWAVE_WEBHOOK_SECRET. For payouts, allow transfers by the API and the addresses of this server there',
    ),
  FLUTTERWAVE_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'must have 16 to 256 visible ASCII characters')
    .exactOptional()
    .describe(
      'Secret. The secret hash that you enter at Flutterwave, which proves its callbacks. Register ' +
        'BASE_URL/gateways/flutterwave/callbacks there',
    ),
};

/** The variables of a gateway that needs several, with its name. */
const PAIRS = [
  { gateway: 'Stripe', names: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] },
  { gateway: 'Flutterwave', names: ['FLUTTERWAVE_SECRET_KEY', 'FLUTTERWAVE_WEBHOOK_SECRET'] },
] as const;

/** Reports gateways of which only a part of the variables is set. */
export function halfGateways(given: Readonly<Record<string, string>>): string[] {
  return PAIRS.flatMap(({ gateway, names }) => {
    const set = names.filter((name) => given[name] !== undefined);
    const isHalf = set.length > 0 && set.length < names.length;
    return isHalf ? [`${names.join(', ')}: set both to take top-ups with ${gateway}, or neither`] : [];
  });
}
