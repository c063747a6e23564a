import { nearestByTime } from '../places/nearest.ts';
import { buildGrid } from '../places/point-grid.ts';
import type { Arena } from '../world.ts';

/** For each order the numbers of those most like it, nearest first: `size` from `order * size`, -1 where there are fewer. */
export type Kin = { readonly size: number; readonly of: Int32Array };

/** So many times `size` are looked at in the neighbourhood before ready times are compared. */
const LOOKED_AT = 4;

/**
 * Finds for each movable order those whose places in a plan could be exchanged with its own: near counters and near ready
 * times (Shaw 1998).
 */
export function findKin({ orders, places, travelS }: Arena, movable: Int32Array, size: number): Kin {
  const of = new Int32Array(orders.ids.length * size).fill(-1);
  const count = movable.length;
  const x = Float64Array.from(movable, (order) => places.x[orders.place[order]!]!);
  const y = Float64Array.from(movable, (order) => places.y[orders.place[order]!]!);
  const grid = buildGrid({ count, x, y, startS: new Float64Array(count), speedMps: new Float64Array(count).fill(1) });
  const wanted = Math.min(count, size * LOOKED_AT + 1);
  const found = { ids: new Int32Array(wanted), arriveS: new Float64Array(wanted) };
  const anywhere = { wanted, beforeS: Infinity, maxDistanceM: Infinity, suits: () => true };
  const apartS = new Float64Array(count);
  for (const [index, order] of movable.entries()) {
    const near = found.ids.subarray(0, nearestByTime(grid, { ...anywhere, x: x[index]!, y: y[index]! }, found));
    for (const other of near) {
      const wayS = travelS(orders.place[order]!, orders.place[movable[other]!]!, 0);
      apartS[other] = wayS + Math.abs(orders.readyS[order]! - orders.readyS[movable[other]!]!);
    }
    const kin = near.filter((other) => other !== index).sort((a, b) => apartS[a]! - apartS[b]! || a - b);
    of.set(
      kin.subarray(0, size).map((other) => movable[other]!),
      order * size,
    );
  }
  return { size, of };
}
