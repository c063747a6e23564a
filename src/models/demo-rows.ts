import type { mongo } from 'mongoose';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId, DeliveryId, LocationId, VendorId } from '../domain/ids.ts';
import { alarmKeysOf } from './due/alarm-store.ts';
import { findClaims } from './claim-store.ts';
import type { CollectionName } from './collections.ts';
import { type CourierRow, phoneFact } from './couriers/courier-rows.ts';
import type { DeliveryRow } from './deliveries/delivery-rows.ts';
import type { Mongo } from '../engines/mongo.ts';

/** What `.data/demo.json` says: enough to try everything on this server. Keys are wire form. */
export type DemoFacts = {
  center: Coordinates;
  vendor: { id: VendorId; api_key: string; location_id: LocationId };
  couriers: { id: CourierId; phone: string }[];
  staff: { email: string; password: string };
};

/** `isUnfinished`: not everything that the facts name has been made yet. */
export type Demo = { readonly facts: DemoFacts; readonly isUnfinished: boolean };

/** How many rows were removed, by collection. */
export type Removed = Partial<Record<CollectionName, number>>;

export type DemoRows = {
  find(): Promise<Demo | null>;
  keep(demo: Demo): Promise<void>;
  /** Open deliveries of other vendors that a courier of the demo carries: nobody could end them without the courier. */
  listCarriedForOthers(facts: DemoFacts): Promise<DeliveryId[]>;
  /** Removes everything the demo is made of, its deliveries too. A removal that was cut short can be repeated. */
  remove(facts: DemoFacts): Promise<Removed>;
};

/** Deliveries that are removed at once. */
const BATCH = 500;

/** The demo of a database: which rows belong to it, and how they are removed. */
export function createDemoRows(mongo: Mongo): DemoRows {
  const rows = mongo.collection<Demo & { _id: string }>('settings');
  return {
    find: async () => {
      const row = await rows.findOne({ _id: 'demo' });
      return row === null ? null : { facts: row.facts, isUnfinished: row.isUnfinished === true };
    },
    keep: async (demo) => void (await rows.replaceOne({ _id: 'demo' }, demo, { upsert: true })),
    listCarriedForOthers: async (facts) => {
      const active = (await couriersOf(mongo, facts)).flatMap((courier) => courier.active);
      const others = { _id: { $in: active }, vendorId: { $ne: facts.vendor.id } };
      const deliveries = await mongo.collection<DeliveryRow>('deliveries').find(others).toArray();
      return deliveries.map(({ id }) => id);
    },
    remove: (facts) => removeAll(mongo, facts),
  };
}

async function couriersOf(mongo: Mongo, { couriers }: DemoFacts): Promise<CourierRow[]> {
  const phones = couriers.map(({ phone }) => phoneFact(phone, false));
  const ids = (await findClaims(mongo, phones)).map(({ holder }) => holder);
  const rows = mongo.collection<CourierRow>('couriers');
  return rows.find({ _id: { $in: ids } }).toArray();
}

type AnyRow = { _id: string; [field: string]: unknown };
type Drop = (name: CollectionName, filter: mongo.Filter<AnyRow>) => Promise<void>;

/** Credentials go first, so that nothing new is made meanwhile, and the row with the facts last. */
async function removeAll(mongo: Mongo, facts: DemoFacts): Promise<Removed> {
  const removed: Removed = {};
  const drop: Drop = async (name, filter) => {
    const { deletedCount } = await mongo.collection<AnyRow>(name).deleteMany(filter);
    if (deletedCount > 0) removed[name] = (removed[name] ?? 0) + deletedCount;
  };
  const vendorId = facts.vendor.id;
  await drop('vendor_keys', { vendorId });
  await drop('staff', { _id: facts.staff.email });
  await drop('sessions', { 'holder.email': facts.staff.email });
  await dropCouriers(await couriersOf(mongo, facts), drop);
  await dropDeliveries(mongo, vendorId, drop);
  await dropWebhooks(mongo, vendorId, drop);
  await drop('quotes', { vendorId });
  await drop('preparation', { _id: { $regex: `^${vendorId}:` } });
  await drop('locations', { vendorId });
  await drop('vendors', { _id: vendorId });
  await drop('settings', { _id: 'demo' });
  return removed;
}

async function dropCouriers(couriers: readonly CourierRow[], drop: Drop): Promise<void> {
  const ids = couriers.map(({ id }) => id);
  await drop('sessions', { 'holder.courierId': { $in: ids } });
  await drop('acceptance', { _id: { $in: ids } });
  await drop('alarms', { _id: { $in: ids.flatMap(alarmKeysOf) } });
  await drop('couriers', { _id: { $in: ids } });
  // The claims on their phones name the couriers, so they go last.
  await drop('claims', { holder: { $in: ids } });
}

async function dropDeliveries(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const rows = mongo.collection<DeliveryRow>('deliveries');
  for (;;) {
    const deliveries = await rows.find({ vendorId }).limit(BATCH).toArray();
    if (deliveries.length === 0) return;
    const ids = deliveries.map(({ id }) => id);
    await letGo(mongo, deliveries);
    for (const name of ['offers', 'offer_history', 'decisions'] as const)
      await drop(name, { deliveryId: { $in: ids } });
    await drop('alarms', { _id: { $in: ids.flatMap(alarmKeysOf) } });
    await drop('events', { delivery_id: { $in: ids } });
    await drop('claims', { holder: { $in: ids } });
    await drop('deliveries', { _id: { $in: ids } });
  }
}

/** Couriers who do not belong to the demo have room again for what they carried of it. */
async function letGo(mongo: Mongo, deliveries: readonly Delivery[]): Promise<void> {
  const couriers = deliveries.flatMap(({ courierId }) => courierId ?? []);
  const ids = deliveries.map(({ id }) => id);
  await mongo
    .collection<CourierRow>('couriers')
    .updateMany(
      { _id: { $in: couriers }, active: { $in: ids } },
      { $pull: { active: { $in: ids } }, $inc: { version: 1 } },
    );
}

async function dropWebhooks(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const registrations = await mongo.collection<AnyRow>('registrations').find({ vendorId }).toArray();
  const ids = registrations.map(({ _id }) => _id);
  await drop('attempts', { registrationId: { $in: ids } });
  await drop('claims', { holder: { $in: ids } });
  await drop('registrations', { vendorId });
}
