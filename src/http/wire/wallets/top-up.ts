import { z } from 'zod';
import { CurrencyBody } from '../currency.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { explainCodes } from '../../../domain/views/reason-words.ts';
import { WebUrl } from '../../../domain/text.ts';
import { amountOf } from '../../../money/amount.ts';
import { CHARGEBACK_CAUSES, CHARGEBACK_STATES } from '../../../money/top-ups/chargeback.ts';
import { pageQuery } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { CHARGEBACK_WORDS, TOP_UP_WORDS } from '../reason-words.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import { TOP_UP_REASONS, TOP_UP_STATES, type TopUp } from '../../../money/top-ups/top-up.ts';

/** A web page, without a user name or a password. */
const ReturnUrl = WebUrl.refine(
  (text) => !/^https?:\/\/[^/?#]*@/.test(text),
  'must not have a user name or a password',
);

/** The most that an operator can allow, minor units. */
export const MOST_TOPPED_UP = 1_000_000_000_000;

export const TopUpBody = z
  .strictObject({
    amount: z
      .int()
      .min(1)
      .max(MOST_TOPPED_UP)
      .describe(
        'The amount to pay, minor units, at most 10^12. The operator may have set a lower limit, 100000000 by default',
      ),
    currency: CurrencyBody.exactOptional().describe(
      'ISO 4217 code. It must be the currency of the account, which is also the default',
    ),
    gateway: z
      .enum(GATEWAY_NAMES)
      .exactOptional()
      .describe('The payment gateway. Without it, the server takes its preferred one for the mode of the key'),
    return_url: ReturnUrl.exactOptional().describe(
      'The web page to which the gateway sends the payer afterwards, at most 2048 characters. It proves nothing about the payment',
    ),
  })
  .transform(({ amount, currency = null, gateway = null, return_url: returnUrl = null }) => ({
    amount: amountOf(amount),
    currency,
    gateway,
    returnUrl,
  }));

/** Vendors list their own top-ups. Staff list all of them, or those of a vendor or of a mode. */
export const TopUpListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(TOP_UP_STATES).exactOptional().describe('Only top-ups of this state'),
  vendor_id: idSchema('ven').exactOptional().describe('For staff: only top-ups of this vendor. Vendors leave it out'),
  live_mode: PlatformListQuery.shape.live_mode.describe(
    'For staff: true lists live top-ups only, false test ones only',
  ),
});

const time = z.iso.datetime();

const ChargebackView = z.strictObject({
  id: z.string().describe('The gateway’s own id of the dispute or the refund'),
  cause: z.enum(CHARGEBACK_CAUSES).describe(explainCodes('Why the money went back', CHARGEBACK_WORDS)),
  status: z
    .enum(CHARGEBACK_STATES)
    .describe('`open` may still come back, `final` does not, and `returned` has come back'),
  amount: z.int().min(1).describe('The amount, minor units'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency'),
});

export const TopUpView = z.strictObject({
  object: z.literal('top_up').describe('The kind of object'),
  id: idSchema('top').describe('The id of the top-up'),
  vendor_id: idSchema('ven').describe('The vendor whose wallet gets the money'),
  reference: z
    .string()
    .describe(
      'The reference of the payment at the gateway. It is the id, which Paystack shows with a hyphen for the underscore',
    ),
  status: z.enum(TOP_UP_STATES).describe('Where the payment stands. Only `succeeded` has changed the balance'),
  reason: z
    .enum(TOP_UP_REASONS)
    .nullable()
    .describe(explainCodes('Why it ended without a credit; null for none', TOP_UP_WORDS)),
  amount: z.int().min(1).describe('The amount, minor units'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency'),
  gateway: z.enum(GATEWAY_NAMES).describe('The payment gateway'),
  authorization_url: z.url().nullable().describe('The page on which the payer pays. Send them there'),
  chargebacks: z
    .array(ChargebackView)
    .describe(
      'The money of the payment that the gateway has taken back. The vendor has paid it out of the wallet or owes it',
    ),
  created_at: time.describe('When it was made'),
  expires_at: time.describe('From when the gateway accepts no payment'),
  ended_at: time.nullable().describe('When it ended; null while it is pending'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** The top-up as its vendor sees it. */
export function presentTopUp(topUp: TopUp): z.output<typeof TopUpView> {
  const { id, state, reason, amount, currency, gateway, checkout, endedAt } = topUp;
  return {
    object: 'top_up',
    id,
    vendor_id: topUp.vendorId,
    reference: id,
    status: state,
    reason,
    amount,
    currency,
    gateway,
    authorization_url: checkout?.url ?? null,
    chargebacks: (topUp.chargebacks ?? []).map(({ state: status, ...rest }) => ({ ...rest, status })),
    created_at: isoTime(topUp.createdAt),
    expires_at: isoTime(topUp.expiresAt),
    ended_at: endedAt === null ? null : isoTime(endedAt),
    live_mode: topUp.liveMode,
  };
}
