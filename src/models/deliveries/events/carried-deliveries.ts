import type { mongo as mongodb } from 'mongoose';
import { carriedAfter, carriedOf, type Carried } from '../../../domain/deliveries/carried.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../../domain/deliveries/events.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import { STATES_WITH_COURIER } from '../../../domain/deliveries/lifecycle.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { readConfirmed } from '../../../engines/read-confirmed.ts';
import type { CarriedDeliveries, EventLog } from '../../../ports/deliveries.ts';
import type { Clock, Log } from '../../../ports/process.ts';
import { keepGoing } from '../../../work/keep-going.ts';
import { putIn, takeOut } from '../../../work/sets/sets-by-key.ts';
import { LISTS } from '../delivery-indexes.ts';
import { deliveriesIn, findDeliveries } from '../delivery-rows.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

/** Machine time between two comparisons with the database. */
const COMPARE_MS = 60_000;
/** Machine time between two looks at whether a comparison is due. A failed one is repeated at the next look. */
const LOOK_MS = 1000;
/** Index keys and deliveries in one read. Other work gets this thread in between. */
const PAGE_OF_KEYS = 5000;
const PAGE = 500;
/** Most deliveries without a courier whose last event is remembered, against repeated events and outdated reads. */
const MOST_UNCARRIED = 50_000;

/**
 * The deliveries that couriers carry, in this process's memory. The event log keeps them up to date. At the start, after
 * a gap in the log and once a minute, the numbers of their last events are compared with an index of the database, and
 * only the deliveries that differ are read.
 */
export async function followCarried(needs: Needs): Promise<CarriedDeliveries & { stop(): Promise<void> }> {
  const { clock, eventLog, log } = needs;
  const mirror = createMirror(log);
  const survive = keepGoing(log, 'compare carried deliveries');
  const halt = new AbortController();
  let dueAt = -Infinity;
  let running: Promise<void> | null = null;
  const compareNow = async (): Promise<void> => {
    dueAt = clock.real.elapsed() + COMPARE_MS;
    try {
      await readConfirmed(needs.mongo, (options) => compare(needs.mongo, mirror, options, halt.signal));
    } catch (error) {
      dueAt = -Infinity;
      throw error;
    }
  };
  const compareWhenDue = (): void => {
    if (halt.signal.aborted || clock.real.elapsed() < dueAt) return;
    running ??= survive(compareNow).finally(() => {
      running = null;
    });
  };
  const stopFollowing = await eventLog.follow(
    (event) => mirror.hear(event),
    () => {
      dueAt = -Infinity;
      compareWhenDue();
    },
  );
  const stopLooking = clock.real.every(LOOK_MS, compareWhenDue);
  const stop = async (): Promise<void> => {
    halt.abort();
    stopLooking();
    stopFollowing();
    await running;
  };
  try {
    await compareNow();
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...mirror.carried, stop };
}

type Mirror = {
  readonly carried: CarriedDeliveries;
  hear(event: DomainEvent): void;
  /** The number of the last event that is known of the delivery; 0 if none is. */
  sequenceOf(id: DeliveryId): number;
  /** Takes what was read. News that is not newer than what is known changes nothing. */
  take(id: DeliveryId, sequence: number, after: Carried | null): void;
  /** Removes a delivery that was not found. Any further event brings it back. */
  drop(id: DeliveryId): void;
};

function createMirror(log: Log): Mirror {
  const carried = new Map<DeliveryId, Carried>();
  const byCourier = new Map<CourierId, Set<Carried>>();
  /** The number of the last event of deliveries without a courier. The delivery whose event came last is at the end. */
  const uncarried = new Map<DeliveryId, number>();
  const listeners = new Set<Parameters<CarriedDeliveries['onChange']>[0]>();
  const change = (id: DeliveryId, after: Carried | null): void => {
    const before = carried.get(id) ?? null;
    if (before !== null) takeOut(byCourier, before.courierId, before);
    if (after === null) carried.delete(id);
    else {
      carried.set(id, after);
      putIn(byCourier, after.courierId, after);
    }
    if (before === null && after === null) return;
    for (const listener of listeners) {
      try {
        listener(before, after);
      } catch (error) {
        log.error({ error }, 'a listener of carried deliveries failed');
      }
    }
  };
  const sequenceOf = (id: DeliveryId): number => carried.get(id)?.sequence ?? uncarried.get(id) ?? 0;
  const take: Mirror['take'] = (id, sequence, after) => {
    if (sequence <= sequenceOf(id)) return;
    uncarried.delete(id);
    if (after === null) {
      uncarried.set(id, sequence);
      const [oldest] = uncarried.keys();
      if (uncarried.size > MOST_UNCARRIED && oldest !== undefined) uncarried.delete(oldest);
    }
    change(id, after);
  };
  return {
    carried: {
      get: (id) => carried.get(id) ?? null,
      all: () => carried.values(),
      of: (courierId) => [...(byCourier.get(courierId) ?? [])],
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    hear: (event) => take(event.delivery_id, event.sequence, carriedAfter(event)),
    sequenceOf,
    take,
    drop: (id) => change(id, null),
  };
}

async function compare(mongo: Mongo, mirror: Mirror, options: mongodb.FindOptions, halt: AbortSignal): Promise<void> {
  const doubted = new Set<DeliveryId>();
  const listed = new Set<DeliveryId>();
  for await (const { id, sequence } of listCarried(mongo, options)) {
    if (halt.aborted) return;
    listed.add(id);
    if (sequence > mirror.sequenceOf(id)) doubted.add(id);
  }
  for (const { id } of mirror.carried.all()) if (!listed.has(id)) doubted.add(id);
  const ids = [...doubted];
  for (let from = 0; from < ids.length && !halt.aborted; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const filter = { _id: { $in: page } };
    const found = await findDeliveries(deliveriesIn(mongo), filter, { ...options, batchSize: PAGE }).toArray();
    const byId = new Map<DeliveryId, Delivery>(found.map((delivery) => [delivery.id, delivery]));
    for (const id of page) {
      const delivery = byId.get(id);
      if (delivery === undefined) mirror.drop(id);
      else mirror.take(id, delivery.sequence, carriedOf(delivery));
    }
  }
}

/** The carried deliveries with the numbers of their last events, from the index alone. */
async function* listCarried(
  mongo: Mongo,
  options: mongodb.FindOptions,
): AsyncGenerator<Pick<Carried, 'id' | 'sequence'>> {
  const state = { $in: [...STATES_WITH_COURIER] };
  for (let after = ''; ;) {
    const page = await deliveriesIn(mongo)
      .find({ state, _id: { $gt: after } }, { ...options, projection: { sequence: 1 }, hint: LISTS.carried })
      .sort({ _id: 1 })
      .limit(PAGE_OF_KEYS)
      .batchSize(PAGE_OF_KEYS)
      .toArray();
    for (const { _id, sequence } of page) yield { id: _id as DeliveryId, sequence };
    if (page.length < PAGE_OF_KEYS) return;
    after = page.at(-1)?._id ?? '';
  }
}
