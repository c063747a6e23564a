import { distanceM, type Coordinates } from '../../geo/geo.ts';
import { MOST_DROP_OFFS, type Stop } from './stop.ts';

type DropOff = Pick<Stop, 'place' | 'window'>;

/** Ways that differ by less count as equally long, metres. Sums of distances round by about as much. */
const TIE_M = 0.001;

/** Says whether several drop-offs are visited as listed, since one of them has a window. */
export function isTimed(dropOffs: readonly Pick<Stop, 'window'>[]): boolean {
  return dropOffs.length > 1 && dropOffs.some(({ window }) => window !== null);
}

/**
 * The drop-offs of a delivery in the order of visits. The order has the shortest way from the pickup along all of them.
 * Between equally long ways, the order nearest to the list wins. A vendor who gives a drop-off a window has planned the
 * times, so the listed order stays.
 * @throws RangeError for more drop-offs than a delivery may have
 */
export function orderVisits<D extends DropOff>(pickup: Coordinates, listed: readonly D[]): readonly D[] {
  if (listed.length > MOST_DROP_OFFS)
    throw new RangeError(`${listed.length} drop-offs are more than ${MOST_DROP_OFFS}`);
  return listed.length < 2 || isTimed(listed) ? listed : shortestOrder(pickup, listed);
}

/** The pickup and the places of the drop-offs, in the order of visits. Throws as `orderVisits` does. */
export function placesVisited(pickup: Coordinates, listed: readonly DropOff[]): Coordinates[] {
  return [pickup, ...orderVisits(pickup, listed).map(({ place }) => place)];
}

/** The positions of the drop-offs in the list, from 0, in the order of visits. Throws as `orderVisits` does. */
export function visitOrder<D extends DropOff>(pickup: Coordinates, listed: readonly D[]): number[] {
  return orderVisits(pickup, listed).map((dropOff) => listed.indexOf(dropOff));
}

/**
 * The drop-offs in the order with the shortest way from `from` to the last of them, in a straight line. Exact, by
 * dynamic programming over sets of drop-offs (Held and Karp 1962). It takes n² 2ⁿ steps, about a hundred thousand for
 * the limit of ten.
 */
function shortestOrder<D extends DropOff>(from: Coordinates, dropOffs: readonly D[]): D[] {
  const count = dropOffs.length;
  const all = (1 << count) - 1;
  const between = dropOffs.map((a) => dropOffs.map((b) => distanceM(a.place, b.place)));
  const without = (set: number, dropOff: number): number => set & ~(1 << dropOff);
  /**
   * By set and a drop-off of it: the shortest way from the drop-off through the rest of the set. Smaller sets come
   * first.
   */
  const onwardM = new Float64Array((all + 1) * count);
  const wayM = (set: number, here: readonly number[], dropOff: number): number =>
    here[dropOff]! + onwardM[set * count + dropOff]!;
  /** The next drop-off on the shortest way through the set. If ways are equally long, it is the first listed. */
  const nextOf = (set: number, here: readonly number[]): number => {
    let next = -1;
    for (let dropOff = 0; dropOff < count; dropOff += 1) {
      if ((set & (1 << dropOff)) === 0) continue;
      if (next === -1 || wayM(set, here, dropOff) < wayM(set, here, next) - TIE_M) next = dropOff;
    }
    return next;
  };
  for (let set = 1; set <= all; set += 1) {
    for (let first = 0; first < count; first += 1) {
      const rest = without(set, first);
      if (rest === set || rest === 0) continue;
      const onward = between[first]!;
      onwardM[set * count + first] = wayM(rest, onward, nextOf(rest, onward));
    }
  }
  const order: D[] = [];
  let here = dropOffs.map(({ place }) => distanceM(from, place));
  for (let set = all; set !== 0;) {
    const next = nextOf(set, here);
    order.push(dropOffs[next]!);
    here = between[next]!;
    set = without(set, next);
  }
  return order;
}
