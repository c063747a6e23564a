import type { mongo } from 'mongoose';
import type { Duty } from '../../domain/deliveries/due.ts';
import type { DeliveryStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import { DUE_STATES } from './delivery-indexes.ts';
import { toDelivery, type StoredDelivery } from './delivery-rows.ts';
import type { DeliveryRow } from './delivery-shape.ts';

/** Greater than any time: nothing is due until the delivery is written again. */
const NEVER = Infinity;

/** The duties of time: their index is read from the due time that is longest past, and no further than now. */
export function createDueDeliveries(
  rows: mongo.Collection<DeliveryRow>,
  clock: Clock,
): Pick<DeliveryStore, 'listDue' | 'putOff'> {
  return {
    listDue: async (duty, limit) => {
      // A delivery without a due time was written by an older version of the server: it is looked at now.
      const isDue = { [fieldOf(duty)]: { $not: { $gt: clock.now() } } };
      const found = await rows
        .find<StoredDelivery & Pick<DeliveryRow, 'dues'>>(
          { state: { $in: [...DUE_STATES[duty]] }, ...isDue },
          { projection: { _id: 0, terms: 0, phoneTails: 0 } },
        )
        .sort({ [fieldOf(duty)]: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ dues, ...stored }) => ({ delivery: toDelivery(stored), dueAt: dues?.[duty] ?? null }));
    },
    putOff: async (duty, { delivery, dueAt }, nextAt) => {
      const unchanged = { _id: delivery.id, state: { $in: [...DUE_STATES[duty]] }, [fieldOf(duty)]: dueAt };
      await rows.updateOne(unchanged, { $set: { [fieldOf(duty)]: nextAt ?? NEVER } });
    },
  };
}

function fieldOf(duty: Duty): `dues.${Duty}` {
  return `dues.${duty}`;
}
