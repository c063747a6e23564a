import { decideDocument, getDocument, reviewDocument } from '../../../dispatch/couriers/review-document.ts';
import type { Courier } from '../../../domain/couriers/courier.ts';
import type { CourierDocument } from '../../../domain/couriers/document.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  DecisionBody,
  DocumentQueueQuery,
  presentReview,
  presentReviewDetails,
  ReviewDetails,
  ReviewView,
} from '../../wire/couriers/kyc.ts';
import { versionOf } from '../deliveries/deliveries.ts';

const tag = 'Couriers';

/** The review of documents by staff. */
export const REVIEWS = [
  endpoint({
    route: 'GET /kyc/documents',
    name: 'listDocumentsForReview',
    tag,
    summary: 'List documents for review, oldest first',
    description:
      'Returns the documents of all couriers that wait for a decision, or those of one status. The oldest comes first, ' +
      'so that no courier waits behind newer ones. Each has its courier as they are now.',
    query: DocumentQueueQuery,
    reply: listOf(ReviewView),
    status: 200,
    run: async (ctx, { query, url }) => {
      const { status: statuses, live_mode: liveMode } = query;
      const scope = `kyc ${statuses.join()} ${String(liveMode)}`;
      const filter = { statuses, ...(liveMode === undefined ? {} : { liveMode }) };
      const page = await ctx.documents.listQueue(filter, pageRequest(ctx.signer, scope, query));
      const ids = new Set(page.items.map(({ courierId }) => courierId));
      const found = await ctx.couriers.findMany([...ids]);
      const couriers = new Map<string, Courier>(found.map((courier) => [courier.id, courier]));
      const present = (document: CourierDocument) => presentReview(ctx, document, couriers);
      return listAnswer(ctx.signer, scope, url, mapPage(page, present));
    },
  }),
  endpoint({
    route: 'GET /kyc/documents/{id}',
    name: 'getDocumentForReview',
    tag,
    summary: 'Read a document for review',
    description:
      'Returns a document with its number, its courier, the documents that the courier still needs, and a link to the ' +
      'file. The link expires after 15 minutes.',
    id: 'document',
    reply: ReviewDetails,
    status: 200,
    run: async (ctx, { id }) => answerDetails(ctx, await getDocument(ctx, id)),
  }),
  endpoint({
    route: 'POST /kyc/documents/{id}/review',
    name: 'reviewDocument',
    tag,
    summary: 'Take a document into review; supports If-Match',
    description:
      'Makes a pending document `in_review` with the caller as its reviewer, so that others leave it alone. If somebody ' +
      'else reviews it, the answer is 409 `document_decided`. Anybody who may review can still decide it.',
    id: 'document',
    ifMatch: true,
    reply: ReviewDetails,
    status: 200,
    run: async (ctx, { caller, id: documentId, ifMatch }) => {
      const seen = { documentId, staffId: caller.staffId, ifVersion: versionOf(ifMatch) };
      return answerDetails(ctx, await reviewDocument(ctx, seen));
    },
  }),
  endpoint({
    route: 'POST /kyc/documents/{id}/decide',
    name: 'decideDocument',
    tag,
    summary: 'Approve or reject a document; supports If-Match',
    description:
      'Decides about a document that waits. When a courier has all documents that their vehicle needs, a pending ' +
      'profile becomes active. A suspension ends only if an expired document has caused it. If two reviewers decide at ' +
      'once, the second gets 409 `document_decided`. The same decision by the same person can be repeated.',
    id: 'document',
    ifMatch: true,
    body: DecisionBody,
    reply: ReviewDetails,
    status: 200,
    run: async (ctx, { caller, id: documentId, body, ifMatch }) => {
      const seen = { documentId, staffId: caller.staffId, ifVersion: versionOf(ifMatch) };
      return answerDetails(ctx, await decideDocument(ctx, seen, body));
    },
  }),
];

async function answerDetails(ctx: HttpContext, document: CourierDocument) {
  return new Answer(await presentReviewDetails(ctx, document), { headers: { ETag: `"${document.version}"` } });
}
