import type { LocationId } from '../domain/ids.ts';
import { refuseField } from '../domain/refusals/refusals.ts';
import { actorOf } from '../domain/access.ts';
import { isoTime } from '../domain/time.ts';
import { unknownVendor } from '../domain/vendors/accept.ts';
import { isReadyAt, locationWith, type VendorLocation } from '../domain/vendors/vendor.ts';
import { editLocation, entryOf, withFields, type Asking, type Needs } from './edit.ts';
import { addressLine, contactLine } from './told.ts';

type Described = 'name' | 'place' | 'address' | 'contact' | 'kind' | 'instructions' | 'maxDistanceM';
export type NewLocation = Pick<VendorLocation, Described | 'vendorId'>;
export type LocationChanges = Partial<Pick<VendorLocation, Described>>;

/**
 * Adds a location, ready and without hours of its own. Refuses `vendor_not_found`.
 * @param id the id of the location, the same for each try of a request
 */
export async function addLocation(ctx: Needs, wanted: NewLocation, id: LocationId): Promise<VendorLocation> {
  const { vendors, clock } = ctx;
  if ((await vendors.find(wanted.vendorId)) === null) throw unknownVendor();
  const location = locationWith({ id, ...wanted, isReady: true, createdAt: clock.now() });
  return vendors.addLocation(location, entryOf(ctx, location, ['location.add', null, toldOf(location)]));
}

/** Changes the description of a location. Deliveries that exist already keep theirs. */
export function changeLocation(
  ctx: Needs,
  caller: Asking,
  id: LocationId,
  ifVersion: number | null,
  changes: LocationChanges,
): Promise<VendorLocation> {
  return editLocation(
    ctx,
    caller,
    id,
    ifVersion,
    (before) => withFields(before, changes),
    (before, after) => ['location.update', toldOf(before), toldOf(after)],
  );
}

type Readiness = { readonly isReady: boolean; readonly until: number | null };

/**
 * Says whether a location takes immediate deliveries, from now on. Deliveries that exist already go on. The same report
 * again changes nothing. Refuses `until` with `ready`, and an `until` that is not in the future.
 */
export async function setReadiness(
  ctx: Needs,
  caller: Asking,
  id: LocationId,
  ifVersion: number | null,
  { isReady, until }: Readiness,
): Promise<VendorLocation> {
  const at = ctx.clock.now();
  const edit = (before: VendorLocation): VendorLocation => {
    if (until !== null && until <= at) throw refuseField('/until', 'out_of_range', `must be later than ${isoTime(at)}`);
    const isSame = isReadyAt(before, at) === isReady && (isReady || (before.readiness?.until ?? null) === until);
    return isSame ? before : { ...before, isReady, readiness: { by: actorOf(caller), at, until } };
  };
  const told = (location: VendorLocation) => {
    const until = location.readiness?.until ?? null;
    return { ready: isReadyAt(location, at), until: until === null ? null : isoTime(until) };
  };
  return editLocation(ctx, caller, id, ifVersion, edit, (before, after) => [
    'location.readiness',
    told(before),
    told(after),
  ]);
}

function toldOf({ name, place, address, contact, kind, instructions, maxDistanceM }: VendorLocation) {
  return {
    name,
    coordinates: `${place.lat}, ${place.lng}`,
    address: addressLine(address),
    contact: contactLine(contact),
    kind,
    instructions,
    max_distance_m: maxDistanceM,
  };
}
