/** Points on a plane in metres, by number. All figures are finite. */
export type Points = {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** When the point can set out. */
  readonly startS: Float64Array;
  /** Metres per second along the crow's line, above 0. */
  readonly speedMps: Float64Array;
};

/**
 * Points in cells of a few each. A crowded cell is a grid of its own, so that neither a cluster nor a point far out
 * makes all others share a cell. The arrays are in the order of the cells, so that entries that are scanned together
 * lie together.
 */
export type PointGrid = {
  readonly root: Cells;
  readonly fastestMps: number;
  readonly ids: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** When the point can set out, and when it counts as setting out. */
  readonly ownStartS: Float64Array;
  readonly startS: Float64Array;
  readonly secondsPerM: Float64Array;
};

/** A box of `columns` × `rows` cells; cell c holds the points from `from[c]` to `from[c + 1]`. */
export type Cells = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly cellM: number;
  readonly columns: number;
  readonly rows: number;
  readonly from: Int32Array;
  readonly inner: ReadonlyMap<number, Cells>;
  /** The first start in each cell, and in all. */
  readonly leastStartS: Float64Array;
  leastS: number;
};

/** Points in a cell on average, and the most before it is divided again. */
const PER_CELL = 4;
const CROWDED = 32;
/**
 * Grids within grids. Each divides the longer side of a crowded cell by 3 at least: 16 of them tell a planet's metres.
 */
const MOST_DEPTH = 16;

/** Puts points into cells: linear in their number, a few ms for 100,000. */
export function buildGrid(points: Points): PointGrid {
  const { count } = points;
  const ids = new Int32Array(count).map((_, index) => index);
  const scratch = { cells: new Int32Array(count), ids: new Int32Array(count) };
  const root = divide(points, ids, 0, count, scratch, 0);
  const grid: PointGrid = {
    root,
    fastestMps: points.speedMps.subarray(0, count).reduce((most, speed) => Math.max(most, speed), 0),
    ids,
    x: new Float64Array(count).map((_, at) => points.x[ids[at]!]!),
    y: new Float64Array(count).map((_, at) => points.y[ids[at]!]!),
    ownStartS: new Float64Array(count).map((_, at) => points.startS[ids[at]!]!),
    startS: new Float64Array(count),
    secondsPerM: new Float64Array(count).map((_, at) => 1 / points.speedMps[ids[at]!]!),
  };
  postpone(grid, null);
  return grid;
}

/** Lets each point count as setting out so many seconds later than it does; null for none of them. */
export function postpone(grid: PointGrid, byS: Float64Array | null): void {
  const { ids, startS, ownStartS } = grid;
  if (byS === null) startS.set(ownStartS);
  else for (let at = 0; at < ids.length; at += 1) startS[at] = ownStartS[at]! + byS[ids[at]!]!;
  noteStarts(grid.root, startS);
}

function noteStarts(cells: Cells, startS: Float64Array): void {
  const { from, leastStartS, inner } = cells;
  cells.leastS = Infinity;
  for (let cell = 0; cell < leastStartS.length; cell += 1) {
    const within = inner.size === 0 ? undefined : inner.get(cell);
    let least = Infinity;
    if (within === undefined) {
      for (let at = from[cell]!; at < from[cell + 1]!; at += 1) if (startS[at]! < least) least = startS[at]!;
    } else {
      noteStarts(within, startS);
      least = within.leastS;
    }
    leastStartS[cell] = least;
    if (least < cells.leastS) cells.leastS = least;
  }
}

type Scratch = { readonly cells: Int32Array; readonly ids: Int32Array };

/** Sorts the points at `low` up to `high` by cell (a counting sort), and crowded cells again. */
function divide(points: Points, ids: Int32Array, low: number, high: number, scratch: Scratch, depth: number): Cells {
  const { x, y } = points;
  const box = boxOf(points, ids, low, high);
  const { minX, minY, cellM, columns, rows } = box;
  const from = new Int32Array(columns * rows + 1);
  for (let at = low; at < high; at += 1) {
    const id = ids[at]!;
    const cell = Math.floor((y[id]! - minY) / cellM) * columns + Math.floor((x[id]! - minX) / cellM);
    scratch.cells[at] = cell;
    scratch.ids[at] = id;
    from[cell + 1]! += 1;
  }
  from[0] = low;
  for (let cell = 0; cell < columns * rows; cell += 1) from[cell + 1]! += from[cell]!;
  const next = from.slice();
  for (let at = low; at < high; at += 1) ids[next[scratch.cells[at]!]!++] = scratch.ids[at]!;
  const inner = new Map<number, Cells>();
  for (let cell = 0; columns * rows > 1 && depth < MOST_DEPTH && cell < columns * rows; cell += 1) {
    if (from[cell + 1]! - from[cell]! <= CROWDED) continue;
    inner.set(cell, divide(points, ids, from[cell]!, from[cell + 1]!, scratch, depth + 1));
  }
  return { ...box, from, inner, leastStartS: new Float64Array(columns * rows), leastS: Infinity };
}

/** The box around some points, and how it is cut into about one cell for every few of them. */
function boxOf({ x, y }: Points, ids: Int32Array, low: number, high: number) {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = low; at < high; at += 1) {
    const id = ids[at]!;
    if (x[id]! < minX) minX = x[id]!;
    if (x[id]! > maxX) maxX = x[id]!;
    if (y[id]! < minY) minY = y[id]!;
    if (y[id]! > maxY) maxY = y[id]!;
  }
  if (low === high) return { minX: 0, minY: 0, maxX: 0, maxY: 0, cellM: 1, columns: 0, rows: 0 };
  const [width, height] = [maxX - minX, maxY - minY];
  const wanted = Math.ceil((high - low) / PER_CELL);
  // Points on a line, or all in one place, have no area.
  const cellM = Math.max(Math.sqrt((width * height) / wanted), Math.max(width, height) / wanted) || 1;
  const columns = Math.floor(width / cellM) + 1;
  const rows = Math.floor(height / cellM) + 1;
  return { minX, minY, maxX, maxY, cellM, columns, rows };
}
