import type { FeatureCollection, Polygon } from 'geojson';
import { cellToBoundary, latLngToCell } from 'h3-js';
import type { DeliveryView } from '../shared/wire.ts';
import { courierState, type FleetCourier } from './fleet.ts';
import { WATCH_RESOLUTION } from './watched-cells.ts';

type Cell = { demand: number; supply: number };

/** Cells with waiting deliveries or free couriers. `lack` goes from -1, only couriers, to 1, only deliveries. */
export function demandCells(
  deliveries: Iterable<DeliveryView>,
  couriers: Iterable<FleetCourier>,
  now: number,
): FeatureCollection<Polygon, { lack: number }> {
  const cells = new Map<string, Cell>();
  const at = ({ lat, lng }: { lat: number; lng: number }): Cell => {
    const id = latLngToCell(lat, lng, WATCH_RESOLUTION);
    const cell = cells.get(id) ?? { demand: 0, supply: 0 };
    cells.set(id, cell);
    return cell;
  };
  for (const { status, pickup } of deliveries) {
    if (status === 'searching') at(pickup.coordinates).demand += 1;
  }
  for (const courier of couriers) {
    if (courierState(courier, now) === 'idle') at(courier).supply += 1;
  }
  return {
    type: 'FeatureCollection',
    features: [...cells].map(([id, { demand, supply }]) => ({
      type: 'Feature',
      properties: { lack: (demand - supply) / (demand + supply) },
      geometry: { type: 'Polygon', coordinates: [cellToBoundary(id, true)] },
    })),
  };
}
