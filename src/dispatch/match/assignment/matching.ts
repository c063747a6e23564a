import { clear, createHeap, raise, takeFirst, type Heap } from './heap.ts';

/** The possible pairs by row: row r's edges stand at `starts[r]` up to `starts[r + 1]` in `targets` and `costs`. */
export type Edges = {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly costs: Float64Array;
};

/**
 * The rows or the columns of a matching. Node n's edges stand at `from[n]` up to `to[n]`. Always true: the prices of an
 * edge's two ends sum to its cost at most, and exactly in a pair; no price is above `leaveCost`.
 */
export type Side = {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The other end of each edge, and its cost. */
  ends: Int32Array;
  costs: Float64Array;
  /** Where the next edges can be written. */
  size: number;
  readonly price: Float64Array;
  readonly mate: Int32Array;
  /** The cost of a node without a mate. The matching is the best one when all these have exactly this price. */
  readonly leaveCost: number;
};

export type Matching = { readonly rows: Side; readonly columns: Side; readonly search: Search };

/**
 * The running search knows of each node of the other side the shortest way, where that comes from, and whether it is
 * settled.
 */
type Search = {
  readonly wayTo: Float64Array;
  readonly cameFrom: Int32Array;
  readonly isSettled: Uint8Array;
  readonly touched: Int32Array;
  readonly heap: Heap;
  count: number;
};

/** Where a search ends: at a node of the other side without a mate, or by leaving out one of this side. */
type End = { readonly length: number; readonly found: number; readonly leftOut: number };

export const NONE = -1;

/** A matching without pairs, on its way to the best one. Leaving a column without a row costs nothing. */
export function openMatching({ rows, columns, starts, targets, costs }: Edges, unmatchedCost: number): Matching {
  const most = Math.max(rows, columns);
  return {
    rows: {
      from: starts.slice(0, rows),
      to: starts.slice(1, rows + 1),
      ends: targets,
      costs,
      size: targets.length,
      price: new Float64Array(rows),
      mate: new Int32Array(rows).fill(NONE),
      leaveCost: unmatchedCost,
    },
    columns: {
      from: new Int32Array(columns),
      to: new Int32Array(columns),
      ends: new Int32Array(0),
      costs: new Float64Array(0),
      size: 0,
      price: new Float64Array(columns),
      mate: new Int32Array(columns).fill(NONE),
      leaveCost: 0,
    },
    search: {
      wayTo: new Float64Array(most).fill(Infinity),
      cameFrom: new Int32Array(most),
      isSettled: new Uint8Array(most),
      touched: new Int32Array(most),
      heap: createHeap(most),
      count: 0,
    },
  };
}

/** The highest price of a node at which none of its edges, nor leaving it out, is a bargain. */
export function highestPrice(own: Side, other: Side, node: number): number {
  let least = own.leaveCost;
  for (let edge = own.from[node]!; edge < own.to[node]!; edge += 1) {
    least = Math.min(least, own.costs[edge]! - other.price[own.ends[edge]!]!);
  }
  return least;
}

/**
 * Gives a node a mate along the shortest way, one Dijkstra search with the prices as potentials (Jonker and Volgenant
 * 1987), or leaves out the node of its side on that way which is cheapest to leave. Where that is not allowed, says
 * false and changes nothing.
 */
export function place(own: Side, other: Side, search: Search, node: number, mayLeaveOut: boolean): boolean {
  const end = shortestWay(own, other, search, node);
  const isPlaced = end.found !== NONE || mayLeaveOut;
  if (isPlaced) {
    movePrices(own, other, search, node, end.length);
    shiftPairs(own, other, search, node, end);
  }
  for (let index = 0; index < search.count; index += 1) {
    search.wayTo[search.touched[index]!] = Infinity;
    search.isSettled[search.touched[index]!] = 0;
  }
  search.count = 0;
  clear(search.heap);
  return isPlaced;
}

function shortestWay(own: Side, other: Side, search: Search, source: number): End {
  const { from, to, ends, costs, price, leaveCost } = own;
  const { wayTo, cameFrom, isSettled, touched, heap } = search;
  let node = source;
  let length = 0;
  let leaving = Infinity;
  let leftOut = source;
  let finding = Infinity;
  let found = NONE;
  for (;;) {
    const base = length - price[node]!;
    if (base + leaveCost < leaving) {
      leaving = base + leaveCost;
      leftOut = node;
    }
    // No way that is longer than an end in sight is of use.
    let limit = Math.min(leaving, finding);
    for (let edge = from[node]!, last = to[node]!; edge < last; edge += 1) {
      const end = ends[edge]!;
      const way = base + costs[edge]! - other.price[end]!;
      if (way >= limit || way >= wayTo[end]! || isSettled[end] === 1) continue;
      if (wayTo[end] === Infinity) touched[search.count++] = end;
      wayTo[end] = way;
      cameFrom[end] = node;
      if (other.mate[end] !== NONE) {
        raise(heap, wayTo, end);
        continue;
      }
      limit = way;
      finding = way;
      found = end;
    }
    if (heap.size === 0 || wayTo[heap.nodes[0]!]! >= limit) {
      return found === NONE || leaving < finding
        ? { length: leaving, found: NONE, leftOut }
        : { length: finding, found, leftOut: NONE };
    }
    const next = takeFirst(heap, wayTo);
    length = wayTo[next]!;
    isSettled[next] = 1;
    node = other.mate[next]!;
  }
}

/** Keeps every edge's cost at or above the sum of its two prices, and exact on the pairs. */
function movePrices(
  own: Side,
  other: Side,
  { wayTo, isSettled, touched, count }: Search,
  source: number,
  length: number,
): void {
  own.price[source]! += length;
  for (let index = 0; index < count; index += 1) {
    const node = touched[index]!;
    if (isSettled[node] === 0) continue;
    const slack = length - wayTo[node]!;
    other.price[node]! -= slack;
    own.price[other.mate[node]!]! += slack;
  }
}

/** Shifts the pairs along the way found, from its end back to the source. */
function shiftPairs(own: Side, other: Side, { cameFrom }: Search, source: number, { found, leftOut }: End): void {
  let end = found;
  if (end === NONE) {
    if (leftOut === source) return;
    end = own.mate[leftOut]!;
    own.mate[leftOut] = NONE;
  }
  for (;;) {
    const node = cameFrom[end]!;
    const freed = own.mate[node]!;
    own.mate[node] = end;
    other.mate[end] = node;
    if (node === source) return;
    end = freed;
  }
}
