// The plane of a day on the globe.
import type { Coordinates, Day, Point } from './day.ts';

const METRES_PER_DEGREE = (Math.PI * 6_371_008.8) / 180;

/** A plane of metres east and north of a place. */
export type Plane = {
  readonly toGlobe: (point: Point) => Coordinates;
  readonly toPlane: (place: Coordinates) => Point;
};

/** The plane whose point 0, 0 lies at `origin`. */
export function planeAt(origin: Coordinates): Plane {
  const metresPerDegreeEast = METRES_PER_DEGREE * Math.cos((origin.lat * Math.PI) / 180);
  return {
    toGlobe: ({ x, y }) => ({ lat: origin.lat + y / METRES_PER_DEGREE, lng: origin.lng + x / metresPerDegreeEast }),
    toPlane: ({ lat, lng }) => ({
      x: (lng - origin.lng) * metresPerDegreeEast,
      y: (lat - origin.lat) * METRES_PER_DEGREE,
    }),
  };
}

/**
 * Lays the plane of a day on the globe: at the origin of the day, or else with the centre of the box around all restaurants
 * and orders at `centre`.
 */
export function layOnGlobe(day: Day, centre: Coordinates): (point: Point) => Coordinates {
  if (day.origin !== undefined) return planeAt(day.origin).toGlobe;
  const places = [...day.restaurants, ...day.orders].map(({ at }) => at);
  const middleX = middle(places.map(({ x }) => x));
  const middleY = middle(places.map(({ y }) => y));
  const { toGlobe } = planeAt(centre);
  return ({ x, y }) => toGlobe({ x: x - middleX, y: y - middleY });
}

function middle(values: readonly number[]): number {
  return values.length === 0 ? 0 : (Math.min(...values) + Math.max(...values)) / 2;
}
