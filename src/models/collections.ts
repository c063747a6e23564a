import type { CollectionRow } from '../engines/mongo.ts';
import { DELIVERY_INDEXES } from './deliveries/delivery-indexes.ts';
import { DUE_ATTEMPTS } from './webhooks/webhook-rows.ts';

/** The database deletes a row some time after its `endsOn`; one without that date stays. */
const ENDING = { key: { endsOn: 1 }, expireAfterSeconds: 0 } as const;

/** The key of the index that counts couriers who are online without reading them. */
export const ONLINE_COURIERS = { availability: 1, state: 1, liveMode: 1, kind: 1 } as const;

/** The key of the index of open alarms: newest first, as they are listed. */
export const OPEN_ALARMS = { since: -1, _id: -1 } as const;

/**
 * Every collection, made before the server takes its first request. A unique index stands only where the collection
 * stays whole; what must be unique beyond a shard is the `_id` of a row of `claims`.
 */
export const COLLECTIONS = {
  deliveries: {
    shardKey: { _id: 'hashed' },
    indexes: DELIVERY_INDEXES,
  },
  /** All events of a delivery lie on one shard, so `_id`, made of delivery and sequence, is unique there. */
  events: {
    shardKey: { delivery_id: 'hashed' },
    indexes: [
      { key: { delivery_id: 1, sequence: 1 } },
      { key: { webhooks: 1, created_at: 1, _id: 1 }, partialFilterExpression: { webhooks: 'due' } },
      ENDING,
    ],
  },
  /** `_id` is the fact. */
  claims: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  couriers: {
    shardKey: { _id: 'hashed' },
    // The roster pages through who is online.
    indexes: [
      { key: { availability: 1, state: 1, _id: 1 }, partialFilterExpression: { availability: 'online' } },
      { key: ONLINE_COURIERS, partialFilterExpression: { availability: 'online' } },
    ],
  },
  vendors: { shardKey: null, indexes: [] },
  locations: { shardKey: { vendorId: 1 }, indexes: [{ key: { vendorId: 1, _id: 1 } }] },
  quotes: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  /** Open offers only: bounded by the couriers online, and its unique indexes need it whole. */
  offers: {
    shardKey: null,
    indexes: [
      { key: { courierId: 1 }, unique: true, partialFilterExpression: { state: 'open' } },
      { key: { deliveryId: 1 }, unique: true, partialFilterExpression: { state: 'open', isExclusive: true } },
      { key: { deliveryId: 1, _id: 1 } },
      { key: { region: 1 } },
      { key: { expiresAt: 1 } },
    ],
  },
  offer_history: { shardKey: { deliveryId: 'hashed' }, indexes: [{ key: { deliveryId: 1, closedAt: 1 } }, ENDING] },
  /** The newest fencing number seen of each region. */
  regions: { shardKey: null, indexes: [] },
  /** `_id` is a vendor and mode, alone, with a pickup place, or with a place and an hour. Unused ones go. */
  preparation: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  /** `_id` is the courier. Rows of those who have answered nothing for long go. */
  acceptance: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  /** Runs of the matcher with what they were made from, and what each said of a delivery. Old ones go. */
  dispatch_runs: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  decisions: {
    shardKey: { deliveryId: 'hashed' },
    indexes: [{ key: { deliveryId: 1, at: -1, runId: -1 } }, ENDING],
  },
  /** `_id` is a mode, an H3 cell and a vehicle. Where nobody drives any more they go. */
  travel: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  /** `_id` is kind and subject: one row each, open or cleared. */
  alarms: {
    shardKey: { _id: 'hashed' },
    indexes: [{ key: OPEN_ALARMS, partialFilterExpression: { clearedAt: null } }, ENDING],
  },
  /** What the processes must agree on: the clock's origin, the demo's facts. */
  settings: { shardKey: null, indexes: [] },
  secrets: { shardKey: null, indexes: [] },
  /** `_id` is the hash of the key. */
  vendor_keys: { shardKey: { _id: 'hashed' }, indexes: [{ key: { keyId: 1 } }, { key: { vendorId: 1 } }] },
  /** `_id` is the e-mail address. */
  staff: { shardKey: null, indexes: [] },
  /** One row per log-in: the family of its refresh tokens. */
  sessions: {
    shardKey: { _id: 'hashed' },
    indexes: [ENDING, { key: { 'holder.courierId': 1, _id: -1 } }, { key: { 'holder.email': 1, _id: -1 } }],
  },
  /** `_id` is the hash of the phone: the newest code only. */
  one_time_codes: { shardKey: { _id: 'hashed' }, indexes: [ENDING] },
  registrations: {
    shardKey: { vendorId: 1 },
    indexes: [{ key: { vendorId: 1, liveMode: 1, createdAt: -1, _id: -1 } }],
  },
  /** `_id` is event and registration: one row for each pair, however often events are fanned out. */
  attempts: {
    shardKey: { _id: 'hashed' },
    indexes: [{ key: DUE_ATTEMPTS, partialFilterExpression: { state: 'due' } }, ENDING],
  },
} as const satisfies Record<string, CollectionRow>;

export type CollectionName = keyof typeof COLLECTIONS;
