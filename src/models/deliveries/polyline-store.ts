import type { Mongo } from '../../engines/mongo.ts';
import type { PolylineStore } from '../../ports/deliveries.ts';
import { polylinesIn } from './delivery-rows.ts';

/** Reads the lines of ways. They are written with the birth of their delivery, and never change. */
export function createPolylineStore(mongo: Mongo): PolylineStore {
  const rows = polylinesIn(mongo);
  return {
    list: async (deliveryId) => (await rows.findOne({ _id: deliveryId }))?.polylines ?? [],
  };
}
