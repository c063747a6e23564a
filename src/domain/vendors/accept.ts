import type { Priority } from '../deliveries/parcel.ts';
import type { Coordinates } from '../geo/geo.ts';
import { hintAtSwap } from '../geo/swapped.ts';
import { Refusal, type No } from '../refusals/refusals.ts';
import { isoTime } from '../time.ts';
import { isOpenAt, nextOpening, type Hours } from './hours.ts';
import { isReadyAt, type Vendor, type VendorLocation } from './vendor.ts';
import { isCovered, type Zone } from './zone.ts';

/** A quote or a new delivery, as far as its vendor location must allow it. Times are service time in ms. */
export type AskedOfLocation = {
  readonly priority: Priority;
  /** Where the goods are collected; the location itself, or another place that the request names. */
  readonly pickup: Coordinates;
  readonly dropOffs: readonly Coordinates[];
  /** When the goods are ready; null: now. */
  readonly readyAt: number | null;
  readonly now: number;
  /** The field of the request that names the location. */
  readonly pointer: string;
};

/** Refuses a suspended vendor. Their open deliveries go on. */
export function refuseSuspendedVendor({ status }: Vendor): void {
  if (status === 'suspended') throw new Refusal('vendor_suspended');
}

/** Judges whether a location takes this delivery: ready, open and within its zones; null if so. */
export function judgeLocation(location: VendorLocation, hours: Hours | null, asked: AskedOfLocation): No | null {
  return judgeReadiness(location, asked) ?? judgeHours(hours, asked) ?? judgeZones(location, asked);
}

function atOf({ readyAt, now }: AskedOfLocation): number {
  return Math.max(now, readyAt ?? now);
}

/** A scheduled delivery may wait for a location of which nobody said when it is ready again. */
function judgeReadiness(location: VendorLocation, asked: AskedOfLocation): No | null {
  const until = location.readiness?.until ?? null;
  if (isReadyAt(location, atOf(asked)) || (asked.priority === 'scheduled' && until === null)) return null;
  const detail =
    until === null
      ? 'The vendor location takes no immediate deliveries now.'
      : `The vendor location takes no deliveries before ${isoTime(until)}.`;
  const metadata = { ready_at: until === null ? null : isoTime(until) };
  return { ...refuse('location_not_ready', asked.pointer, detail), metadata };
}

function judgeHours(hours: Hours | null, asked: AskedOfLocation): No | null {
  const at = atOf(asked);
  if (hours === null || isOpenAt(hours, at)) return null;
  const opening = nextOpening(hours, at);
  const next = opening === null ? 'It does not open within a year' : `It opens at ${isoTime(opening)}`;
  const detail = `The vendor location is closed at ${isoTime(at)}, when the goods are collected. ${next}.`;
  const pointer = asked.readyAt === null ? asked.pointer : '/pickup/window/ready_at';
  const metadata = { next_opening_at: opening === null ? null : isoTime(opening) };
  return { ...refuse('outside_operating_hours', pointer, detail), metadata };
}

function judgeZones({ zones, place }: VendorLocation, { pickup, dropOffs }: AskedOfLocation): No | null {
  if (zones.length === 0) return null;
  const isOwnPlace = pickup.lat === place.lat && pickup.lng === place.lng;
  if (!isOwnPlace && !isCovered(zones, pickup)) {
    const detail = '`/pickup/coordinates` must be in a zone of the vendor location, or be left out.';
    return refuse('pickup_not_in_coverage', '/pickup/coordinates', detail + hintAtZones(zones, pickup));
  }
  for (const [index, place] of dropOffs.entries()) {
    const no = judgeMove(zones, place, `/drop_off/${index}/coordinates`);
    if (no !== null) return no;
  }
  return null;
}

/** Judges whether a location with these zones still takes a delivery whose drop-off moves there; null if so. */
export function judgeMove(zones: readonly Zone[], place: Coordinates, pointer: string): No | null {
  if (isCovered(zones, place)) return null;
  const detail = `\`${pointer}\` must be in a zone of the vendor location, which \`GET /vendor/coverage\` lists.`;
  return refuse('drop_off_not_in_coverage', pointer, detail + hintAtZones(zones, place));
}

function hintAtZones(zones: readonly Zone[], place: Coordinates): string {
  return hintAtSwap([place], (swapped) => swapped.every((one) => isCovered(zones, one)));
}

/** The longest way of a delivery for this vendor and from this location, metres. `mostM` is the server's limit. */
export function longestWayM(
  vendor: Pick<Vendor, 'maxDistanceM'>,
  location: Pick<VendorLocation, 'maxDistanceM'> | null,
  mostM: number,
): number {
  return Math.min(vendor.maxDistanceM, location?.maxDistanceM ?? Infinity, mostM);
}

function refuse(reason: string, pointer: string, detail: string): No & { detail: string } {
  const errors = [{ pointer, code: reason, message: detail }];
  return { code: 'invalid_delivery_parameters', reason, detail, errors };
}

/** Refuses a vendor that a field of the request names. To the caller it is absent. */
export function unknownVendor(pointer = '/vendor_id'): Refusal {
  return unknown('vendor_not_found', pointer, 'must be the id of a vendor to which the caller has access');
}

/** Refuses a location that a field of the request names. To the caller it is absent. */
export function unknownLocation(pointer: string): Refusal {
  return unknown('location_not_found', pointer, 'must be the id of a location of this vendor');
}

function unknown(code: 'vendor_not_found' | 'location_not_found', pointer: string, rule: string): Refusal {
  const detail = `\`${pointer}\` ${rule}.`;
  return new Refusal(code, { detail, errors: [{ pointer, code, message: detail }] });
}
