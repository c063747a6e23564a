import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { Duty } from '../../domain/deliveries/due.ts';
import type { DeliveryStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import { DUE_ONLY, DUE_STATES } from './delivery-indexes.ts';
import { toDelivery, type StoredDelivery } from './delivery-rows.ts';
import { DELIVERIES, type DeliveryRow } from './delivery-shape.ts';

/** Later than any time: the delivery is not due until it is written again. */
const NEVER = Infinity;

/** The duties of time. A read of their index starts at the earliest due time and ends at the current time. */
export function createDueDeliveries(mongo: Mongo, clock: Clock): Pick<DeliveryStore, 'listDue' | 'putOff'> {
  const rows = mongo.collection(DELIVERIES);
  return {
    listDue: async (duty, limit) => {
      // An older version of the server stored deliveries without due times. They are due at once.
      const isDue = {
        state: { $in: [...DUE_STATES[duty]] },
        ...DUE_ONLY[duty],
        [fieldOf(duty)]: { $not: { $gt: clock.now() } },
      };
      if (!(await isAny(mongo, clock, DELIVERIES, isDue))) return [];
      const found = await rows
        .find<StoredDelivery & Pick<DeliveryRow, 'dues'>>(isDue, { projection: { _id: 0, terms: 0, phoneTails: 0 } })
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
