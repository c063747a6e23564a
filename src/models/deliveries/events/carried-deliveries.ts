import { carriedAfter, carriedOf, type Carried } from '../../../domain/deliveries/carried.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../../domain/deliveries/events.ts';
import type { DeliveryId } from '../../../domain/ids.ts';
import { STATES_WITH_COURIER } from '../../../domain/deliveries/lifecycle.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import type { CarriedDeliveries, EventLog } from '../../../ports/deliveries.ts';
import type { Clock, Log, Stop } from '../../../ports/process.ts';
import { keepGoing } from '../../../work/keep-going.ts';
import { LISTS } from '../delivery-indexes.ts';
import { deliveriesIn, findDeliveries } from '../delivery-rows.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly eventLog: Pick<EventLog, 'follow'>;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
};

/** Machine time between two comparisons with the database, and between two tries if it may be wrong. */
const COMPARE_MS = 60_000;
const RETRY_MS = 1000;
/** Index keys and deliveries in one read. Other work gets this thread in between. */
const PAGE_OF_KEYS = 5000;
const PAGE = 500;
/** Most deliveries without a courier whose last event is remembered, in case older news of them comes. */
const MOST_GONE = 50_000;

/**
 * The deliveries that couriers carry, in this process's memory. The event log keeps them up to date. At the start, after
 * a gap in the log and once a minute, their numbers are compared with an index of the database, and only those that
 * differ are read.
 */
export async function followCarried(needs: Needs): Promise<CarriedDeliveries & { stop(): void }> {
  const { clock, eventLog, log } = needs;
  const mirror = createMirror(log);
  const survive = keepGoing(log, 'compare carried deliveries');
  let isDoubted = false;
  let comparedAt = clock.real.elapsed();
  let running: Promise<void> | null = null;
  const compareNow = async (): Promise<void> => {
    isDoubted = false;
    comparedAt = clock.real.elapsed();
    try {
      await compare(needs, mirror);
    } catch (error) {
      isDoubted = true;
      throw error;
    }
  };
  const compareWhenDue = (): void => {
    if (!isDoubted && clock.real.elapsed() - comparedAt < COMPARE_MS) return;
    running ??= survive(compareNow).finally(() => {
      running = null;
    });
  };
  const stopFollowing = await eventLog.follow(
    (event) => mirror.hear(event),
    () => {
      isDoubted = true;
      compareWhenDue();
    },
  );
  const stopComparing: Stop = clock.real.every(RETRY_MS, compareWhenDue);
  const stop = (): void => {
    stopComparing();
    stopFollowing();
  };
  try {
    await compareNow();
  } catch (error) {
    stop();
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
};

function createMirror(log: Log): Mirror {
  const carried = new Map<DeliveryId, Carried>();
  /** The last event of deliveries that have no courier any more, in the order in which they lost them. */
  const gone = new Map<DeliveryId, number>();
  const listeners = new Set<Parameters<CarriedDeliveries['onChange']>[0]>();
  const tell = (before: Carried | null, after: Carried | null): void => {
    for (const listener of listeners) {
      try {
        listener(before, after);
      } catch (error) {
        log.error({ error: String(error) }, 'a listener of carried deliveries failed');
      }
    }
  };
  const sequenceOf = (id: DeliveryId): number => carried.get(id)?.sequence ?? gone.get(id) ?? 0;
  const take: Mirror['take'] = (id, sequence, after) => {
    if (sequence <= sequenceOf(id)) return;
    const before = carried.get(id) ?? null;
    gone.delete(id);
    if (after === null) {
      carried.delete(id);
      gone.set(id, sequence);
      for (const oldest of gone.keys()) {
        if (gone.size <= MOST_GONE) break;
        gone.delete(oldest);
      }
    } else carried.set(id, after);
    if (before !== null || after !== null) tell(before, after);
  };
  return {
    carried: {
      get: (id) => carried.get(id) ?? null,
      all: () => carried.values(),
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    hear: (event) => take(event.delivery_id, event.sequence, carriedAfter(event)),
    sequenceOf,
    take,
  };
}

/** Reads by majority, like the log, so that nothing is taken that a failover may roll back. */
const MAJORITY = { readConcern: { level: 'majority' } } as const;

async function compare({ mongo }: Needs, mirror: Mirror): Promise<void> {
  const doubted = new Set<DeliveryId>();
  const listed = new Set<DeliveryId>();
  for await (const { id, sequence } of listCarried(mongo)) {
    listed.add(id);
    if (sequence > mirror.sequenceOf(id)) doubted.add(id);
  }
  for (const { id } of mirror.carried.all()) if (!listed.has(id)) doubted.add(id);
  const ids = [...doubted];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const found = await findDeliveries(deliveriesIn(mongo), { _id: { $in: page } }, MAJORITY).toArray();
    const byId = new Map<DeliveryId, Delivery>(found.map((delivery) => [delivery.id, delivery]));
    for (const id of page) {
      const delivery = byId.get(id);
      // A delivery that is not stored any more has no further event.
      if (delivery === undefined) mirror.take(id, Infinity, null);
      else mirror.take(id, delivery.sequence, carriedOf(delivery));
    }
  }
}

/** The carried deliveries with the numbers of their last events, from the index alone. */
async function* listCarried(mongo: Mongo): AsyncGenerator<Pick<Carried, 'id' | 'sequence'>> {
  const state = { $in: [...STATES_WITH_COURIER] };
  for (let after = ''; ;) {
    const page = await deliveriesIn(mongo)
      .find({ state, _id: { $gt: after } }, { projection: { sequence: 1 }, hint: LISTS.carried, ...MAJORITY })
      .sort({ _id: 1 })
      .limit(PAGE_OF_KEYS)
      .batchSize(PAGE_OF_KEYS)
      .toArray();
    for (const { _id, sequence } of page) yield { id: _id as DeliveryId, sequence };
    if (page.length < PAGE_OF_KEYS) return;
    after = page.at(-1)?._id ?? '';
  }
}
