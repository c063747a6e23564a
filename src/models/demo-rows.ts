import type { mongo } from 'mongoose';
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import { subsidyClaim } from '../domain/deliveries/quote.ts';
import type { DeliveryId, FileId, VendorId } from '../domain/ids.ts';
import { alarmKeysOf } from './due/alarm-store.ts';
import { findClaims } from './claim-store.ts';
import { phoneFact, COURIERS, type CourierRow } from './couriers/courier-rows.ts';
import type { Mongo } from '../engines/mongo.ts';
import { scopeOf } from '../domain/analytics/roll-up.ts';
import { kindOf, type Shape } from '../engines/shapes/shape.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Clock } from '../ports/process.ts';
import { SESSIONS, STAFF, VENDOR_KEYS } from './access/credential-shapes.ts';
import { RATINGS, ROLL_UPS } from './analytics/roll-up-shapes.ts';
import { keysOf } from './access/keys/manage-keys.ts';
import { CLAIMS } from './claim-shape.ts';
import { storeWith } from './store-entries.ts';
import { SETTLEMENT_ACCOUNTS, SETTLEMENTS } from './ledger/settlement/settlement-shapes.ts';
import { refundsOf, TOP_UP_REFUNDS } from './ledger/wallets/top-up-refund-store.ts';
import { ADJUSTMENTS } from './ledger/wallets/adjustment-store.ts';
import { SUSPENSE } from './ledger/wallets/suspense-store.ts';
import { voidHolds } from './ledger/void-holds.ts';
import { DISPUTES } from './disputes/dispute-shapes.ts';
import { disputesOf } from './disputes/dispute-store.ts';
import { withdrawDisputes } from './disputes/withdraw-disputes.ts';
import { BILLING_ACCOUNTS } from './billing/invoice-shapes.ts';
import { aloneFact, moneyOf } from './transact-alone.ts';
import { DOCUMENTS, documentsOf } from './couriers/document-store.ts';
import { FILES } from './files/file-shapes.ts';
import { DELIVERIES } from './deliveries/delivery-shape.ts';
import { EVENTS_LOG } from './deliveries/events/event-rows.ts';
import { POLYLINES } from './deliveries/polyline-shape.ts';
import { QUOTES } from './deliveries/quote-shape.ts';
import { ALARMS } from './due/alarm-shape.ts';
import { ACCEPTANCE, PREPARATION } from './learning/learning-shapes.ts';
import { OFFERS, OFFER_HISTORY } from './offers/offer-shapes.ts';
import { DECISIONS } from './regions/decision-shapes.ts';
import { type Demo, type DemoFacts, SETTINGS } from './setting-shapes.ts';
import { SANDBOX_PAYMENTS } from './sandbox/sandbox-shape.ts';
import { TOP_UPS } from './ledger/wallets/top-up-shape.ts';
import { LOCATIONS, VENDORS } from './vendors/vendor-shapes.ts';
import { ATTEMPTS, REGISTRATIONS } from './webhooks/webhook-shapes.ts';

type Tools = { readonly clock: Clock; readonly ledger: Ledger };
/** How many rows were removed, by collection. */
export type Removed = Readonly<Record<string, number>>;

export type DemoRows = {
  find(): Promise<Demo | null>;
  keep(demo: Demo): Promise<void>;
  /** Open deliveries of other vendors that a courier of the demo carries. They cannot end without the courier. */
  listCarriedForOthers(facts: DemoFacts): Promise<DeliveryId[]>;
  /**
   * Removes all rows of the demo and its deliveries, and gives back the money that they and open disputes reserve. A
   * removal that was cut short can be repeated. Its last step stores the entry of the audit log.
   */
  remove(facts: DemoFacts, tools: Tools, entry: AuditEntry): Promise<Removed>;
};

/** Ends a file, service time in ms. */
const ENDED = { $set: { endsAt: 1 } };
/** Deliveries that are removed at a time. */
const BATCH = 500;

