import { z } from 'zod';
import type { Verdict } from '../../../dispatch/couriers/review-document.ts';
import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  missingDocuments,
  OPEN_DOCUMENTS,
  REJECT_REASONS,
  type CourierDocument,
} from '../../../domain/couriers/document.ts';
import type { Courier } from '../../../domain/couriers/courier.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { explainCodes, REJECT_WORDS } from '../../../domain/views/reason-words.ts';
import type { HttpContext } from '../../http-context.ts';
import { pageQuery } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { textOf } from '../../../domain/text.ts';
import { CourierView, presentCourier } from './courier.ts';
import { Day, DocumentDetails, DocumentView, presentDetails, presentDocument } from './document.ts';

/** The decision of a reviewer. Only a rejection has a reason, and only an approval a last day. */
export const DecisionBody = z
  .strictObject({
    decision: z.enum(['approve', 'reject']).describe('The decision'),
    reason: z
      .enum(REJECT_REASONS)
      .exactOptional()
      .describe(explainCodes('Why the document is rejected. Required to reject', REJECT_WORDS)),
    comment: textOf(280).exactOptional().describe('A note to the courier, at most 280 characters'),
    expires_on: Day.exactOptional().describe(
      'The last day on which the document is valid, if the courier gave a wrong one. Only to approve',
    ),
  })
  .transform(({ decision, reason, comment: told = null, expires_on: expiresOn = null }): Verdict => {
    if (decision === 'approve') {
      if (reason !== undefined) throw refuseField('/reason', 'not_allowed', 'must be left out in an approval');
      return { decision, expiresOn, comment: told };
    }
    if (reason === undefined) throw refuseField('/reason', 'required', 'must be given in a rejection');
    if (expiresOn !== null) throw refuseField('/expires_on', 'not_allowed', 'must be left out in a rejection');
    return { decision, reason, comment: told };
  });

export const DocumentQueueQuery = z.strictObject({
  ...pageQuery,
  live_mode: PlatformListQuery.shape.live_mode,
  status: z
    .enum(DOCUMENT_STATUSES)
    .transform((status) => [status])
    .default([...OPEN_DOCUMENTS])
    .describe('Documents of this status. By default those that wait: `pending` and `in_review`'),
});

/** The facts of a courier that a reviewer must know. */
const ReviewedCourier = CourierView.pick({
  name: true,
  phone: true,
  vehicle_type: true,
  state: true,
  suspended_for: true,
  status: true,
});

const courier = ReviewedCourier.nullable().describe('The courier as they are now. Null if the profile was removed');

/** A document as reviewers list it. */
export const ReviewView = DocumentView.extend({
  reviewer_id: DocumentDetails.shape.reviewer_id.describe(
    'The member of staff who reviews it or decided. Null if nobody has looked at it',
  ),
  courier,
});

/** A document as a reviewer reads and decides it. */
export const ReviewDetails = DocumentDetails.extend({
  courier,
  missing_documents: z
    .array(z.enum(DOCUMENT_TYPES))
    .describe('The documents that the courier’s vehicle needs and that are not approved, at most three'),
});

/** The document as reviewers list it. `found` are the couriers of the page. */
export function presentReview(
  ctx: Parameters<typeof presentDocument>[0],
  document: CourierDocument,
  found: ReadonlyMap<string, Courier>,
): z.output<typeof ReviewView> {
  const { courierId, reviewerId } = document;
  const known = found.get(courierId) ?? null;
  return { ...presentDocument(ctx, document), reviewer_id: reviewerId, courier: presentReviewed(known) };
}

/** The document as a reviewer reads it, with the courier as they are now. */
export async function presentReviewDetails(
  ctx: Parameters<typeof presentDetails>[0] & Pick<HttpContext, 'couriers' | 'documents'>,
  document: CourierDocument,
): Promise<z.output<typeof ReviewDetails>> {
  const { courierId } = document;
  const [found, approved] = await Promise.all([ctx.couriers.find(courierId), ctx.documents.listApproved(courierId)]);
  return {
    ...presentDetails(ctx, document),
    courier: presentReviewed(found),
    missing_documents: found === null ? [] : [...missingDocuments(found.vehicleType, approved, ctx.clock.now())],
  };
}

function presentReviewed(found: Courier | null): z.output<typeof ReviewedCourier> | null {
  if (found === null) return null;
  const { name, phone, vehicle_type, state, suspended_for, status } = presentCourier(found);
  return { name, phone, vehicle_type, state, suspended_for, status };
}
