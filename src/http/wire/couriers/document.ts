import { z } from 'zod';
import {
  CLOSING_REASONS,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  endOfDay,
  type CourierDocument,
} from '../../../domain/couriers/document.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { CLOSING_WORDS, explainCodes } from '../../../domain/views/reason-words.ts';
import { linkTo } from '../../../files/links.ts';
import type { HttpContext } from '../../http-context.ts';
import { textOf } from '../../../domain/text.ts';

/** Day after which a given date is a mistake. */
const LAST_DAY = '2199-12-31';

/** A calendar day in UTC. */
export const Day = z.iso.date().refine((day) => day <= LAST_DAY, { error: `must be at most ${LAST_DAY}` });

/** The fields of the form beside its file. */
export const DocumentBody = z.strictObject({
  type: z.enum(DOCUMENT_TYPES).describe('The kind of document'),
  number: textOf(64)
    .exactOptional()
    .describe('The number of the document, at most 64 characters. It is kept encrypted'),
  expires_on: Day.describe('The last day on which the document is valid, in UTC, YYYY-MM-DD; today or later'),
});

const time = z.iso.datetime();

export const DocumentView = z.strictObject({
  id: idSchema('doc').describe('Id of the document'),
  object: z.literal('document').describe('Always `document`'),
  live_mode: z.boolean().describe('False for a document of test mode'),
  courier_id: idSchema('cou').describe('The courier'),
  type: z.enum(DOCUMENT_TYPES).describe('The kind of document'),
  status: z.enum(DOCUMENT_STATUSES).describe('The state of its review'),
  reason: z
    .enum(CLOSING_REASONS)
    .nullable()
    .describe(explainCodes('Why it was rejected; null otherwise', CLOSING_WORDS)),
  comment: z.string().nullable().describe('A note of the reviewer to the courier. Null if there is none'),
  expires_on: z.iso.date().describe('The last day on which it is valid, in UTC'),
  expires_soon: z
    .boolean()
    .describe('True if it is approved and expires within `DOCUMENTS_WARN_MS`, 30 days by default'),
  version: z.number().int().describe('Rises by one with each change; the `ETag`'),
  created_at: time.describe('When it was added, UTC'),
  decided_at: time.nullable().describe('When it was approved, rejected or replaced, UTC. Null before'),
});

export const DocumentDetails = DocumentView.extend({
  number: z.string().nullable().describe('The number of the document. Null if it was not given'),
  reviewer_id: idSchema('stf').nullable().describe('The member of staff who reviews it or decided. Null for couriers'),
  file: z
    .strictObject({
      url: z.string().describe('Link to the picture or PDF. Anybody can use it until it expires'),
      expires_at: time.describe('When the link expires, UTC'),
    })
    .describe('The file of the document'),
});

type ViewNeeds = Pick<HttpContext, 'clock' | 'settings'>;
type DetailNeeds = ViewNeeds & Pick<HttpContext, 'fileSigner' | 'vault'>;

/** The document without its number and its picture. */
export function presentDocument(
  { clock, settings }: ViewNeeds,
  document: CourierDocument,
): z.output<typeof DocumentView> {
  const { id, courierId, liveMode, type, status, expiresOn, decidedAt, reason, version, createdAt } = document;
  const warnsAt = endOfDay(expiresOn) - settings.documents.warnMs;
  return {
    id,
    object: 'document',
    live_mode: liveMode,
    courier_id: courierId,
    type,
    status,
    reason,
    comment: document.comment,
    expires_on: expiresOn,
    expires_soon: status === 'approved' && clock.now() >= warnsAt,
    version,
    created_at: isoTime(createdAt),
    decided_at: decidedAt === null ? null : isoTime(decidedAt),
  };
}

/** The document for staff, with its number, its reviewer and a new link to its file. */
export function presentDetails(ctx: DetailNeeds, document: CourierDocument): z.output<typeof DocumentDetails> {
  const { sealedNumber, reviewerId, fileId } = document;
  return {
    ...presentDocument(ctx, document),
    number: sealedNumber === null ? null : ctx.vault.open(sealedNumber),
    reviewer_id: reviewerId,
    file: linkTo(ctx, fileId),
  };
}

/** The document for its courier, who does not learn the reviewer. */
export function presentOwn(ctx: DetailNeeds, document: CourierDocument): z.output<typeof DocumentDetails> {
  return { ...presentDetails(ctx, document), reviewer_id: null };
}
