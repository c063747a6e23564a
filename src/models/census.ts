import type { mongo } from 'mongoose';
import type { AlarmKind } from '../domain/alarm.ts';
import { OPEN_STATES } from '../domain/deliveries/lifecycle.ts';
import type { Census, CensusStore } from '../ports/dispatch/due.ts';
import type { LedgerChecks } from '../ports/ledger.ts';
import { LISTS } from './deliveries/delivery-indexes.ts';
import type { Mongo } from '../engines/mongo.ts';
import { COURIERS, type CourierRow, ONLINE_COURIERS } from './couriers/courier-rows.ts';
import { EVENTS_LOG, type EventRow } from './deliveries/events/event-rows.ts';
import { ALARMS, OPEN_ALARMS } from './due/alarm-shape.ts';
import { ATTEMPTS, DUE_ATTEMPTS } from './webhooks/webhook-shapes.ts';
import { DELIVERIES, type DeliveryRow } from './deliveries/delivery-shape.ts';

/** Most index keys that one count reads: about 50 ms of the database. A larger number is reported as this one. */
const MOST_KEYS = 100_000;
/** Most alarms that one count reads. It reads their documents, and the exact number of so many is of no use. */
const MOST_ALARMS = 10_000;

/** Counts the open work of the whole installation, from indexes and up to a bound. */
export function createCensus(mongo: Mongo, { findLast }: Pick<LedgerChecks, 'findLast'>): CensusStore {
  return {
    take: async (now) => {
      const [deliveries, couriers, alarms, webhooks, analytics, ledger] = await Promise.all([
        countDeliveries(mongo),
        countCouriers(mongo),
        countAlarms(mongo),
        countWebhooks(mongo, now),
        countWaiting(mongo, 'counted'),
        findLast(),
      ]);
      return { deliveries, couriers, alarms, webhooks, analytics, ledger };
    },
  };
}

type DeliveryGroup = Omit<Census['deliveries'][number], 'count'>;
type CourierGroup = Omit<Census['couriers'][number], 'count'>;

function countDeliveries(mongo: Mongo): Promise<Census['deliveries']> {
  const match = { liveMode: { $in: [true, false] }, state: { $in: [...OPEN_STATES] } };
  return groups<DeliveryGroup, DeliveryRow>(
    mongo.collection(DELIVERIES),
    match,
    { liveMode: '$liveMode', state: '$state' },
    LISTS.ofAllByState,
  );
}

function countCouriers(mongo: Mongo): Promise<Census['couriers']> {
  const match = { availability: 'online', state: 'active' };
  return groups<CourierGroup, CourierRow>(
    mongo.collection(COURIERS),
    match,
    { liveMode: '$liveMode', kind: '$kind' },
    ONLINE_COURIERS,
  );
}

async function groups<Key, Row extends mongo.Document>(
  rows: mongo.Collection<Row>,
  match: mongo.Document,
  key: Record<keyof Key, string>,
  hint: mongo.Hint,
): Promise<(Key & { count: number })[]> {
  const stages = [{ $match: match }, { $limit: MOST_KEYS }, { $group: { _id: key, count: { $sum: 1 } } }];
  const found = await rows.aggregate<{ _id: Key; count: number }>(stages, { hint }).toArray();
  return found.map(({ _id, count }) => ({ ..._id, count }));
}

async function countAlarms(mongo: Mongo): Promise<Census['alarms']> {
  const stages = [
    { $match: { clearedAt: null } },
    { $limit: MOST_ALARMS },
    { $group: { _id: '$kind', count: { $sum: 1 } } },
  ];
  const found = await mongo
    .collection(ALARMS)
    .aggregate<{ _id: AlarmKind; count: number }>(stages, { hint: OPEN_ALARMS })
    .toArray();
  return found.map(({ _id: kind, count }) => ({ kind, count }));
}

/** Counts the events that are not fanned out yet, and the attempts whose time has come. */
async function countWebhooks(mongo: Mongo, now: number): Promise<Census['webhooks']> {
  const due = { state: 'due', registrationId: { $gt: '' }, dueAt: { $lte: now } };
  const stages = [
    { $match: due },
    { $limit: MOST_KEYS },
    { $group: { _id: null, count: { $sum: 1 }, dueSince: { $min: '$dueAt' } } },
  ];
  const attempts = mongo.collection(ATTEMPTS).aggregate<Waiting>(stages, { hint: DUE_ATTEMPTS });
  const [[waiting], events] = await Promise.all([attempts.toArray(), countWaiting(mongo, 'webhooks')]);
  return [
    { stage: 'attempt', count: waiting?.count ?? 0, dueSince: waiting?.dueSince ?? null },
    { stage: 'event', ...events },
  ];
}

/** Counts the events that one reader of the log still has to handle. */
async function countWaiting(mongo: Mongo, reader: 'webhooks' | 'counted'): Promise<Census['analytics']> {
  const events = mongo.collection(EVENTS_LOG);
  const due: mongo.Filter<EventRow> = { [reader]: 'due' };
  const [count, oldest] = await Promise.all([
    events.countDocuments(due, { limit: MOST_KEYS }),
    events.findOne(due, { sort: { created_at: 1, _id: 1 }, projection: { created_at: 1 } }),
  ]);
  return { count, dueSince: oldest === null ? null : Date.parse(oldest.created_at) };
}

type Waiting = { readonly count: number; readonly dueSince: number };
