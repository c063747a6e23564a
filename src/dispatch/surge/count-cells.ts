import { createCellGrid } from '../../domain/surge/cell-grid.ts';
import { VIEW_RESOLUTION } from '../../domain/geo/geo.ts';
import { isSearchOn } from '../../domain/deliveries/search.ts';
import { surgeCellOf, type CellCount } from '../../domain/surge/surge.ts';
import type { RegionNow } from '../../domain/regions/region-now.ts';
import { startOf } from '../../domain/regions/start.ts';

/** Degrees: about 200 m, where cells are 2 km apart. */
const SQUARE_DEG = 0.002;

/** The cell in which a courier counts. One cache for all regions that this process leads. */
export const courierCellOf = createCellGrid(VIEW_RESOLUTION, SQUARE_DEG);

/**
 * Counts demand and supply by cell, as a run of a region knows them. Demand is deliveries with a search whose goods are
 * ready within `soonMs`. Supply is couriers who are free by then, where they will be free. Robo-couriers and their
 * deliveries do not count, since they are made as needed.
 */
export function countCells(
  { now, deliveries, couriers, readyAt, travel }: RegionNow,
  liveMode: boolean,
  soonMs: number,
): ReadonlyMap<string, CellCount> {
  const counts = new Map<string, { demand: number; supply: number }>();
  const countOf = (cell: string): { demand: number; supply: number } => {
    const known = counts.get(cell) ?? { demand: 0, supply: 0 };
    if (known.demand + known.supply === 0) counts.set(cell, known);
    return known;
  };
  for (const delivery of deliveries) {
    const isOn = isSearchOn(delivery, now);
    if (delivery.liveMode !== liveMode || delivery.robo !== null || !isOn) continue;
    if (readyAt(delivery) - now > soonMs) continue;
    countOf(surgeCellOf(delivery.pickup.place, delivery.region)).demand += 1;
  }
  for (const entry of couriers) {
    if (entry.courier.liveMode !== liveMode || entry.courier.kind === 'robo') continue;
    const start = startOf(entry, { now, readyAt, travel });
    if (start.at - now <= soonMs) countOf(courierCellOf(start.place)).supply += 1;
  }
  return counts;
}
