import type { Coordinates } from '../../domain/geo/geo.ts';
import type { TravelPair } from '../../ports/dispatch/learning.ts';

/** A pair that waits for a request. */
export type WantedPair = TravelPair & {
  readonly fromCell: string;
  readonly toCell: string;
  readonly key: string;
  /** When it was wanted, machine time, and the number of the call that wanted it. */
  readonly wantedAt: number;
  readonly run: number;
};

/** Most sources and most targets of one table. 25 by 25 is below the 100 places and 50 by 50 pairs of usual servers. */
const MOST_SIDE = 25;
/** Most waiting pairs that are read to fill one table. */
const MOST_LOOKED_AT = 500;

/** A table to request, with the pairs that want it. */
export type PairTable = {
  readonly vehicle: WantedPair['vehicle'];
  readonly pairs: readonly WantedPair[];
  /** The places of the table by their cells. */
  readonly sources: ReadonlyMap<string, Coordinates>;
  readonly targets: ReadonlyMap<string, Coordinates>;
};

/**
 * Takes the pairs that fit into one table, in their order. They have the vehicle of the first pair, and its run, because
 * places of two regions may be too far apart for one table.
 */
export function takeTable(waiting: readonly WantedPair[]): { readonly taken: PairTable; readonly left: WantedPair[] } {
  const [{ vehicle, run } = { vehicle: 'car', run: 0 } as const] = waiting;
  const [sources, targets] = [new Map<string, Coordinates>(), new Map<string, Coordinates>()];
  const fits = (side: Map<string, Coordinates>, cell: string): boolean => side.has(cell) || side.size < MOST_SIDE;
  const pairs: WantedPair[] = [];
  const left: WantedPair[] = [];
  for (const [index, pair] of waiting.entries()) {
    const isAlike = pair.vehicle === vehicle && pair.run === run;
    const isTaken = index < MOST_LOOKED_AT && isAlike && fits(sources, pair.fromCell) && fits(targets, pair.toCell);
    if (!isTaken) {
      left.push(pair);
      continue;
    }
    if (!sources.has(pair.fromCell)) sources.set(pair.fromCell, pair.from);
    if (!targets.has(pair.toCell)) targets.set(pair.toCell, pair.to);
    pairs.push(pair);
  }
  return { taken: { vehicle, pairs, sources, targets }, left };
}

/** Both halves of a table, along the side with more places. */
export function halvesOf({ pairs, sources, targets }: PairTable): PairTable[] {
  const isWide = targets.size > sources.size;
  const cells = [...(isWide ? targets : sources).keys()];
  const first = new Set(cells.slice(0, Math.ceil(cells.length / 2)));
  const isFirst = ({ fromCell, toCell }: WantedPair): boolean => first.has(isWide ? toCell : fromCell);
  return [pairs.filter(isFirst), pairs.filter((pair) => !isFirst(pair))].map((half) => takeTable(half).taken);
}
