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
        'checkout.session.completed, .async_payment_succeeded, .async_payment_failed and .expired',
    ),
};

/** Reports a key of Stripe without the secret of its callbacks, or the other way round. */
export function halfStripe(given: Readonly<Record<string, string>>): string[] {
  const isHalf = (given['STRIPE_SECRET_KEY'] === undefined) !== (given['STRIPE_WEBHOOK_SECRET'] === undefined);
  return isHalf ? ['STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: set both to take top-ups with Stripe, or neither'] : [];
}
