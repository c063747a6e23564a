import type { Cells, PointGrid } from './point-grid.ts';

/** A search for points. Distances are metres in a straight line, times are those of the points, seconds. */
export type NearestQuery = {
  readonly x: number;
  readonly y: number;
  readonly wanted: number;
  /** Only points that arrive before this; Infinity for all. */
  readonly beforeS: number;
  readonly maxDistanceM: number;
  readonly suits: (id: number, arriveS: number) => boolean;
};

/** The points found, the first to arrive first, and when they do. The arrays are at least as long as what is wanted. */
export type Found = { readonly ids: Int32Array; readonly arriveS: Float64Array };

type Search = NearestQuery & {
  readonly grid: PointGrid;
  readonly found: Found;
  count: number;
  /** A point must arrive before this, seconds: the last of a full list. */
  limitS: number;
};

/**
 * Writes the points that arrive first, by start + distance / speed, into `found` and gives how many there are. Exact;
 * of points that arrive at the same moment any may stand first. Cells are looked at ring by ring around the place,
 * until not even the fastest point, setting out there as early as any, would be in time; so points that are busy for
 * long cost nothing but their cell's look.
 */
export function nearestByTime(grid: PointGrid, query: NearestQuery, found: Found): number {
  const limitS = query.wanted > 0 ? query.beforeS : -Infinity;
  const search = { ...query, grid, found, count: 0, limitS };
  searchRings(search, grid.root);
  return search.count;
}

function searchRings(search: Search, cells: Cells): void {
  const { x, y } = search;
  const { minX, minY, maxX, maxY, cellM, columns, rows, leastS } = cells;
  const outX = Math.max(0, minX - x, x - maxX);
  const outY = Math.max(0, minY - y, y - maxY);
  const column = Math.max(0, Math.min(columns - 1, Math.floor((x - minX) / cellM)));
  const row = Math.max(0, Math.min(rows - 1, Math.floor((y - minY) / cellM)));
  for (let ring = 0; ; ring += 1) {
    const [left, right, low, high] = [column - ring, column + ring, row - ring, row + ring];
    // The ring's nearest cell lies straight beyond one of its sides that are within the box.
    let nearest = Infinity;
    if (left >= 0) nearest = Math.min(nearest, away(x - minX - (left + 1) * cellM, outY));
    if (right < columns) nearest = Math.min(nearest, away(minX + right * cellM - x, outY));
    if (low >= 0) nearest = Math.min(nearest, away(y - minY - (low + 1) * cellM, outX));
    if (high < rows) nearest = Math.min(nearest, away(minY + high * cellM - y, outX));
    if (!isInTime(search, leastS, nearest)) return;
    for (let at = Math.max(0, left); at <= Math.min(columns - 1, right); at += 1) {
      if (low >= 0) searchCell(search, cells, at, low);
      if (high < rows && high > low) searchCell(search, cells, at, high);
    }
    for (let at = Math.max(0, low + 1); at <= Math.min(rows - 1, high - 1); at += 1) {
      if (left >= 0) searchCell(search, cells, left, at);
      if (right < columns) searchCell(search, cells, right, at);
    }
  }
}

/** The square of the distance to something beyond a line and beside a box; a line behind counts as no distance. */
function away(beyondM: number, besideM: number): number {
  return (beyondM > 0 ? beyondM * beyondM : 0) + besideM * besideM;
}

function isInTime({ grid, limitS, maxDistanceM }: Search, leastS: number, squareM: number): boolean {
  if (leastS >= limitS || squareM === Infinity) return false;
  const distanceM = Math.sqrt(squareM);
  return distanceM <= maxDistanceM && leastS + distanceM / grid.fastestMps < limitS;
}

function searchCell(search: Search, cells: Cells, column: number, row: number): void {
  const { x, y, grid, maxDistanceM, suits } = search;
  const { minX, minY, cellM, from, leastStartS, inner } = cells;
  const cell = row * cells.columns + column;
  const left = minX + column * cellM;
  const low = minY + row * cellM;
  const outX = Math.max(0, left - x, x - left - cellM);
  const outY = Math.max(0, low - y, y - low - cellM);
  if (!isInTime(search, leastStartS[cell]!, outX * outX + outY * outY)) return;
  const within = inner.size === 0 ? undefined : inner.get(cell);
  if (within !== undefined) return searchRings(search, within);
  for (let at = from[cell]!, end = from[cell + 1]!; at < end; at += 1) {
    const dx = grid.x[at]! - x;
    const dy = grid.y[at]! - y;
    const distanceM = Math.sqrt(dx * dx + dy * dy);
    const arriveS = grid.startS[at]! + distanceM * grid.secondsPerM[at]!;
    if (arriveS >= search.limitS || distanceM > maxDistanceM || !suits(grid.ids[at]!, arriveS)) continue;
    insert(search, grid.ids[at]!, arriveS);
  }
}

function insert(search: Search, id: number, arriveS: number): void {
  const { wanted } = search;
  const { ids, arriveS: times } = search.found;
  let at = search.count < wanted ? search.count++ : wanted - 1;
  for (; at > 0 && times[at - 1]! > arriveS; at -= 1) {
    times[at] = times[at - 1]!;
    ids[at] = ids[at - 1]!;
  }
  times[at] = arriveS;
  ids[at] = id;
  if (search.count === wanted) search.limitS = times[wanted - 1]!;
}
