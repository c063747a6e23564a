import type { DomainEvent } from '../../domain/deliveries/events.ts';
import type { EventLog } from '../../ports/deliveries.ts';
import type { Clock, Stop } from '../../ports/process.ts';
import { followChanges } from '../../engines/change-feed.ts';
import { AS_EVENT, eventOf, EVENTS_LOG, type EventRow } from './event-rows.ts';
import type { Mongo } from '../../engines/mongo.ts';

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
      mongo.log.error({ event: row._id, error: String(error) }, 'a reader of the event log failed');
    }
  }
}