/** Stores the facts of the demo, finds its rows and removes them. */
export function createDemoRows(mongo: Mongo): DemoRows {
  const demos = mongo.records(kindOf(SETTINGS, 'demo'));
  return {
    find: async () => {
      const row = await demos.find({ _id: 'demo' });
      return row === null ? null : { facts: row.facts, isUnfinished: row.isUnfinished };
    },
    keep: async (demo) => demos.put({ _id: 'demo', ...demo }),
    listCarriedForOthers: async (facts) => {
      const active = (await couriersOf(mongo, facts)).flatMap((courier) => courier.active);
      const others = { _id: { $in: active }, vendorId: { $ne: facts.vendor.id } };
      const deliveries = await mongo.collection(DELIVERIES).find(others).toArray();
      return deliveries.map(({ id }) => id);
    },
    remove: async (facts, { clock, ledger }, entry) => {
      const removed = await removeAll(mongo, { clock, ledger }, facts);
      const { deletedCount } = await storeWith(mongo, clock, entry, (within) =>
        mongo.collection(SETTINGS).deleteOne({ _id: 'demo' }, within),
      );
      return { ...removed, [SETTINGS.name]: deletedCount };
    },
  };
}

async function couriersOf(mongo: Mongo, { couriers }: DemoFacts): Promise<CourierRow[]> {
  const phones = couriers.map(({ phone }) => phoneFact(phone, false));
  const ids = (await findClaims(mongo, phones)).map(({ holder }) => holder);
  const rows = mongo.collection(COURIERS);
  return rows.find({ _id: { $in: ids } }).toArray();
}

type Drop = <Row extends mongo.Document>(of: Shape<Row>, filter: mongo.Filter<Row>) => Promise<void>;

/** Removes all rows but that with the facts. Credentials go first, so that callers create nothing meanwhile. */
async function removeAll(mongo: Mongo, { clock, ledger }: Tools, facts: DemoFacts): Promise<Removed> {
  const removed: Record<string, number> = {};
  const drop: Drop = async (of, filter) => {
    const { deletedCount } = await mongo.collection(of).deleteMany(filter);
    if (deletedCount > 0) removed[of.name] = (removed[of.name] ?? 0) + deletedCount;
  };
  const vendorId = facts.vendor.id;
  await drop(VENDOR_KEYS, { vendorId });
  await drop(CLAIMS, { _id: { $in: [true, false].map((isLive) => aloneFact(keysOf(vendorId, isLive))) } });
  await drop(STAFF, { _id: facts.staff.email });
  await drop(SESSIONS, { 'holder.email': facts.staff.email });
  await dropCouriers(mongo, await couriersOf(mongo, facts), drop);
  // Before the holds, whose end seals the entries of the disputes too.
  await withdrawDisputes(mongo, clock, vendorId);
  await voidHolds(mongo, ledger, vendorId);
  await dropDisputes(vendorId, drop);
  await dropDeliveries(mongo, vendorId, drop);
  await dropWebhooks(mongo, vendorId, drop);
  await dropTopUps(mongo, vendorId, drop);
  await drop(BILLING_ACCOUNTS, { vendorId });
  await drop(SETTLEMENT_ACCOUNTS, { vendorId });
  await drop(SETTLEMENTS, { vendorId });
  await drop(SUSPENSE, { vendorId });
  await drop(ADJUSTMENTS, { vendorId });
  await dropQuotes(mongo, vendorId, drop);
  await drop(ROLL_UPS, { scope: { $in: scopesOf(facts) } });
  await drop(PREPARATION, { _id: { $regex: `^${vendorId}:` } });
  await drop(LOCATIONS, { vendorId });
  const vendor = await mongo.collection(VENDORS).findOne({ _id: vendorId });
  await endFiles(mongo, [vendor?.logo ?? null]);
  await drop(VENDORS, { _id: vendorId });
  return removed;
}

async function dropCouriers(mongo: Mongo, couriers: readonly CourierRow[], drop: Drop): Promise<void> {
  const ids = couriers.map(({ id }) => id);
  const documents = await mongo
    .collection(DOCUMENTS)
    .find({ courierId: { $in: ids } })
    .toArray();
  await endFiles(
    mongo,
    documents.map(({ fileId }) => fileId),
  );
  await drop(DOCUMENTS, { courierId: { $in: ids } });
  await drop(CLAIMS, { _id: { $in: ids.map((id) => aloneFact(documentsOf(id))) } });
  await drop(SESSIONS, { 'holder.courierId': { $in: ids } });
  await drop(ACCEPTANCE, { _id: { $in: ids } });
  await drop(ALARMS, { _id: { $in: ids.flatMap(alarmKeysOf) } });
  await drop(COURIERS, { _id: { $in: ids } });
  // The claims on their phones name the couriers, so they go last.
  await drop(CLAIMS, { holder: { $in: ids } });
}

