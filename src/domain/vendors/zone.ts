import { cellArea, getHexagonAreaAvg, latLngToCell, polygonToCells, UNITS } from 'h3-js';
import isInside from 'point-in-polygon-hao';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import type { ZoneId } from '../ids.ts';

/** Longitude and latitude, in the order of GeoJSON. */
export type Position = readonly [number, number];
/** Rings: the outer one, then holes. The first and the last position of a ring are the same. */
export type Rings = readonly (readonly Position[])[];
export type Area =
  | { readonly type: 'Polygon'; readonly coordinates: Rings }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Rings[] };

/** A part of the map to which a location delivers. */
export type Zone = {
  readonly id: ZoneId;
  readonly name: string;
  readonly area: Area;
  /** The H3 cells whose centres lie in the zone, all of the resolution `cellSize`. */
  readonly cells: readonly string[];
  readonly cellSize: number;
};

/** Zones of one location, and positions of all their rings together. */
export const MOST_ZONES = 10;
export const MOST_POSITIONS = 500;
/** Cells of one zone. Larger zones have larger cells. */
export const MOST_CELLS = 300;
const FINEST_CELLS = 10;
/** The longest side of the box around a zone, metres. */
const LONGEST_SIDE_M = 300_000;

/** Says whether a place lies in the zone. Its edge belongs to it. */
export function isInZone({ area }: Pick<Zone, 'area'>, { lat, lng }: Coordinates): boolean {
  return partsOf(area).some((rings) => isInside([lng, lat], rings.map(mutable)) !== false);
}

/** Says whether a location with these zones delivers to a place: to everywhere if it has none. */
export function isCovered(zones: readonly Pick<Zone, 'area'>[], place: Coordinates): boolean {
  return zones.length === 0 || zones.some((zone) => isInZone(zone, place));
}

/** The cells whose centres lie in the area, as fine as `MOST_CELLS` allows. */
export function cellsOf(area: Area): Pick<Zone, 'cells' | 'cellSize'> {
  const parts = partsOf(area);
  for (let cellSize = FINEST_CELLS; ; cellSize -= 1) {
    const [first] = parts[0]?.[0] ?? [];
    const cellKm2 =
      first === undefined
        ? getHexagonAreaAvg(cellSize, UNITS.km2)
        : cellArea(latLngToCell(first[1], first[0], cellSize), UNITS.km2);
    // The estimate is rough. It only keeps far too many cells from being listed.
    if (cellSize > 0 && boxKm2(parts) / cellKm2 > 20 * MOST_CELLS) continue;
    const cells = [...new Set(parts.flatMap((rings) => polygonToCells(rings.map(mutable), cellSize, true)))];
    if (cells.length <= MOST_CELLS || cellSize === 0) return { cells: cells.toSorted(), cellSize };
  }
}

/**
 * Judges the geometry of an area whose numbers are in range.
 * @returns the pointer below the area and a rule such as "must be closed"; null if the area is sound
 */
export function judgeArea(area: Area): { readonly pointer: string; readonly rule: string } | null {
  const parts = partsOf(area);
  const count = parts.flat(2).length;
  if (count > MOST_POSITIONS)
    return { pointer: '/coordinates', rule: `must have at most ${MOST_POSITIONS} positions; it has ${count}` };
  for (const [part, rings] of parts.entries()) {
    const pointer = area.type === 'Polygon' ? '/coordinates' : `/coordinates/${part}`;
    for (const [ring, positions] of rings.entries()) {
      const rule = judgeRing(positions);
      if (rule !== null) return { pointer: `${pointer}/${ring}`, rule };
    }
    const rule = judgeRings(rings);
    if (rule !== null) return { pointer, rule };
  }
  return null;
}

