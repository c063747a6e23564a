import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { isInSuspense, SUSPENSE_DECISIONS, SUSPENSE_STATES, type Suspense } from '../../../money/suspense/suspense.ts';
import { GATEWAY_NAMES } from '../../../money/gateways.ts';
import type { SuspenseFilter } from '../../../ports/money/suspense.ts';
import { pageQuery, withPage } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { textOf } from '../../../domain/text.ts';

export const SuspenseListQuery = z
  .strictObject({
    ...pageQuery,
    status: z.enum(SUSPENSE_STATES).exactOptional().describe('Only money of this state'),
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists live money only, false test money only'),
  })
  .transform(({ status: state, live_mode: liveMode, ...page }) => withPage<SuspenseFilter>(page, { state, liveMode }));

export const SuspenseBody = z.strictObject({
  decision: z
    .enum(SUSPENSE_DECISIONS)
    .describe('`credit` books the money into the wallet of the vendor. `return` says that the payer gets it back'),
  reason: textOf(200).describe('Why, for the audit log and the transaction. At most 200 characters'),
});

export const ApprovalBody = z.strictObject({
  decision: z
    .enum(SUSPENSE_DECISIONS)
    .describe('The decision that is approved. If another one has replaced it, nothing happens'),
  version: z
    .int()
    .min(1)
    .describe('The version in which the approver has read it. If it has changed since, nothing happens'),
});

const time = z.iso.datetime();

export const SuspenseView = z.strictObject({
  object: z.literal('suspense').describe('The kind of object'),
  id: idSchema('sus').describe('The id of the money in suspense'),
  status: z
    .enum(SUSPENSE_STATES)
    .describe('Where the money is. Above the limit a decision waits for the approval of a second person'),
  amount: z.int().min(1).describe('The amount that was paid, minor units'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency that was paid'),
  gateway: z.enum(GATEWAY_NAMES).describe('The payment gateway that took the money'),
  top_up_id: idSchema('top').describe('The top-up that was paid for'),
  payment_id: z
    .string()
    .nullable()
    .describe('The gateway’s own id of a payment that came after another one for the same top-up; null for none'),
  vendor_id: idSchema('ven').describe('The vendor of the top-up'),
  decision: z.enum(SUSPENSE_DECISIONS).nullable().describe('The decision; null until somebody has decided'),
  reason: z.string().nullable().describe('The reason of the decision; null for none'),
  decided_by: idSchema('stf').nullable().describe('The member of staff who decided; null for nobody'),
  approved_by: idSchema('stf').nullable().describe('The second person; null for nobody'),
  age_seconds: z.int().min(0).describe('How long the money was in suspense until it left it, or until now'),
  version: z.int().describe('Rises by one with each change'),
  created_at: time.describe('When the money was booked, UTC'),
  updated_at: time.describe('When the state or the decision changed last, UTC'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** Money in suspense as finance sees it. */
export function presentSuspense(suspense: Suspense, now: number): z.output<typeof SuspenseView> {
  const { id, state, amount, currency, gateway, topUpId, vendorId, decision, reason, liveMode } = suspense;
  const until = isInSuspense(suspense) ? now : suspense.updatedAt;
  return {
    object: 'suspense',
    id,
    status: state,
    amount,
    currency,
    gateway,
    top_up_id: topUpId,
    payment_id: suspense.paymentId ?? null,
    vendor_id: vendorId,
    decision,
    reason,
    decided_by: suspense.decidedBy,
    approved_by: suspense.approvedBy,
    age_seconds: Math.max(0, Math.floor((until - suspense.createdAt) / 1000)),
    version: suspense.version,
    created_at: isoTime(suspense.createdAt),
    updated_at: isoTime(suspense.updatedAt),
    live_mode: liveMode,
  };
}
