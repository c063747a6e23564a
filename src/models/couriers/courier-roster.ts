import type { mongo as mongodb } from 'mongoose';
import type { Courier } from '../../domain/couriers/courier.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import type { CourierKind, Roster } from '../../ports/couriers.ts';
import type { Clock } from '../../ports/process.ts';
import { followChanges, type Feed } from '../../engines/change-feed.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { inPages } from '../../work/pages.ts';
import { createTurns } from '../../work/turns.ts';
import { AS_COURIER, COURIERS, type CourierRow } from './courier-rows.ts';

/** The stream reports only what a majority has. A newer courier whom a failover takes back would stay, without an event. */
const AS_KEPT = { ...AS_COURIER, readConcern: { level: 'majority' } } as const;

/** Couriers in one read, about 4 ms of this thread. Other work runs between two reads. */
const PAGE = 500;
/** The reading of all pages rests for so many times as long as a page took, because the first runs of a new leader need the thread. */
const REST_FACTOR = 3;
const MOST_REST_MS = 1000;
/** Most couriers that wait for another read. Above it the roster seems unused, and the next use reads all of them. */
const MOST_DOUBTED = 50_000;

/** A roster that learns from `doubt` which couriers this process has written. */
export type KeptRoster = Roster & { readonly doubt: (courierId: CourierId) => void };

/**
 * The couriers who are online, in memory. The first use begins to read them page by page, and a caller can ask for some
 * couriers sooner. From then on a change stream reports changed couriers, and the next use reads only those again. If the
 * stream loses its place, the next use reads all, and old entries serve meanwhile. The size is bounded by the couriers who are online.
 */
export function createRoster(mongo: Mongo, clock: Clock): KeptRoster {
  const readings = new Readings(mongo, clock);
  // A caller who comes during a read must wait for its end, and an older read must not come last.
  const inTurn = createTurns(1);
  return {
    doubt: (id) => readings.doubt(id),
    refresh: () => inTurn(() => readings.refresh()),
    isWhole: () => readings.isWhole,
    know: (ids) => inTurn(() => readings.know(ids)),
    find: (id) => readings.index.couriers.get(id) ?? null,
    courierOf: (id) => readings.index.holders.get(id) ?? null,
    ofKind: (kind) => readings.index.kinds.get(keyOf(kind)) ?? NOBODY,
  };
}

/** Keeps the index up to date. Its methods are called one after the other. */
class Readings {
  readonly index = createIndex();
  isWhole = false;
  readonly #mongo: Mongo;
  readonly #clock: Clock;
  readonly #rows: mongodb.Collection<CourierRow>;
  readonly #doubted = new Set<CourierId>();
  /** Couriers who were read since the present reading of pages began. The index may have old facts of others. */
  readonly #fresh = new Set<CourierId>();
  #following: AbortController | null = null;
  #failure: unknown = null;

  constructor(mongo: Mongo, clock: Clock) {
    this.#mongo = mongo;
    this.#clock = clock;
    this.#rows = mongo.collection(COURIERS);
  }

