import type { Availability, Courier } from '../../domain/couriers/courier.ts';
import { missingDocuments } from '../../domain/couriers/document.ts';
import { regionOf } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import { notActive } from '../../domain/couriers/not-active.ts';
import { Refusal, refuseCaller } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Doer } from '../commands.ts';
import { decideOn } from '../decide-on.ts';
import { withdrawOfferOf } from '../close-offer.ts';
import { auditedCourier } from './audited-courier.ts';

/** The ports for a change of a courier and for the end of their open offer. */
export type CourierNeeds = Pick<
  Context,
  'audit' | 'confirmed' | 'couriers' | 'offers' | 'notices' | 'clock' | 'bell' | 'positions'
>;
type SettingNeeds = CourierNeeds & Pick<Context, 'documents' | 'settings'>;
type SetAvailability = { readonly courierId: CourierId; readonly availability: Availability };

/** How long a change of a courier is retried after lost races before it refuses `busy`; machine time. */
const DEADLINE_MS = 5000;

/**
 * Sets a courier online or offline, for the courier or for staff. Only an active courier may go online
 * (`courier_not_verified`). Going offline withdraws the open offer and leaves the courier their deliveries.
 */
export async function setAvailability(ctx: SettingNeeds, command: SetAvailability, doer: Doer): Promise<Courier> {
  const { courierId, availability } = command;
  if (doer.type === 'courier' && doer.courierId !== courierId) throw new Refusal('courier_not_found');
  if (doer.type !== 'courier' && doer.type !== 'staff') throw refuseCaller(doer.type, ['courier', 'staff']);
  return availability === 'offline' ? goOffline(ctx, courierId, doer) : goOnline(ctx, courierId, doer);
}

async function goOnline(ctx: SettingNeeds, courierId: CourierId, doer: Doer): Promise<Courier> {
  const missing = await listMissing(ctx, courierId);
  const courier = await changeOnce(ctx, courierId, (before) => {
    if (before.state !== 'active') throw new Refusal(notActive(before, missing));
    return set(ctx, before, 'online', doer);
  });
  const place = await ctx.positions.find(courierId);
  if (place !== null) ctx.bell.ring(regionOf(place, ctx.settings.dispatch.regionResolution));
  return courier;
}

/** The documents without which a courier cannot go online; empty for one who is active already. */
async function listMissing({ clock, couriers, documents }: SettingNeeds, id: CourierId): Promise<readonly string[]> {
  const { state, vehicleType } = await couriers.get(id);
  if (state === 'active') return [];
  return missingDocuments(vehicleType, await documents.listApproved(id), clock.now());
}

/** Stops offers to a courier. A repeat finishes a change that a crash cut short. */
async function goOffline(ctx: CourierNeeds, courierId: CourierId, doer: Doer): Promise<Courier> {
  const courier = await changeOnce(ctx, courierId, (before) => set(ctx, before, 'offline', doer));
  if (courier.availability === 'offline') await withdrawOfferOf(ctx, courierId, 'courier_offline');
  return courier;
}

/** Couriers act for themselves and are not audited. */
function set(ctx: CourierNeeds, before: Courier, availability: Availability, doer: Doer): Write | null {
  if (before.availability === availability) return null;
  const changed = [{ availability: before.availability }, { availability }] as const;
  const audited = auditedCourier('courier.availability', before, changed);
  const entry = doer.type === 'courier' ? null : ctx.audit.draftEdit(audited);
  return () => ctx.couriers.setAvailability(before, availability, ctx.clock.now(), entry);
}

/** Writes the decision. Returns null if another writer was faster. */
export type Write = () => Promise<Courier | null>;

/** Changes a courier as a request asks, if no earlier try of this request has done so. Returns the courier as they are now. */
export async function changeOnce(
  ctx: Pick<Context, 'audit' | 'confirmed' | 'couriers' | 'clock'>,
  id: CourierId,
  decide: (before: Courier) => Write | null,
): Promise<Courier> {
  // Asked after each read. A try that is stored later makes the write of what was read lose its race.
  const decideOnce = async (before: Courier) => ((await ctx.audit.isEdited()) ? null : decide(before));
  return (await changeCourier(ctx, id, decideOnce)).after;
}

/**
 * Reads, decides and writes a courier. After each lost race `decide` runs again on a fresh read. It returns null if the
 * courier already is as requested.
 * @returns the courier before and after the write; the same one if nothing was written
 */
export async function changeCourier(
  ctx: Pick<Context, 'confirmed' | 'couriers' | 'clock'>,
  id: CourierId,
  decide: (before: Courier) => Promise<Write | null> | Write | null,
): Promise<{ readonly before: Courier; readonly after: Courier }> {
  const until = ctx.clock.real.elapsed() + DEADLINE_MS;
  const ground = { read: () => ctx.couriers.get(id), confirm: () => getConfirmed(ctx, id) };
  do {
    const { before, decision: write } = await decideOn(ground, decide);
    const after = write === null ? before : await write();
    if (after !== null) return { before, after };
  } while (ctx.clock.real.elapsed() < until);
  throw new Refusal('busy');
}

async function getConfirmed({ confirmed }: Pick<Context, 'confirmed'>, id: CourierId): Promise<Courier> {
  const courier = await confirmed.findCourier(id);
  if (courier === null) throw new Refusal('courier_not_found');
  return courier;
}
