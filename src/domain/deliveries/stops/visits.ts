import { distanceM, type Coordinates } from '../../geo/geo.ts';
import { MOST_DROP_OFFS, type Stop } from './stop.ts';

type DropOff = Pick<Stop, 'place' | 'window'>;

/**
 * The cost of the way from one stop to another, in seconds or metres. Stop 0 is the pickup, and stop n is the n-th listed
 * drop-off.
 */
export type Between = (from: number, to: number) => number;

/** Ways whose costs differ by less count as equally long. Sums of straight lines round by about as much. */
const TIE = 0.001;

/** Says whether several drop-offs are visited as listed, since one of them has a window. */
export function isTimed(dropOffs: readonly Pick<Stop, 'window'>[]): boolean {
  return dropOffs.length > 1 && dropOffs.some(({ window }) => window !== null);
}

/** The drop-offs of a delivery in the order of visits by straight lines. Throws as `visitOrder` does. */
export function orderVisits<D extends DropOff>(pickup: Coordinates, listed: readonly D[]): D[] {
  return visitOrder(pickup, listed).map((stop) => listed[stop - 1]!);
}

/**
 * The numbers of the drop-offs in the order of visits, from 1 as they are listed. The order has the shortest way from the
 * pickup along all of them. Between equally long ways, the order nearest to the list wins. A vendor who gives a drop-off a
 * window has planned the times, so the listed order stays.
 * @param between the cost whose sum the order minimizes; metres of the straight line if absent
 * @throws RangeError for more drop-offs than a delivery may have
 */
export function visitOrder(
  pickup: Coordinates,
  listed: readonly DropOff[],
  between: Between = straightBetween(pickup, listed),
): number[] {
  if (listed.length > MOST_DROP_OFFS)
    throw new RangeError(`${listed.length} drop-offs are more than ${MOST_DROP_OFFS}`);
  return hasChoice(listed) ? shortestOrder(listed.length, between) : listed.map((_dropOff, at) => at + 1);
}

/** Says whether these drop-offs can be visited in another order than the listed one. */
export function hasChoice(dropOffs: readonly Pick<Stop, 'window'>[]): boolean {
  return dropOffs.length > 1 && !isTimed(dropOffs);
}

/** The pickup and the places of the drop-offs, in the order of visits by straight lines. Throws as `visitOrder` does. */
export function placesVisited(pickup: Coordinates, listed: readonly DropOff[]): Coordinates[] {
  return [pickup, ...orderVisits(pickup, listed).map(({ place }) => place)];
}

function straightBetween(pickup: Coordinates, listed: readonly DropOff[]): Between {
  const places = [pickup, ...listed.map(({ place }) => place)];
  return (from, to) => distanceM(places[from]!, places[to]!);
}

/**
 * The numbers of so many drop-offs in the order with the least cost from the pickup to the last of them. Exact, by dynamic
 * programming over sets of drop-offs (Held and Karp 1962). It takes n² 2ⁿ steps, about a hundred thousand for the limit of
 * ten.
 */
function shortestOrder(count: number, between: Between): number[] {
  const all = (1 << count) - 1;
  const stops = Array.from({ length: count }, (_, at) => at + 1);
  /** By stop, the pickup first: the costs to each drop-off. */
  const costs = [0, ...stops].map((from) => stops.map((to) => between(from, to)));
  const without = (set: number, dropOff: number): number => set & ~(1 << dropOff);
  /** By set and a drop-off of it: the least cost from the drop-off through the rest of the set. Smaller sets come first. */
  const onward = new Float64Array((all + 1) * count);
  const costOf = (set: number, here: readonly number[], dropOff: number): number =>
    here[dropOff]! + onward[set * count + dropOff]!;
  /** The next drop-off on the shortest way through the set. If ways are equally long, it is the first listed. */
  const nextOf = (set: number, here: readonly number[]): number => {
    let next = -1;
    for (let dropOff = 0; dropOff < count; dropOff += 1) {
      if ((set & (1 << dropOff)) === 0) continue;
      if (next === -1 || costOf(set, here, dropOff) < costOf(set, here, next) - TIE) next = dropOff;
    }
    return next;
  };
  for (let set = 1; set <= all; set += 1) {
    for (let first = 0; first < count; first += 1) {
      const rest = without(set, first);
      if (rest === set || rest === 0) continue;
      const here = costs[first + 1]!;
      onward[set * count + first] = costOf(rest, here, nextOf(rest, here));
    }
  }
  const order: number[] = [];
  for (let set = all; set !== 0;) {
    const next = nextOf(set, costs[order.at(-1) ?? 0]!);
    order.push(next + 1);
    set = without(set, next);
  }
  return order;
}
