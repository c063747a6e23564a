import { cellToCenterChild, cellToLatLng, gridDisk } from 'h3-js';
import { regionOfCell, sizeOf, VIEW_RESOLUTION, viewCellOf, type Coordinates } from '../geo/geo.ts';

/** The count of a cell: deliveries that need a courier soon, and couriers who are free soon. */
export type CellCount = { readonly demand: number; readonly supply: number };

/** Demand over supply in one cell and mode. */
export type SurgeCell = {
  /** H3 cell of the resolution that dispatchers watch. */
  readonly cell: string;
  readonly liveMode: boolean;
  /** Deliveries by the last count. Zero without a recent count, since then no search runs there. */
  readonly demand: number;
  /** Couriers by the last count. A count may stop at those near the searches. Null without a recent count. */
  readonly supply: number | null;
  /** Demand over supply here and, weighing less, in the ring around, averaged over the last minutes; 0 to the cap. */
  readonly ratio: number;
  /** The ratio as prices may use it: 1 to the cap, in steps, and steady while the ratio wavers. */
  readonly surge: number;
  /** Service time of the last count. */
  readonly at: number;
};

export type SurgeRule = {
  /** Time constant of the average: a count from this long ago weighs 1/e. Service time. */
  readonly fadeMs: number;
  /** A count is valid for this long. Afterwards the ratio fades. Service time. */
  readonly freshMs: number;
  readonly cap: number;
};

/** The weight of a neighbouring cell: its couriers are about 2 km further away, eight minutes by scooter. */
const RING_WEIGHT = 0.5;
/** Steps of the surge per 1: a price cannot explain a finer step than 0.1. */
const STEPS_IN_ONE = 10;
/** The surge moves only if the ratio is further away than this, so that half a step of noise changes nothing. */
const KEPT_WITHIN = 0.75 / STEPS_IN_ONE;
/** A cell without deliveries and couriers whose ratio is below this counts as unknown. */
const LEAST_RATIO = 0.01;
/** A count must be valid over a few runs, however fast service time is; machine time. */
const LEAST_FRESH_REAL_MS = 1000;
/** The rule from the settings. `scale` is how many times faster service time runs. */
export function surgeRule({ fadeMs, freshMs, cap }: SurgeRule, scale: number): SurgeRule {
  return { fadeMs, cap, freshMs: Math.max(freshMs, LEAST_FRESH_REAL_MS * scale) };
}

/** How long a count matters, in ms of service time. After that its ratio is below a fiftieth of the cap. */
export function surgeLifeMs({ fadeMs, freshMs }: SurgeRule): number {
  return freshMs + 4 * fadeMs;
}

/** A cell without any count. */
export function calmCell(cell: string, liveMode: boolean, at: number): SurgeCell {
  return { cell, liveMode, demand: 0, supply: null, ratio: 0, surge: 1, at };
}

/**
 * The cell in which a place of a region counts. H3 cells do not nest exactly, so near the border a place may lie in a
 * cell of the next region. It then counts in the nearest cell around it that belongs to the region. The larger a region
 * is than a cell, the farther away that cell may be.
 */
export function surgeCellOf(place: Coordinates, region: string): string {
  const cell = viewCellOf(place);
  const size = sizeOf(region);
  // A disk lists its cells from the middle outwards.
  for (const rings of [0, 1, 2]) {
    const own = gridDisk(cell, rings).find((near) => regionOfCell(near, size) === region);
    if (own !== undefined) return own;
  }
  return cellToCenterChild(region, VIEW_RESOLUTION);
}

/** The middle of a cell. */
export function centerOf(cell: string): Coordinates {
  const [lat, lng] = cellToLatLng(cell);
  return { lat, lng };
}

/** The sum of a figure over a cell and its ring. The ring weighs less. */
export function sumAround(cell: string, figureOf: (cell: string) => number): number {
  return gridDisk(cell, 1).reduce((sum, each) => sum + figureOf(each) * (each === cell ? 1 : RING_WEIGHT), 0);
}

/** A cell as it is now. An old count is no longer valid, and its ratio has faded. */
export function presentSurge(stored: SurgeCell, { fadeMs, freshMs, cap }: SurgeRule, now: number): SurgeCell {
  const staleMs = now - stored.at - freshMs;
  if (staleMs <= 0) return stored;
  const ratio = stored.ratio * Math.exp(-staleMs / fadeMs);
  return { ...stored, demand: 0, supply: null, ratio, surge: stepTo(stored.surge, ratio, cap) };
}

/**
 * The cells of a region after one more count, in one mode. Cells that count as unknown are left out.
 * @param before the region's cells in this mode as they are now
 * @param counts the counts, also beyond the region's border
 */
export function nextSurge(
  { region, liveMode }: { readonly region: string; readonly liveMode: boolean },
  before: readonly SurgeCell[],
  counts: ReadonlyMap<string, CellCount>,
  rule: SurgeRule,
  now: number,
): SurgeCell[] {
  const known = new Map(before.map((each) => [each.cell, each]));
  const reached = [...counts].flatMap(([cell, { demand }]) => (demand > 0 ? gridDisk(cell, 1) : [cell]));
  const cells = new Set([...known.keys(), ...reached]);
  return [...cells].flatMap((cell) => {
    if (regionOfCell(cell, sizeOf(region)) !== region) return [];
    const { demand = 0, supply = 0 } = counts.get(cell) ?? {};
    const last = known.get(cell) ?? calmCell(cell, liveMode, now);
    const sinceMs = Math.min(Math.max(0, now - last.at), rule.freshMs);
    const weight = 1 - Math.exp(-sinceMs / rule.fadeMs);
    const present = ratioIn(cell, counts, rule.cap);
    const ratio = last.ratio + (present - last.ratio) * weight;
    if (demand + supply === 0 && Math.max(present, ratio) < LEAST_RATIO) return [];
    return [{ cell, liveMode, demand, supply, ratio, surge: stepTo(last.surge, ratio, rule.cap), at: now }];
  });
}

/** Demand over supply at this moment. The cap lets every scarcity end equally fast. */
function ratioIn(cell: string, counts: ReadonlyMap<string, CellCount>, cap: number): number {
  let [demand, supply] = [0, 0];
  for (const each of gridDisk(cell, 1)) {
    const count = counts.get(each);
    const weight = each === cell ? 1 : RING_WEIGHT;
    demand += (count?.demand ?? 0) * weight;
    supply += (count?.supply ?? 0) * weight;
  }
  // One delivery without a courier is a search and not a scarcity.
  return Math.min(cap, demand / Math.max(1, supply));
}

function stepTo(surge: number, ratio: number, cap: number): number {
  const wanted = Math.min(cap, Math.max(1, ratio));
  if (Math.abs(wanted - surge) <= KEPT_WITHIN) return surge;
  return Math.min(cap, Math.round(wanted * STEPS_IN_ONE) / STEPS_IN_ONE);
}
