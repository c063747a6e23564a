import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { CourierStore } from '../../ports/couriers.ts';
import type { Clock } from '../../ports/process.ts';
import { claimRow } from '../claim-store.ts';
import { AS_COURIER, findCourier, findCourierByPhone, phoneFact, COURIERS } from './courier-rows.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import { CLAIMS } from '../claim-shape.ts';

/** Stores couriers. Only `commit` changes their deliveries. `onChange` is called for each courier written here. */
export function createCourierStore(mongo: Mongo, clock: Clock, onChange: (id: CourierId) => void): CourierStore {
  const rows = mongo.collection(COURIERS);
  const find: CourierStore['find'] = (id) => findCourier(mongo, id);
  const change = async (
    id: CourierId,
    version: number,
    values: Partial<Courier>,
    unsets: readonly (keyof Courier)[] = [],
  ): Promise<Courier | null> => {
    const $unset = Object.fromEntries(unsets.map((name) => [name, 1] as const));
    const update = { $set: values, $unset, $inc: { version: 1 } };
    const after = await rows.findOneAndUpdate({ _id: id, version }, update, { ...AS_COURIER, returnDocument: 'after' });
    onChange(id);
    return after;
  };
  return {
    find,
    get: async (id) => {
      const courier = await find(id);
      if (courier === null) throw new Refusal('courier_not_found');
      return courier;
    },
    findMany: (ids) => rows.find<Courier>({ _id: { $in: [...ids] } }, AS_COURIER).toArray(),
    findByPhone: (phone, liveMode) => findCourierByPhone(mongo, phone, liveMode),
    add: async (courier) => {
      const isAdded = await add(mongo, clock, courier);
      onChange(courier.id);
      return isAdded;
    },
    setState: (id, version, state, suspendedFor) =>
      // Only an active courier is online.
      change(
        id,
        version,
        {
          state,
          ...(state === 'active' ? {} : { availability: 'offline' }),
          ...(suspendedFor === undefined ? {} : { suspendedFor }),
        },
        suspendedFor === undefined ? ['suspendedFor'] : [],
      ),
    setAvailability: (id, version, availability, at) =>
      change(id, version, { availability, ...(availability === 'online' ? { idleSinceAt: at } : {}) }),
    listOnline: (ids) =>
      rows.find<Courier>({ _id: { $in: [...ids] }, availability: 'online', state: 'active' }, AS_COURIER).toArray(),
  };
}

/** Adds the courier and the claim on the phone, or neither. */
async function add(mongo: Mongo, clock: Clock, courier: Courier): Promise<boolean> {
  const { id, phone, liveMode } = courier;
  try {
    await transact(mongo, clock, async (session) => {
      const claim = claimRow({ fact: phoneFact(phone, liveMode), holder: id }, null);
      await mongo.collection(CLAIMS).insertOne(claim, { session });
      await mongo.collection(COURIERS).insertOne({ _id: id, ...courier }, { session });
    });
    return true;
  } catch (error) {
    // The phone already has a courier in this mode. Any other error is a fault.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