  doubt(id: CourierId): void {
    if (this.#following === null) return;
    this.#doubted.add(id);
    if (this.#doubted.size > MOST_DOUBTED) this.#sleep();
  }

  async refresh(): Promise<void> {
    if (this.#failure !== null) {
      const error = this.#failure;
      this.#failure = null;
      throw error;
    }
    if (this.#following === null) await this.#begin();
    const ids = [...this.#doubted];
    this.#doubted.clear();
    await this.#read(ids);
  }

  async know(ids: readonly CourierId[]): Promise<void> {
    if (!this.isWhole) await this.#read(ids.filter((id) => !this.#fresh.has(id)));
  }

  async #begin(): Promise<void> {
    const halt = new AbortController();
    this.#following = halt;
    this.#fresh.clear();
    const following = { mongo: this.#mongo, clock: this.#clock, halt: halt.signal, onGap: () => this.#sleep() };
    try {
      // The stream starts before the reads, so couriers who change meanwhile are read again.
      await follow(following, (id) => this.doubt(id));
    } catch (error) {
      this.#sleep();
      throw error;
    }
    this.#readEverybody(halt.signal).catch((error: unknown) => {
      if (halt.signal.aborted) return;
      this.#sleep();
      this.#failure = error;
    });
  }

  async #readEverybody(halt: AbortSignal): Promise<void> {
    const { real } = this.#clock;
    let since = real.elapsed();
    for await (const page of pagesOfOnline(this.#rows)) {
      if (halt.aborted) return;
      // A courier who was read by id may have been read after this page.
      for (const courier of page.filter(({ id }) => !this.#fresh.has(id))) {
        this.index.put(courier.id, courier);
        this.#fresh.add(courier.id);
      }
      await real.pause(Math.min(MOST_REST_MS, REST_FACTOR * (real.elapsed() - since)));
      since = real.elapsed();
    }
    if (halt.aborted) return;
    for (const id of this.index.couriers.keys()) if (!this.#fresh.has(id)) this.index.put(id, null);
    this.isWhole = true;
    this.#fresh.clear();
  }

  async #read(ids: readonly CourierId[]): Promise<void> {
    if (!this.isWhole) for (const id of ids) this.#fresh.add(id);
    await readAgain(this.#rows, this.index, ids, (id) => this.doubt(id));
  }

  #sleep(): void {
    this.#following?.abort();
    this.#following = null;
    this.isWhole = false;
    this.#doubted.clear();
  }
}

type Following = Pick<Feed<CourierRow>, 'mongo' | 'clock' | 'halt' | 'onGap'>;

/** Follows which couriers change. The stream does not carry the change itself, since the next use reads the courier. */
function follow(following: Following, onChange: (id: CourierId) => void): Promise<void> {
  return followChanges({
    ...following,
    of: COURIERS,
    stages: [{ $project: { operationType: 1, documentKey: 1 } }],
    onChange: (change) => {
      if ('documentKey' in change) onChange(change.documentKey._id as CourierId);
    },
  });
}

/** Reads these couriers into the index. If a read fails, all of them are given back. */
async function readAgain(
  rows: mongodb.Collection<CourierRow>,
  index: Index,
  ids: readonly CourierId[],
  giveBack: (id: CourierId) => void,
): Promise<void> {
  try {
    await inPages(ids, PAGE, async (page) => {
      const found = await rows.find<Courier>({ _id: { $in: [...page] } }, AS_KEPT).toArray();
      const byId = new Map(found.map((courier) => [courier.id, courier]));
      for (const id of page) index.put(id, byId.get(id) ?? null);
      return [];
    });
  } catch (error) {
    ids.forEach(giveBack);
    throw error;
  }
}

const NOBODY: ReadonlySet<CourierId> = new Set();

type Index = {
  readonly couriers: Map<CourierId, Courier>;
  readonly kinds: Map<string, Set<CourierId>>;
  readonly holders: Map<DeliveryId, CourierId>;
  put(id: CourierId, courier: Courier | null): void;
};

function createIndex(): Index {
  const couriers = new Map<CourierId, Courier>();
  const kinds = new Map<string, Set<CourierId>>();
  const holders = new Map<DeliveryId, CourierId>();
  const drop = (known: Courier): void => {
    couriers.delete(known.id);
    kinds.get(keyOf(known))?.delete(known.id);
    // A delivery that moved to another courier may already be assigned to them.
    for (const id of known.active) if (holders.get(id) === known.id) holders.delete(id);
  };
  const put = (id: CourierId, courier: Courier | null): void => {
    const known = couriers.get(id);
    if (known !== undefined) drop(known);
    if (courier === null || courier.availability !== 'online' || courier.state !== 'active') return;
    couriers.set(id, courier);
    const kind = kinds.get(keyOf(courier)) ?? new Set();
    kinds.set(keyOf(courier), kind.add(id));
    for (const held of courier.active) holders.set(held, id);
  };
  return { couriers, kinds, holders, put };
}

async function* pagesOfOnline(rows: mongodb.Collection<CourierRow>): AsyncGenerator<readonly Courier[]> {
  for (let after = ''; ;) {
    const filter = { availability: 'online' as const, state: 'active' as const, _id: { $gt: after } };
    const page = await rows.find<Courier>(filter, AS_KEPT).sort({ _id: 1 }).limit(PAGE).toArray();
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? '';
  }
}

function keyOf({ liveMode, kind, vehicleType }: CourierKind): string {
  return `${liveMode ? 'live' : 'test'} ${kind} ${vehicleType}`;
}
