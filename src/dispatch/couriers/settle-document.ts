import { changesOf, type AuditAction, type AuditEntry } from '../../domain/audit.ts';
import { standingIn, type Courier, type Standing } from '../../domain/couriers/courier.ts';
import {
  DOCUMENT_TYPES,
  endOfDay,
  isLapsed,
  missingDocuments,
  moveDocument,
  type CourierDocument,
  type DocumentType,
} from '../../domain/couriers/document.ts';
import type { CourierId, DocumentId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { DocumentDue } from '../../ports/couriers.ts';
import { withdrawOfferOf } from '../close-offer.ts';
import { auditedStanding } from './audited-courier.ts';
import { changeCourier, type CourierNeeds, type Write } from './set-availability.ts';

export type SettleNeeds = CourierNeeds & Pick<Context, 'documents' | 'files' | 'log' | 'push' | 'settings'>;

/**
 * Carries out what follows from the status of a document, and says when it is due next. An approval admits the courier,
 * and the end of the last day suspends them. It may run at any time and repeatedly. Each change of a document makes it
 * due, so the duty repeats what a crash has cut short.
 */
export async function settleDocument(ctx: SettleNeeds, id: DocumentId): Promise<void> {
  const { clock, documents, files } = ctx;
  const found = await documents.find(id);
  if (found === null) return;
  const document = isLapsed(found, clock.now()) ? await expire(ctx, found) : found;
  // Another writer has changed it meanwhile, which made it due.
  if (document === null) return;
  const plan = planOf(ctx, document);
  await files.keep([document.fileId], plan.fileEndsAt);
  if (document.status === 'approved') {
    await settleCourier(ctx, document.courierId, []);
    await warn(ctx, document);
  }
  if (document.status === 'expired') await settleCourier(ctx, document.courierId, [document.type]);
  // Another process may have decided meanwhile, and its end of the file is now overwritten.
  if (!(await documents.putOff(document, plan.due))) await settleDocument(ctx, id);
}

/** Moves an approved document whose last day is over. Returns null if another writer was faster. */
async function expire(ctx: SettleNeeds, before: CourierDocument): Promise<CourierDocument | null> {
  const after = moveDocument(before, 'expire', {});
  const entry = documentEntry(ctx, 'document.expire', before, after);
  return (await ctx.documents.replace(after, ctx.clock.now(), entry)) ? after : null;
}

/** The entry of the audit log for a change of a document. It contains neither the number nor the picture. */
export function documentEntry(
  { audit }: Pick<Context, 'audit'>,
  action: AuditAction,
  before: CourierDocument | null,
  after: CourierDocument,
): AuditEntry {
  const changes = changesOf(before === null ? null : factsOf(before), factsOf(after));
  return audit.draft({ action, objectId: after.id, vendorId: null, liveMode: after.liveMode, changes });
}

function factsOf({ courierId, type, status, reason, expiresOn }: CourierDocument) {
  return { courier_id: courierId, type, status, reason, expires_on: expiresOn };
}

/** Until when the file of the document is kept, and when the document is due next. */
function planOf({ clock, settings }: SettleNeeds, document: CourierDocument): Plan {
  const now = clock.now();
  const endsAfter = (keptMs: number): Plan => ({ fileEndsAt: now + keptMs, due: { dueAt: null, keptMs } });
  switch (document.status) {
    case 'pending':
    case 'in_review':
      return { fileEndsAt: null, due: { dueAt: null } };
    case 'approved':
      return { fileEndsAt: null, due: { dueAt: nextLook(document, now, settings.documents.warnMs) } };
    case 'rejected':
      // Nobody has looked at a replaced document, so nothing was decided with it.
      return endsAfter(document.reason === 'replaced' ? settings.files.orphanMs : settings.files.documentMs);
    case 'expired':
      return endsAfter(settings.files.documentMs);
  }
}

type Plan = { readonly fileEndsAt: number | null; readonly due: DocumentDue };

/** When the courier must be warned, or when the last day of the document is over. */
function nextLook({ expiresOn }: CourierDocument, now: number, warnMs: number): number {
  const endsAt = endOfDay(expiresOn);
  return now < endsAt - warnMs ? endsAt - warnMs : endsAt;
}

/** Warns the courier once that a document expires soon, unless they already have one that is valid longer. */
async function warn(ctx: SettleNeeds, document: CourierDocument): Promise<void> {
  const { clock, documents, log, push, settings } = ctx;
  const now = clock.now();
  const { courierId, type, expiresOn, warnedAt } = document;
  if (warnedAt !== null || now < endOfDay(expiresOn) - settings.documents.warnMs) return;
  const approved = await documents.listApproved(courierId);
  if (approved.some((other) => other.type === type && other.expiresOn > expiresOn)) return;
  // The mark comes first: a courier who is warned twice is annoyed, and the list of documents shows it anyway.
  await documents.markWarned(document, now);
  // Not awaited: a push service without answers must not hold up decisions and the documents that end at the same time.
  push
    .send({ type: 'document_expiring', courierId, documentId: document.id, ttlRealMs: WARNING_REAL_MS })
    .catch((error: unknown) =>
      log.warn({ courier: courierId, error }, 'a courier could not be warned about a document'),
    );
}

/** How long the push service keeps a warning for a phone that is off: one day. */
const WARNING_REAL_MS = 86_400_000;

/**
 * Activates a courier who waits for documents and has all of them, or suspends an active one without a required
 * document. It reads the documents again after each write, so that changes at the same moment do not pass each other.
 * @param watched the types of documents that may have expired, without which the courier is suspended
 */
export async function settleCourier(
  ctx: SettleNeeds,
  courierId: CourierId,
  watched: readonly DocumentType[],
): Promise<Courier> {
  const approved = await ctx.documents.listApproved(courierId);
  const plan = (courier: Courier) => planCourier(ctx, courier, approved, watched);
  const { before, after } = await changeCourier(ctx, courierId, plan);
  // A repeat finishes a suspension that a crash cut short.
  if (after.state === 'suspended' && watched.length > 0) await withdrawOfferOf(ctx, courierId, 'courier_offline');
  if (after.version === before.version) return after;
  // A document may have expired while the courier was activated.
  return settleCourier(ctx, courierId, after.state === 'active' ? DOCUMENT_TYPES : watched);
}

/** Staff who activate or suspend a courier decide alone: only what the documents caused is undone by documents. */
function planCourier(
  ctx: SettleNeeds,
  courier: Courier,
  approved: readonly CourierDocument[],
  watched: readonly DocumentType[],
): Write | null {
  const { state, vehicleType, suspendedFor } = courier;
  const missing = missingDocuments(vehicleType, approved, ctx.clock.now());
  const isWaiting = state === 'pending' || (state === 'suspended' && suspendedFor === 'documents');
  if (isWaiting && missing.length === 0) return setStanding(ctx, courier, standingIn(courier, 'active'));
  const hasLapsed = state === 'active' && missing.some((type) => watched.includes(type));
  const suspended = standingIn(courier, 'suspended', 'documents');
  return hasLapsed ? setStanding(ctx, courier, suspended) : null;
}

function setStanding({ audit, couriers }: SettleNeeds, before: Courier, standing: Standing): Write {
  const entry = audit.draft(auditedStanding(before, standing, 'documents'));
  return () => couriers.setStanding(before, standing, entry);
}
