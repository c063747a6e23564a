import type { mongo as engine } from 'mongoose';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { CourierStore } from '../../ports/couriers.ts';
import type { Clock } from '../../ports/process.ts';
import { claimRow } from '../claim-store.ts';
import { AS_COURIER, courierOf, findCourierByPhone, phoneFact, COURIERS, type CourierRow } from './courier-rows.ts';
import { listCouriers } from './courier-lists.ts';
import { termsOfCourier } from '../../domain/couriers/courier-terms.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import type { Finds } from '../../engines/together.ts';
import { transact } from '../../engines/transact.ts';
import { storeEntries, storeWith } from '../store-entries.ts';
import { CLAIMS } from '../claim-shape.ts';

/** Stores couriers. Only `commit` changes their deliveries. `onChange` is called for each courier written here. */
export function createCourierStore(
  mongo: Mongo,
  clock: Clock,
  { finds, onChange }: { readonly finds: Finds; readonly onChange: (id: CourierId) => void },
): CourierStore {
  const rows = mongo.collection(COURIERS);
  const read = finds(rows);
  const find: CourierStore['find'] = async (id) => courierOf(await read(id));
  const change = async (
    { id, version }: Pick<Courier, 'id' | 'version'>,
    update: engine.UpdateFilter<CourierRow>,
    entry: AuditEntry | null,
  ): Promise<Courier | null> => {
    const after = await storeWith(mongo, clock, entry, (options) =>
      rows.findOneAndUpdate(
        { _id: id, version },
        { ...update, $inc: { version: 1 } },
        { ...AS_COURIER, returnDocument: 'after', ...options },
      ),
    );
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
    add: async (courier, entry) => {
      const isAdded = await add(mongo, clock, courier, entry);
      onChange(courier.id);
      return isAdded;
    },
    setStanding: (courier, standing, entry) => {
      const $unset = standing.suspendedFor === undefined ? { suspendedFor: 1 as const } : {};
      return change(courier, { $set: standing, $unset }, entry);
    },
    setAvailability: (courier, availability, at, entry) =>
      change(courier, { $set: { availability, ...(availability === 'online' ? { idleSinceAt: at } : {}) } }, entry),
    update: async (before, after, entry) => {
      const result = await update(mongo, clock, before, after, entry);
      onChange(before.id);
      return result;
    },
    list: (filter, page) => listCouriers(mongo, filter, page),
    listOnline: (ids) =>
      rows.find<Courier>({ _id: { $in: [...ids] }, availability: 'online', state: 'active' }, AS_COURIER).toArray(),
  };
}

/** Adds the courier, the claim on the phone and the audit entry, or nothing. */
async function add(mongo: Mongo, clock: Clock, courier: Courier, entry: AuditEntry | null): Promise<boolean> {
  const { id, phone, liveMode } = courier;
  try {
    await transact(mongo, clock, async (session) => {
      const claim = claimRow({ fact: phoneFact(phone, liveMode), holder: id }, null);
      await mongo.collection(CLAIMS).insertOne(claim, { session });
      await mongo.collection(COURIERS).insertOne({ _id: id, ...courier, terms: termsOfCourier(courier) }, { session });
      if (entry !== null) await storeEntries(mongo, [entry], { session });
    });
    return true;
  } catch (error) {
    // The phone already has a courier in this mode. Any other error is a fault.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Writes the profile, its search words and its audit entry, and moves the claim on the phone if that is new. */
async function update(
  mongo: Mongo,
  clock: Clock,
  before: Courier,
  after: Courier,
  entry: AuditEntry | null,
): Promise<'done' | 'stale' | 'taken'> {
  const { id: _id, version, liveMode } = before;
  const [old, next] = [phoneFact(before.phone, liveMode), phoneFact(after.phone, liveMode)];
  const { name, phone, vehicleType } = after;
  const sets = { name, phone, vehicleType, terms: termsOfCourier(after), ...optionalOf(after) };
  const unsets = OPTIONAL.filter((field) => after[field] === undefined);
  const $unset = Object.fromEntries(unsets.map((field) => [field, 1] as const));
  try {
    return await transact(mongo, clock, async (session) => {
      const change = { $set: sets, $unset, $inc: { version: 1 } };
      const { matchedCount } = await mongo.collection(COURIERS).updateOne({ _id, version }, change, { session });
      if (matchedCount === 0) return 'stale';
      if (old !== next) {
        await mongo.collection(CLAIMS).insertOne(claimRow({ fact: next, holder: _id }, null), { session });
        await mongo.collection(CLAIMS).deleteOne({ _id: old, holder: _id }, { session });
      }
      if (entry !== null) await storeEntries(mongo, [entry], { session });
      return 'done';
    });
  } catch (error) {
    // Another courier of this mode has the phone. Any other error is a fault.
    if (isDuplicateKey(error)) return 'taken';
    throw error;
  }
}

const OPTIONAL = ['email', 'plate', 'city'] as const;

function optionalOf(courier: Courier): Pick<Courier, (typeof OPTIONAL)[number]> {
  return Object.fromEntries(
    OPTIONAL.flatMap((field) => (courier[field] === undefined ? [] : [[field, courier[field]]])),
  );
}
