import type { mongo } from 'mongoose';
import type { DomainEvent } from '../../../domain/deliveries/events.ts';
import type { EventFilter, EventLog } from '../../../ports/deliveries.ts';
import type { Page, PageRequest } from '../../../ports/pages.ts';
import type { Clock, Stop } from '../../../ports/process.ts';
import { followChanges } from '../../../engines/change-feed.ts';
import { AS_EVENT, eventOf, EVENTS_LOG, type EventRow } from './event-rows.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../../engines/pages.ts';

type Follower = { readonly listener: (event: DomainEvent) => void; readonly onGap: () => void };

/** Reads the log of events: by delivery, or live from one change stream that all followers share. */
export function createEventLog(mongo: Mongo, clock: Clock): EventLog {
  const followers = new Set<Follower>();
  let open: { readonly halt: AbortController; readonly isOpen: Promise<void> } | null = null;
  const start = (halt: AbortSignal): Promise<void> =>
    followChanges({
      mongo,
      clock,
      of: EVENTS_LOG,
      stages: [{ $match: { operationType: 'insert' } }],
      onChange: (change) => {
        if (change.operationType === 'insert') tell(mongo, followers, change.fullDocument);
      },
      onGap: () => {
        for (const { onGap } of followers) onGap();
      },
      halt,
    });
  return {
    ...readEvents(mongo),
    follow: async (listener, onGap): Promise<Stop> => {
      const follower: Follower = { listener, onGap };
      followers.add(follower);
      if (open === null) {
        const halt = new AbortController();
        open = { halt, isOpen: start(halt.signal) };
      }
      await open.isOpen;
      return () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        open?.halt.abort();
        open = null;
      };
    },
    list: (deliveryId, after, limit) =>
      mongo
        .collection(EVENTS_LOG)
        .find<DomainEvent>(
          { delivery_id: deliveryId, sequence: { $gt: after } },
          // Majority: like the events of the stream, the events read here are never rolled back.
          { ...AS_EVENT, readConcern: { level: 'majority' } },
        )
        .sort({ sequence: 1 })
        .limit(limit)
        .toArray(),
  };
}

function tell(mongo: Mongo, followers: ReadonlySet<Follower>, row: EventRow): void {
  const event = eventOf(row);
  for (const { listener } of followers) {
    try {
      listener(event);
    } catch (error) {
      // A fault of one reader on one event must not keep it from the next events, or the other readers from this one.
      mongo.log.error({ event: row._id, error }, 'a reader of the event log failed');
    }
  }
}

/** The reads of a vendor's own events. */
function readEvents(mongo: Mongo): Pick<EventLog, 'findOwn' | 'listOwn'> {
  const rows = mongo.collection(EVENTS_LOG);
  return {
    findOwn: ({ vendorId, liveMode }, id) =>
      rows.findOne<DomainEvent>({ id, vendor_id: vendorId, live_mode: liveMode }, AS_EVENT),
    listOwn: (filter, page) => list(rows, filter, page),
  };
}

async function list(
  rows: mongo.Collection<EventRow>,
  { vendorId, liveMode, type, deliveryId, from, to }: EventFilter,
  { limit, after }: PageRequest,
): Promise<Page<DomainEvent>> {
  const within: mongo.Filter<EventRow>[] = [{ vendor_id: vendorId, live_mode: liveMode }];
  if (deliveryId !== undefined) within.push({ delivery_id: deliveryId });
  if (from !== undefined) within.push({ created_at: { $gte: new Date(from).toISOString() } });
  if (to !== undefined) within.push({ created_at: { $lt: new Date(to).toISOString() } });
  if (type !== undefined) within.push({ type });
  const order = { created_at: -1, id: -1 } as const;
  const mark = after === null ? null : { at: new Date(after.at).toISOString(), id: after.id };
  const found = await rows
    .find<DomainEvent>({ $and: [...within, rowsAfter(mark, order)] }, AS_EVENT)
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(found, limit, markOf);
}

function markOf({ created_at: at, id }: Pick<DomainEvent, 'created_at' | 'id'>) {
  return { at: Date.parse(at), id };
}
