import type { Coordinates } from '../domain/geo/geo.ts';
import { longestWayM } from '../domain/vendors/accept.ts';
import type { Vendor, VendorLocation } from '../domain/vendors/vendor.ts';
import { isCovered } from '../domain/vendors/zone.ts';
import { estimateWay } from '../domain/deliveries/way.ts';

/** How far a location delivers, and whether to one point. Distances in metres. */
export type CoverageOf = {
  readonly location: VendorLocation;
  readonly maxDistanceM: number;
  /** Null if no point was named. The reason is null if the point is covered. */
  readonly point: {
    readonly reason: 'drop_off_not_in_coverage' | 'distance_too_long' | null;
    readonly distanceM: number;
  } | null;
};

/**
 * Judges the coverage of a location as a create would, for a delivery with this point as its only drop-off.
 * @param mostM the longest way that the server allows, metres
 */
export function judgeCoverage(
  vendor: Vendor,
  location: VendorLocation,
  point: Coordinates | null,
  mostM: number,
): CoverageOf {
  const maxDistanceM = longestWayM(vendor, location, mostM);
  if (point === null) return { location, maxDistanceM, point };
  const { distanceM } = estimateWay([location.place, point], 'scooter');
  const { zones } = location;
  const reason = !isCovered(zones, point)
    ? 'drop_off_not_in_coverage'
    : distanceM > maxDistanceM
      ? 'distance_too_long'
      : null;
  return { location, maxDistanceM, point: { reason, distanceM } };
}