/** Ends these files; null names none. The next server removes the content of files that have ended. */
async function endFiles(mongo: Mongo, ids: readonly (FileId | null)[]): Promise<void> {
  await mongo.collection(FILES).updateMany({ _id: { $in: ids.filter((id) => id !== null) } }, ENDED);
}

/** The scopes of analytics that count nothing but the demo’s vendor. */
function scopesOf({ vendor }: DemoFacts): string[] {
  return [true, false].flatMap((isLive) => [scopeOf(isLive, vendor.id), scopeOf(isLive, vendor.location_id)]);
}

async function dropDeliveries(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const rows = mongo.collection(DELIVERIES);
  for (;;) {
    const deliveries = await rows.find({ vendorId }).limit(BATCH).toArray();
    if (deliveries.length === 0) return;
    const ids = deliveries.map(({ id }) => id);
    await letGo(mongo, deliveries);
    await drop(OFFERS, { deliveryId: { $in: ids } });
    await drop(OFFER_HISTORY, { deliveryId: { $in: ids } });
    await drop(DECISIONS, { deliveryId: { $in: ids } });
    await drop(ALARMS, { _id: { $in: ids.flatMap(alarmKeysOf) } });
    await drop(EVENTS_LOG, { delivery_id: { $in: ids } });
    await drop(CLAIMS, { holder: { $in: ids } });
    await drop(RATINGS, { deliveryId: { $in: ids } });
    await drop(POLYLINES, { _id: { $in: ids } });
    await drop(DELIVERIES, { _id: { $in: ids } });
  }
}

/** Frees couriers outside the demo from these deliveries, so that they have room again. */
async function letGo(mongo: Mongo, deliveries: readonly Delivery[]): Promise<void> {
  const couriers = deliveries.flatMap(({ courierId }) => courierId ?? []);
  const ids = deliveries.map(({ id }) => id);
  await mongo
    .collection(COURIERS)
    .updateMany(
      { _id: { $in: couriers }, active: { $in: ids } },
      { $pull: { active: { $in: ids } }, $inc: { version: 1 } },
    );
}

/** Top-ups that the ledger has booked are named in its entries, which stay. */
async function dropTopUps(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const ids = await mongo.collection(TOP_UPS).distinct('_id', { vendorId });
  await drop(SANDBOX_PAYMENTS, { _id: { $in: ids } });
  const names = [moneyOf(vendorId), refundsOf(vendorId, true), refundsOf(vendorId, false)];
  await drop(CLAIMS, { _id: { $in: names.map(aloneFact) } });
  // The worker still has to end the others, whose money is on its way.
  await drop(TOP_UP_REFUNDS, { vendorId, state: { $in: ['paid', 'failed', 'reversed'] } });
  await drop(TOP_UPS, { vendorId });
}

async function dropDisputes(vendorId: VendorId, drop: Drop): Promise<void> {
  const names = [true, false].map((liveMode) => aloneFact(disputesOf({ vendorId, liveMode })));
  await drop(CLAIMS, { _id: { $in: names } });
  await drop(DISPUTES, { vendorId });
}

/** A subsidy has claimed its quote, as a delivery without one has. */
async function dropQuotes(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const quotes = await mongo
    .collection(QUOTES)
    .find({ vendorId }, { projection: { id: 1 } })
    .toArray();
  for (let at = 0; at < quotes.length; at += BATCH) {
    const facts = quotes.slice(at, at + BATCH).map(({ id }) => subsidyClaim(id));
    await drop(CLAIMS, { _id: { $in: facts } });
  }
  await drop(QUOTES, { vendorId });
}

async function dropWebhooks(mongo: Mongo, vendorId: VendorId, drop: Drop): Promise<void> {
  const registrations = await mongo.collection(REGISTRATIONS).find({ vendorId }).toArray();
  const ids = registrations.map(({ _id }) => _id);
  await drop(ATTEMPTS, { registrationId: { $in: ids } });
  await drop(CLAIMS, { holder: { $in: ids } });
  await drop(REGISTRATIONS, { vendorId });
}
