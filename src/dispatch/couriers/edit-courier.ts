import type { Caller } from '../../domain/access.ts';
import { changesOf } from '../../domain/audit.ts';
import type { Courier } from '../../domain/couriers/courier.ts';
import { DOCUMENT_TYPES, missingDocuments, type DocumentType } from '../../domain/couriers/document.ts';
import { notActive } from '../../domain/couriers/not-active.ts';
import type { CourierId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { refuseStale } from '../../domain/refusals/refuse-stale.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { decideOn } from '../decide-on.ts';
import { auditedCourier } from './audited-courier.ts';
import { settleCourier, type SettleNeeds } from './settle-document.ts';

type Needs = SettleNeeds &
  Pick<Context, 'confirmed'> & { readonly credentials: Pick<Context['credentials'], 'endSessionsOf'> };

/** The fields to change. Null removes an optional one, and an absent field stays. */
export type CourierChanges = {
  readonly name?: string;
  readonly phone?: string;
  readonly vehicleType?: Courier['vehicleType'];
  readonly email?: string | null;
  readonly plate?: string | null;
  readonly city?: string | null;
};

/**
 * Changes the profile of a courier. Couriers change only how they are reached and what they drive, and only to a vehicle
 * for which their documents suffice (`courier_not_verified`). A new phone moves the claim on it and ends all sessions.
 * Refuses `stale_version` and `duplicate_courier`.
 * @param ifVersion the version that the caller has seen, or null
 */
export async function editCourier(
  ctx: Needs,
  courierId: CourierId,
  changes: CourierChanges,
  caller: Caller & { readonly type: 'courier' | 'staff' },
  ifVersion: number | null,
): Promise<Courier> {
  if (caller.type === 'courier') refuseForeignFields(changes);
  const approved = await ctx.documents.listApproved(courierId);
  return untilWritten(async () => {
    const { before, decision: after } = await decideOn(groundOf(ctx, courierId), async (courier) => {
      // Asked after each read, so that a try that is stored later makes this one stale.
      if (await ctx.audit.isEdited()) return null;
      refuseStale(courier, ifVersion);
      const next = withChanges(courier, changes);
      if (Object.keys(changes).length === 0) return null;
      const missing = missingDocuments(next.vehicleType, approved, ctx.clock.now());
      if (takesVehicle(caller, courier, next) && courier.state === 'active' && missing.length > 0)
        throw new Refusal(notVerifiedFor(courier, missing));
      return next;
    });
    // An edit that changes nothing is stored all the same, because its retry knows it by the entry of the audit log.
    const result =
      after === null ? 'same' : await ctx.couriers.update(before, after, entryOf(ctx, caller, before, after));
    if (result === 'taken') {
      throw new Refusal('duplicate_courier', { metadata: await holderOf(ctx, before, changes.phone ?? '') });
    }
    if (result === 'stale') return null;
    const { phone: _phone, ...others } = changes;
    const mayBeNew = after === null || isSame(before, after) || after.phone !== before.phone;
    // A document of the new vehicle may have expired since it was read.
    const watched = after !== null && takesVehicle(caller, before, after) ? DOCUMENT_TYPES : [];
    return finishEdit(ctx, courierId, mayBeNew ? changes : others, watched);
  });
}

/** Says whether a courier takes another vehicle without the help of staff, who decide alone what a courier may drive. */
function takesVehicle({ type }: Caller, before: Courier, after: Courier): boolean {
  return type === 'courier' && after.vehicleType !== before.vehicleType;
}

/**
 * Ends the sessions of a new phone, lets a region judge its open offer again, and judges the documents again. A repeat
 * finishes what a crash has cut short.
 */
async function finishEdit(
  ctx: Needs,
  courierId: CourierId,
  { phone, vehicleType }: CourierChanges,
  watched: readonly DocumentType[],
): Promise<Courier> {
  if (phone !== undefined) await ctx.credentials.endSessionsOf({ courierId });
  const offer = vehicleType === undefined ? null : await ctx.offers.findOpenOf(courierId);
  if (offer !== null) ctx.bell.ring(offer.region);
  // Another vehicle may need fewer documents.
  return settleCourier(ctx, courierId, watched);
}

function groundOf({ couriers, confirmed }: Needs, id: CourierId) {
  return {
    read: () => couriers.get(id),
    confirm: async () => {
      const courier = await confirmed.findCourier(id);
      if (courier === null) throw new Refusal('courier_not_found');
      return courier;
    },
  };
}

/** The fields by which others know a courier; only staff change them. */
const OF_STAFF = ['name', 'phone'] as const;

function refuseForeignFields(changes: CourierChanges): void {
  for (const field of OF_STAFF) {
    if (changes[field] === undefined) continue;
    const detail = `\`/${field}\` must be left out: only staff can change it.`;
    throw new Refusal('forbidden', { detail, errors: [{ pointer: `/${field}`, code: 'forbidden', message: detail }] });
  }
}

function notVerifiedFor(courier: Courier, missing: readonly string[]) {
  const detail = 'The new vehicle needs documents that staff have not approved yet. `metadata` lists them.';
  return { ...notActive(courier, missing), reason: 'documents_missing', detail };
}

/** Says whether both have the same profile. */
function isSame(before: Courier, after: Courier): boolean {
  return Object.keys(changesOf(profileOf(before), profileOf(after))).length === 0;
}

/** The courier with the changes. */
function withChanges(courier: Courier, changes: CourierChanges): Courier {
  const after = { ...profileOf(courier), ...changes };
  const { email: _email, plate: _plate, city: _city, ...rest } = courier;
  const { name, phone, vehicleType, ...optional } = after;
  const given = Object.entries(optional).flatMap(([field, value]) => (value === null ? [] : [[field, value] as const]));
  return { ...rest, name, phone, vehicleType, ...Object.fromEntries(given) };
}

/** The fields that may change. */
function profileOf({ name, phone, vehicleType, email, plate, city }: Courier) {
  return { name, phone, vehicleType, email: email ?? null, plate: plate ?? null, city: city ?? null };
}

async function holderOf({ confirmed }: Needs, { liveMode }: Courier, phone: string) {
  const holder = await confirmed.findCourierByPhone(phone, liveMode);
  // A failover took back the profile that had the phone, so the next try can have it.
  if (holder === null) throw new Refusal('busy');
  return { courier_id: holder.id };
}

function entryOf({ audit }: Needs, { type }: Caller, before: Courier, after: Courier) {
  const audited = auditedCourier('courier.update', after, [profileOf(before), profileOf(after)]);
  return audit.draftEdit(audited, type === 'courier' ? { type, id: after.id } : null);
}
