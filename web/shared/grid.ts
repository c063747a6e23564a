import type { FeatureCollection, LineString } from 'geojson';

type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

const STEPS_M = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];
const METRES_PER_DEGREE = 111_195;
const MOST_LINES = 60;

/**
 * The lines of a grid with a round number of metres between them. The map has no streets, so the grid shows movement
 * and distance. The lines keep their place when the map moves.
 * @param leastM least distance between lines, metres
 */
export function gridOver({ west, south, east, north }: Bounds, leastM: number): FeatureCollection<LineString> {
  const shrink = Math.max(0.1, Math.cos((Math.round((south + north) / 2) * Math.PI) / 180));
  const stepM = STEPS_M.find((metres) => metres >= leastM) ?? 2_000_000;
  const step = stepM / METRES_PER_DEGREE;
  const lines = [
    ...multiples(west, east, step / shrink).map((lng) => [
      [lng, south],
      [lng, north],
    ]),
    ...multiples(south, north, step).map((lat) => [
      [west, lat],
      [east, lat],
    ]),
  ];
  return {
    type: 'FeatureCollection',
    features: lines.map((coordinates) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates },
    })),
  };
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.min(MOST_LINES, Math.max(0, Math.floor(to / step) - first + 1));
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
