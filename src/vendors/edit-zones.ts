import type { LocationId, ZoneId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { VendorLocation } from '../domain/vendors/vendor.ts';
import { cellsOf, MOST_ZONES, type Area, type Zone } from '../domain/vendors/zone.ts';
import { editLocation, withFields, type Asking, type Needs } from './edit.ts';

type NewZone = { readonly name: string; readonly area: Area };

/**
 * Adds a zone to a location. Refuses `too_many_zones` if it has the most zones already.
 * @param zoneId the id of the zone, the same for each try of a request
 */
export async function addZone(
  ctx: Needs,
  caller: Asking,
  id: LocationId,
  { name, area }: NewZone,
  zoneId: ZoneId,
): Promise<Zone> {
  const zone: Zone = { id: zoneId, name, area, ...cellsOf(area) };
  const edit = (before: VendorLocation): VendorLocation => {
    if (before.zones.some((other) => other.id === zoneId)) return before;
    if (before.zones.length >= MOST_ZONES) throw new Refusal('too_many_zones');
    return { ...before, zones: [...before.zones, zone] };
  };
  await editLocation(ctx, caller, id, null, edit, () => ['zone.add', null, { zone_id: zone.id, name }]);
  return zone;
}

/** Changes the name or the area of a zone. Refuses `zone_not_found`. */
export async function changeZone(
  ctx: Needs,
  caller: Asking,
  id: LocationId,
  zoneId: ZoneId,
  { name, area }: Partial<NewZone>,
): Promise<Zone> {
  const fresh = area === undefined ? {} : { area, ...cellsOf(area) };
  const changes = { ...(name === undefined ? {} : { name }), ...fresh };
  const edit = (before: VendorLocation): VendorLocation => {
    const zone = findZone(before, zoneId);
    const changed = withFields(zone, changes);
    return changed === zone ? before : { ...before, zones: before.zones.map((one) => (one === zone ? changed : one)) };
  };
  const nameIn = (location: VendorLocation): string => findZone(location, zoneId).name;
  const location = await editLocation(ctx, caller, id, null, edit, (old, set) => [
    'zone.update',
    { name: nameIn(old) },
    { zone_id: zoneId, name: nameIn(set), area: area === undefined ? null : area.type },
  ]);
  return findZone(location, zoneId);
}

/** Removes a zone. A location without zones delivers to every place within its distance. */
export async function removeZone(ctx: Needs, caller: Asking, id: LocationId, zoneId: ZoneId): Promise<void> {
  const edit = (before: VendorLocation): VendorLocation => {
    findZone(before, zoneId);
    return { ...before, zones: before.zones.filter((zone) => zone.id !== zoneId) };
  };
  await editLocation(ctx, caller, id, null, edit, () => ['zone.remove', { zone_id: zoneId }, null]);
}

function findZone({ zones }: VendorLocation, id: ZoneId): Zone {
  const zone = zones.find((other) => other.id === id);
  if (zone === undefined) throw new Refusal('zone_not_found');
  return zone;
}
