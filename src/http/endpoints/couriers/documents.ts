import {
  addDocument,
  getDocument,
  lastDayOver,
  refuseManyDocuments,
  settleNow,
} from '../../../dispatch/couriers/review-document.ts';
import { endOfDay, type CourierDocument } from '../../../domain/couriers/document.ts';
import { refuseField } from '../../../domain/refusals/refusals.ts';
import { acceptUpload } from '../../../files/accept-upload.ts';
import { Answer, endpoint } from '../../endpoint.ts';
import type { HttpContext } from '../../http-context.ts';
import { listAnswer, listOf, mapPage, pageRequest } from '../../lists.ts';
import {
  DocumentBody,
  DocumentDetails,
  DocumentView,
  presentDetails,
  presentDocument,
  presentOwn,
} from '../../wire/couriers/document.ts';
import { OwnListQuery } from '../../wire/deliveries/delivery-list.ts';

const tag = 'Couriers';

/** The documents of a courier: they prove who the courier is and what they may drive. */
export const DOCUMENTS = [
  endpoint({
    route: 'POST /couriers/{id}/documents',
    name: 'addCourierDocument',
    tag,
    summary: 'Send a document of a courier for review',
    description:
      'Takes a form with a picture or a PDF of an identity document (`id`), a licence or a vehicle insurance. A courier ' +
      'on a bicycle needs only the `id`, and all others need all three. The document is `pending` until staff review ' +
      'it. A new document replaces one of the same type that waits. When the last one is approved, a pending courier ' +
      'becomes active. A courier can add 20 documents within 24 hours by default; more are refused with 429.',
    id: 'courier',
    body: DocumentBody,
    upload: { file: 1 },
    reply: DocumentView,
    status: 201,
    run: async (ctx, { caller, id: courierId, body, files, newId }) => {
      await ctx.couriers.get(courierId);
      const id = newId('doc');
      const earlier = await ctx.documents.find(id);
      // An earlier try of this request has stored its file too.
      if (earlier !== null) return answerAdded(ctx, await settleNow(ctx, id));
      const [file] = files;
      if (file === undefined) throw refuseField('/file', 'required', 'must be a file: a picture or a PDF');
      if (endOfDay(body.expires_on) <= ctx.clock.now()) throw lastDayOver();
      await refuseManyDocuments(ctx, courierId);
      const { id: fileId } = await acceptUpload(ctx, file, { kind: 'document', subject: courierId });
      const sealedNumber = body.number === undefined ? null : ctx.vault.seal(body.number);
      const asked = { courierId, type: body.type, sealedNumber, expiresOn: body.expires_on, fileId };
      return answerAdded(ctx, await addDocument(ctx, asked, id, caller));
    },
  }),
  endpoint({
    route: 'GET /couriers/{id}/documents',
    name: 'listCourierDocuments',
    tag,
    summary: 'List the documents of a courier, newest first',
    description:
      'Returns the documents of a courier with their status. Documents that expire soon have `expires_soon`. Numbers ' +
      'and pictures are in the answer of a single document only.',
    id: 'courier',
    query: OwnListQuery,
    reply: listOf(DocumentView),
    status: 200,
    run: async (ctx, { id, query, url }) => {
      await ctx.couriers.get(id);
      const scope = `documents ${id}`;
      const page = await ctx.documents.listOf(id, pageRequest(ctx.signer, scope, query));
      const present = (document: CourierDocument) => presentDocument(ctx, document);
      return listAnswer(ctx.signer, scope, url, mapPage(page, present));
    },
  }),
  endpoint({
    route: 'GET /couriers/{id}/documents/{document_id}',
    name: 'getCourierDocument',
    tag,
    summary: 'Read a document of a courier',
    description:
      'Returns a document with its number and a link to its file. The link expires after 15 minutes; request the ' +
      'document again for a new one.',
    id: 'courier',
    part: 'ownDocument',
    reply: DocumentDetails,
    status: 200,
    run: async (ctx, { caller, id, part }) => {
      await ctx.couriers.get(id);
      const document = await getDocument(ctx, part, id);
      const details = caller.type === 'staff' ? presentDetails(ctx, document) : presentOwn(ctx, document);
      return new Answer(details, { headers: { ETag: etagOf(document) } });
    },
  }),
];

function answerAdded(ctx: HttpContext, document: CourierDocument) {
  const Location = `/couriers/${document.courierId}/documents/${document.id}`;
  return new Answer(presentDocument(ctx, document), { headers: { Location, ETag: etagOf(document) } });
}

function etagOf({ version }: CourierDocument): string {
  return `"${version}"`;
}
