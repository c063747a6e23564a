import type { Caller } from '../../domain/access.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { endOfDay, moveDocument, type CourierDocument, type RejectReason } from '../../domain/couriers/document.ts';
import type { CourierId, DocumentId, FileId, StaffId } from '../../domain/ids.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { refuseStale } from '../../domain/refusals/refuse-stale.ts';
import type { Context } from '../../ports/context.ts';
import { decideOn } from '../decide-on.ts';
import { documentEntry, settleDocument, type SettleNeeds } from './settle-document.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

/** How long a change of a document is retried after lost races before it refuses `busy`; machine time. */
const DEADLINE_MS = 5000;
const DAY_MS = 86_400_000;

type Needs = SettleNeeds & Pick<Context, 'confirmed'>;

/** A new document, whose file is stored already. `sealedNumber` is encrypted. */
export type NewDocument = Pick<CourierDocument, 'courierId' | 'type' | 'sealedNumber' | 'expiresOn'> & {
  readonly fileId: FileId;
};

/** Refuses `too_many_requests` if the courier has added the most documents within 24 hours. */
export async function refuseManyDocuments(
  { clock, documents, settings }: Pick<Context, 'clock' | 'documents' | 'settings'>,
  courierId: CourierId,
): Promise<void> {
  const most = settings.documents.mostPerDay;
  // Uploads at the same moment may exceed the limit by a few, which does no harm.
  if ((await documents.countSince(courierId, clock.now() - DAY_MS, most)) < most) return;
  throw new Refusal('too_many_requests', {
    detail: `A courier can add at most ${counted(most, 'document')} within 24 hours.`,
  });
}

/**
 * Adds a document of a courier, which waits for its review. It replaces an open document of the same type. If an earlier
 * try of the request has added it, the file of this try ends after `FILES_ORPHAN_MS`.
 * @param id the id of the document, the same for each try of a request
 * @param caller who adds it; couriers act for themselves and are not audited
 */
export async function addDocument(
  ctx: SettleNeeds,
  asked: NewDocument,
  id: DocumentId,
  caller: Caller,
): Promise<CourierDocument> {
  const { clock, couriers, documents } = ctx;
  const { liveMode } = await couriers.get(asked.courierId);
  const document: CourierDocument = {
    id,
    ...asked,
    liveMode,
    status: 'pending',
    version: 1,
    createdAt: clock.now(),
    reviewerId: null,
    decidedAt: null,
    reason: null,
    comment: null,
    warnedAt: null,
  };
  const entry = caller.type === 'courier' ? null : documentEntry(ctx, 'document.add', null, document);
  await documents.add(document, entry);
  return settleNow(ctx, id);
}

/** Carries out what follows from the status of a document, and returns it as it is then. It can be repeated. */
export async function settleNow(ctx: SettleNeeds, id: DocumentId): Promise<CourierDocument> {
  await settleDocument(ctx, id);
  return getDocument(ctx, id);
}

/** A document. Refuses `document_not_found`, also if `courierId` names a courier who does not have it. */
export async function getDocument(
  { documents }: Pick<Context, 'documents'>,
  id: DocumentId,
  courierId: CourierId | null = null,
): Promise<CourierDocument> {
  return existing(await documents.find(id), courierId);
}

/** `ifVersion`: the version that the reviewer has seen (`If-Match`), or null. */
type Seen = { readonly documentId: DocumentId; readonly staffId: StaffId; readonly ifVersion: number | null };

/**
 * Takes a pending document into review, so that other reviewers leave it alone. Refuses `document_decided` if another
 * member of staff reviews it, or if it is decided. Everybody may still decide it.
 */
export function reviewDocument(ctx: Needs, seen: Seen): Promise<CourierDocument> {
  const { staffId } = seen;
  return changeDocument(ctx, seen, 'document.review', (before) =>
    before.status === 'in_review' && before.reviewerId === staffId
      ? null
      : moveDocument(before, 'review', { reviewerId: staffId }),
  );
}

/** A decision. An approval may correct the last day of the document. */
export type Verdict =
  | { readonly decision: 'approve'; readonly expiresOn: string | null; readonly comment: string | null }
  | { readonly decision: 'reject'; readonly reason: RejectReason; readonly comment: string | null };

/**
 * Approves or rejects an open document, and then admits the courier if nothing is missing. The same decision by the
 * same person changes nothing. Refuses `document_decided` if somebody else was faster, and `impossible_value` for the
 * approval of a document whose last day is over.
 */
export async function decideDocument(ctx: Needs, seen: Seen, verdict: Verdict): Promise<CourierDocument> {
  const { clock } = ctx;
  const decided = await changeDocument(ctx, seen, 'document.decide', (before) => {
    const made = { reviewerId: seen.staffId, decidedAt: clock.now(), comment: verdict.comment };
    if (isDecidedSo(before, seen.staffId, verdict)) return null;
    if (verdict.decision === 'reject') return moveDocument(before, 'reject', { ...made, reason: verdict.reason });
    const expiresOn = verdict.expiresOn ?? before.expiresOn;
    const after = moveDocument(before, 'approve', { ...made, expiresOn });
    if (endOfDay(expiresOn) <= clock.now()) throw lastDayOver();
    return after;
  });
  return settleNow(ctx, decided.id);
}

function isDecidedSo(document: CourierDocument, staffId: StaffId, verdict: Verdict): boolean {
  const { status, reviewerId, reason, comment, expiresOn } = document;
  if (reviewerId !== staffId || comment !== verdict.comment) return false;
  if (verdict.decision === 'reject') return status === 'rejected' && reason === verdict.reason;
  return status === 'approved' && (verdict.expiresOn ?? expiresOn) === expiresOn;
}

/** Refuses the last day of a document that is not valid any more. */
export function lastDayOver(): Refusal {
  return refuseField('/expires_on', 'too_early', 'must be today or later, because the document must still be valid');
}

/** Reads, decides and writes a document. After each lost race `decide` runs again on a fresh read. */
async function changeDocument(
  ctx: Needs,
  { documentId, ifVersion }: Seen,
  action: AuditAction,
  decide: (before: CourierDocument) => CourierDocument | null,
): Promise<CourierDocument> {
  const { clock, confirmed, documents } = ctx;
  const until = clock.real.elapsed() + DEADLINE_MS;
  const ground = {
    read: () => getDocument(ctx, documentId),
    confirm: async () => existing(await confirmed.findDocument(documentId), null),
  };
  do {
    const { before, decision: after } = await decideOn(ground, (document) => {
      const next = decide(document);
      if (next !== null) refuseStale(document, ifVersion);
      return next;
    });
    if (after === null) return before;
    if (await documents.replace(after, clock.now(), documentEntry(ctx, action, before, after))) return after;
  } while (clock.real.elapsed() < until);
  throw new Refusal('busy');
}

function existing(document: CourierDocument | null, courierId: CourierId | null): CourierDocument {
  if (document === null || (courierId !== null && document.courierId !== courierId)) {
    throw new Refusal('document_not_found');
  }
  return document;
}
