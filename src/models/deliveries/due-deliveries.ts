import type { mongo } from 'mongoose';
import type { Duty } from '../../domain/deliveries/due.ts';
import { OPEN_STATES, leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { State } from '../../domain/deliveries/states.ts';
import type { DeliveryStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import { toDelivery, type DeliveryRow, type StoredDelivery } from './delivery-rows.ts';

/** The states in which a delivery can be due; only these deliveries are in the index of the duty. */
export const DUE_STATES: Readonly<Record<Duty, readonly State[]>> = {
  search: OPEN_STATES.filter((state) => leavesFrom(state, 'start_search') || leavesFrom(state, 'assign')),
  late: OPEN_STATES,
};

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
