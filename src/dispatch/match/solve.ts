/** Who could take what, by row: row r's edges stand at `starts[r]` up to `starts[r + 1]` in `targets` and `costs`. */
export type Edges = {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly costs: Float64Array;
};

type Work = {
  readonly edges: Edges;
  readonly unmatchedCost: number;
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
  readonly columnOf: Int32Array;
  readonly rowOf: Int32Array;
  /** Of the running search: the shortest way to each column, the row it comes from, whether it is settled. */
  readonly wayTo: Float64Array;
  readonly cameFrom: Int32Array;
  readonly isSettled: Uint8Array;
  readonly touched: Int32Array;
  readonly heap: Heap;
};

/** Where a search ends: at a free column, or at a row that is better left unmatched. */
type End = { readonly length: number; readonly column: number; readonly row: number; readonly touched: number };

const NONE = -1;

/**
 * Assigns rows to columns, each at most once, at the least total cost over the listed edges, where a row left unmatched
 * costs `unmatchedCost`. Exact; costs may be negative. Gives each row's column or -1.
 *
 * Shortest augmenting paths with prices (Jonker and Volgenant 1987), row by row, on a sparse list: one Dijkstra search a
 * row, ending at the nearest free column or at the row on the way that is cheapest to leave out.
 */
export function solveAssignment(edges: Edges, unmatchedCost: number): Int32Array {
  const { rows, columns, targets } = edges;
  const work: Work = {
    edges,
    unmatchedCost,
    rowPrice: new Float64Array(rows),
    columnPrice: new Float64Array(columns),
    columnOf: new Int32Array(rows).fill(NONE),
    rowOf: new Int32Array(columns).fill(NONE),
    wayTo: new Float64Array(columns).fill(Infinity),
    cameFrom: new Int32Array(columns).fill(NONE),
    isSettled: new Uint8Array(columns),
    touched: new Int32Array(columns),
    heap: { keys: new Float64Array(targets.length + 1), values: new Int32Array(targets.length + 1), size: 0 },
  };
  for (let row = 0; row < rows; row += 1) {
    work.rowPrice[row] = cheapestOf(work, row);
    const end = search(work, row);
    raisePrices(work, row, end);
    augment(work, row, end);
    reset(work, end.touched);
  }
  return work.columnOf;
}

/** The highest price of a row at which none of its edges, nor leaving it out, is a bargain. */
function cheapestOf({ edges, columnPrice, unmatchedCost }: Work, row: number): number {
  let least = unmatchedCost;
  for (let edge = edges.starts[row]!; edge < edges.starts[row + 1]!; edge += 1) {
    least = Math.min(least, edges.costs[edge]! - columnPrice[edges.targets[edge]!]!);
  }
  return least;
}

function search(work: Work, source: number): End {
  const { edges, wayTo, cameFrom, isSettled, columnPrice, rowPrice, rowOf, touched, heap } = work;
  let row = source;
  let length = 0;
  let leaveOut = Infinity;
  let leaveOutRow = source;
  let count = 0;
  for (;;) {
    const left = length + work.unmatchedCost - rowPrice[row]!;
    if (left < leaveOut) {
      leaveOut = left;
      leaveOutRow = row;
    }
    for (let edge = edges.starts[row]!; edge < edges.starts[row + 1]!; edge += 1) {
      const column = edges.targets[edge]!;
      const way = length + edges.costs[edge]! - rowPrice[row]! - columnPrice[column]!;
      if (isSettled[column] === 1 || way >= wayTo[column]!) continue;
      if (wayTo[column] === Infinity) touched[count++] = column;
      wayTo[column] = way;
      cameFrom[column] = row;
      push(heap, way, column);
    }
    const column = nearest(work);
    if (column === NONE || wayTo[column]! >= leaveOut) {
      return { length: leaveOut, column: NONE, row: leaveOutRow, touched: count };
    }
    length = wayTo[column]!;
    if (rowOf[column] === NONE) return { length, column, row: NONE, touched: count };
    isSettled[column] = 1;
    row = rowOf[column]!;
  }
}

/** The nearest column that is not settled; entries of the heap that were improved later are dropped on the way. */
function nearest({ heap, isSettled, wayTo }: Work): number {
  while (heap.size > 0) {
    const key = heap.keys[0]!;
    const column = pop(heap);
    if (isSettled[column] === 0 && key === wayTo[column]) return column;
  }
  return NONE;
}

/** Keeps every edge's cost at or above the sum of its two prices, and exact on the pairs in force. */
function raisePrices(
  { rowPrice, columnPrice, rowOf, isSettled, wayTo, touched }: Work,
  source: number,
  end: End,
): void {
  rowPrice[source]! += end.length;
  for (let index = 0; index < end.touched; index += 1) {
    const column = touched[index]!;
    if (isSettled[column] === 0) continue;
    const slack = end.length - wayTo[column]!;
    columnPrice[column]! -= slack;
    rowPrice[rowOf[column]!]! += slack;
  }
}

/** Shifts the pairs along the way found, from its end back to the source. */
function augment({ columnOf, rowOf, cameFrom }: Work, source: number, end: End): void {
  let column = end.column;
  if (column === NONE) {
    if (end.row === source) return;
    column = columnOf[end.row]!;
    columnOf[end.row] = NONE;
  }
  for (;;) {
    const row = cameFrom[column]!;
    const freed = columnOf[row]!;
    columnOf[row] = column;
    rowOf[column] = row;
    if (row === source) return;
    column = freed;
  }
}

function reset({ wayTo, isSettled, touched, heap }: Work, count: number): void {
  for (let index = 0; index < count; index += 1) {
    wayTo[touched[index]!] = Infinity;
    isSettled[touched[index]!] = 0;
  }
  heap.size = 0;
}

/** A binary heap, least key first. A column may stand in it several times, once for each edge at most. */
type Heap = { readonly keys: Float64Array; readonly values: Int32Array; size: number };

function push(heap: Heap, key: number, value: number): void {
  const { keys, values } = heap;
  let at = heap.size++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (keys[parent]! <= key) break;
    keys[at] = keys[parent]!;
    values[at] = values[parent]!;
    at = parent;
  }
  keys[at] = key;
  values[at] = value;
}

function pop(heap: Heap): number {
  const { keys, values } = heap;
  const top = values[0]!;
  const size = --heap.size;
  const key = keys[size]!;
  const value = values[size]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && keys[child + 1]! < keys[child]!) child += 1;
    if (keys[child]! >= key) break;
    keys[at] = keys[child]!;
    values[at] = values[child]!;
    at = child;
  }
  keys[at] = key;
  values[at] = value;
  return top;
}