function judgeRing(ring: readonly Position[]): string | null {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined || ring.length < 4)
    return 'must have at least four positions, of which the last repeats the first';
  if (!isSame(first, last)) return 'must be closed: its last position must repeat the first';
  const edges = edgesOf(ring);
  if (edges.some(([a, b]) => Math.abs(a[0] - b[0]) > 180))
    return 'must not cross the antimeridian; split the zone there into a MultiPolygon';
  if (edges.some(([a, b]) => isSame(a, b))) return 'must not repeat a position next to itself';
  const longestM = Math.round(longestSideM(ring));
  if (longestM > LONGEST_SIDE_M) {
    const [length, limit] = [longestM, LONGEST_SIDE_M].map((m) => `${Math.ceil(m / 1000)} km`);
    return `must be at most ${limit} high and wide; it has ${length}`;
  }
  return null;
}

/** Edges may meet only at the ends of neighbours, in one ring and between the rings of a part. */
function judgeRings(rings: Rings): string | null {
  const edges = rings.flatMap((ring, index) => edgesOf(ring).map((edge) => ({ edge, index })));
  const crossing = edges.some(({ edge, index }, at) =>
    edges.slice(at + 1).some((other) => doCross(edge, other.edge, index === other.index)),
  );
  if (crossing) return 'must have rings that neither cross nor touch themselves or each other';
  const [outer = [], ...holes] = rings;
  const isOutside = ([hole]: readonly Position[]) =>
    hole === undefined || isInside([...hole], [mutable(outer)]) !== true;
  return holes.some(isOutside) ? 'must have holes inside of its first ring' : null;
}

type Edge = readonly [Position, Position];

function doCross([a, b]: Edge, [c, d]: Edge, isOneRing: boolean): boolean {
  const shared = [a, b].filter((end) => isSame(end, c) || isSame(end, d));
  if (isOneRing && shared.length === 1) {
    // Neighbours share one end. They overlap if the other end of one lies on the other.
    const [own, other] = [isSame(a, shared[0]!) ? b : a, isSame(c, shared[0]!) ? d : c];
    return isOn(own, [c, d]) || isOn(other, [a, b]);
  }
  if (shared.length > 0) return true;
  const sides = [sideOf(a, [c, d]), sideOf(b, [c, d]), sideOf(c, [a, b]), sideOf(d, [a, b])] as const;
  if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) return true;
  return isOn(a, [c, d]) || isOn(b, [c, d]) || isOn(c, [a, b]) || isOn(d, [a, b]);
}

function isOn(p: Position, [a, b]: Edge): boolean {
  if (sideOf(p, [a, b]) !== 0) return false;
  return [0, 1].every((axis) => {
    const [at, from, to] = [p, a, b].map((position) => position[axis as 0 | 1]) as [number, number, number];
    return at >= Math.min(from, to) && at <= Math.max(from, to);
  });
}

function sideOf(p: Position, [a, b]: Edge): number {
  return Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
}

function edgesOf(ring: readonly Position[]): Edge[] {
  return ring.slice(1).map((to, index): Edge => [ring[index]!, to]);
}

function isSame(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function longestSideM(positions: readonly Position[]): number {
  const { south, north, west, east } = boxOf(positions);
  const lat = south > 0 ? south : north < 0 ? north : 0;
  const heightM = distanceM({ lat: south, lng: west }, { lat: north, lng: west });
  return Math.max(heightM, distanceM({ lat, lng: west }, { lat, lng: east }));
}

function boxKm2(parts: readonly Rings[]): number {
  return parts.reduce((sum, [outer = []]) => sum + (longestSideM(outer) / 1000) ** 2, 0);
}

function boxOf(positions: readonly Position[]): Record<'south' | 'north' | 'west' | 'east', number> {
  const [lngs, lats] = [positions.map(([lng]) => lng), positions.map(([, lat]) => lat)];
  return { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lngs), east: Math.max(...lngs) };
}

function partsOf(area: Area): readonly Rings[] {
  return area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
}

function mutable(ring: readonly Position[]): number[][] {
  return ring.map((position) => [...position]);
}
