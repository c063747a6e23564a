import { findJoin, findPlaceWith, putInPlace, type Inserter } from './insert.ts';
import { solveAssignment } from '../assignment/solve.ts';
import type { Edges } from '../assignment/matching.ts';
import { NOBODY } from '../world.ts';

/**
 * Gives new orders to couriers, all at once and exactly: each courier takes at most one as a bundle of its own, at the
 * place in their chain where it adds the least, and any order may join a bundle from its pickup location instead.
 */
export function assignNew(inserter: Inserter, fresh: readonly number[]): void {
  const { board, shortlist } = inserter;
  const couriers = board.arena.couriers.ids.length;
  const targets: number[] = [];
  const costs: number[] = [];
  const starts = new Int32Array(fresh.length + 1);
  for (const [row, order] of fresh.entries()) {
    const leaveS = board.leaveS[order]!;
    const joinS = findJoin(inserter, order);
    if (joinS < leaveS) {
      // Joining takes no courier away from anybody: a column of the order's own.
      targets.push(couriers + row);
      costs.push(joinS - leaveS);
    }
    for (let entry = shortlist.from[order]!; entry < shortlist.from[order + 1]!; entry += 1) {
      const courier = shortlist.couriers[entry]!;
      const addedS = findPlaceWith(inserter, order, courier);
      if (addedS >= leaveS) continue;
      targets.push(courier);
      costs.push(addedS - leaveS);
    }
    starts[row + 1] = targets.length;
  }
  const edges: Edges = {
    rows: fresh.length,
    columns: couriers + fresh.length,
    starts,
    targets: Int32Array.from(targets),
    costs: Float64Array.from(costs),
  };
  for (const [row, column] of solveAssignment(edges, 0).entries()) {
    if (column === NOBODY || column >= couriers) continue;
    findPlaceWith(inserter, fresh[row]!, column);
    putInPlace(inserter, fresh[row]!);
  }
}
