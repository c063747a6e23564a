import { randomBytes } from 'node:crypto';
import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { Near, NearSearch, PositionIndex, Ring } from '../../ports/dispatch/positions.ts';
import type { Clock, Log, Metrics, Stop } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { BatchListeners } from './batch-listeners.ts';
import { ConnectedCouriers } from './connected-couriers.ts';
import { PositionMemory } from './position-memory.ts';
import type { Slot } from './position-slot.ts';
import { PositionFinder, renewalMs } from './position-finder.ts';
import { readPosition, silence, type Known } from './position-reads.ts';
import { positionKeys, type Shared } from './position-store.ts';
import { Unplaced } from './unplaced.ts';
import { startSweeping } from './position-sweep.ts';
import { decodeBatch } from './position-wire.ts';
import { PositionWriter } from './position-writer.ts';
import { hear } from './hear.ts';
import type { RedisConnections } from '../../engines/redis/redis.ts';
import { RedisTime } from '../../engines/redis/redis-time.ts';

type Needs = {
  readonly redis: RedisConnections;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly log: Log;
};

/**
 * The newest position of every courier, in this process's memory and shared over Redis. `put` only marks a courier.
 * Each tick gives its batch to the local listeners. If the last write has ended, the tick starts the next one. While
 * Redis is away, only the latest position of each courier waits.
 */
export function createPositionIndex(needs: Needs): PositionIndex & { start(): Promise<void>; stop(): Promise<void> } {
  return new Index(needs);
}

class Index implements PositionIndex {
  readonly #shared: Shared;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #startSweeping: () => Stop;
  readonly #writer: PositionWriter;
  readonly #memory: PositionMemory;
  readonly #finder: PositionFinder;
  readonly #listeners: BatchListeners;
  readonly #connected: ConnectedCouriers;
  readonly #unplaced: Unplaced;
  readonly #stops: Stop[] = [];
  #fresh: Slot[] = [];
  /** Monotonic times: since when no batch was missed (null: may miss some), and when Redis came back (null: never). */
  #hearsSince: number | null = null;
  #backAt: number | null = null;

  constructor({ redis, clock, settings, metrics, log }: Needs) {
    const origin = randomBytes(9).toString('base64url');
    this.#shared = { redis, time: new RedisTime(redis, clock), keys: positionKeys(redis.prefix), origin };
    this.#clock = clock;
    this.#settings = settings;
    const { mostPerCommand } = settings.positions;
    const { regionResolution } = settings.dispatch;
    this.#memory = new PositionMemory(regionResolution);
    const { squares } = this.#memory;
    const onLost = (region: string): void => this.#writeAgain(region);
    const { leaseMs: serviceMs, leastRealLeaseMs } = settings.presence;
    const leaseMs = Math.max(serviceMs / clock.scale, leastRealLeaseMs);
    const renewEveryMs = renewalMs(leaseMs);
    this.#writer = new PositionWriter({ ...this.#shared, mostPerCommand, renewEveryMs, squares, metrics, log, onLost });
    this.#startSweeping = () => startSweeping({ shared: this.#shared, memory: this.#memory, leaseMs, clock, log });
    this.#listeners = new BatchListeners(log);
    this.#connected = new ConnectedCouriers(clock.real.elapsed(), renewEveryMs);
    this.#unplaced = new Unplaced(renewEveryMs);
    this.#finder = new PositionFinder({
      known: () => this.#known(),
      regionResolution,
      leaseMs,
      hearsSince: () => this.#hearsSince,
    });
  }

  async start(): Promise<void> {
    const { redis, time, keys, origin } = this.#shared;
    const { subscriber, commands } = redis;
    const pattern = `${keys.channel}*`;
    const onMessage = (from: string, channel: string, message: string): void => {
      if (from === pattern && !message.startsWith(origin)) this.#hear(channel, message);
    };
    const onBack = (): void => {
      this.#backAt = this.#clock.real.elapsed();
      this.#writeAgain(null);
    };
    commands.on('ready', onBack);
    this.#stops.push(await time.start());
    const onHearing = (isHearing: boolean): void =>
      void (this.#hearsSince = isHearing ? this.#clock.real.elapsed() : null);
    this.#stops.push(
      await hear(subscriber, pattern, onMessage, onHearing),
      this.#clock.real.every(this.#settings.positions.tickRealMs, () => this.#tick()),
      this.#startSweeping(),
      () => void commands.off('ready', onBack),
    );
  }

  async stop(): Promise<void> {
    const { redis, keys } = this.#shared;
    for (const stop of this.#stops.splice(0)) stop();
    this.#tick();
    await this.#writer.flush();
    // Not awaited: while Redis is away, this would wait for its return. It fails only on a closed connection.
    redis.subscriber.punsubscribe(`${keys.channel}*`).catch(() => undefined);
  }

  last(courierId: CourierId): Position | null {
    return this.#memory.get(courierId)?.position ?? null;
  }

  async find(courierId: CourierId): Promise<Position | null> {
    const slot = this.#memory.get(courierId);
    if (slot !== undefined && this.#finder.isNewest(slot)) return slot.position;
    return readPosition(this.#known(), courierId);
  }

  put(position: Position): void {
    const now = this.#clock.real.elapsed();
    const slot = this.#memory.take(position, now, now);
    if (slot === null) return;
    slot.isMoved = true;
    this.#tellOf(slot, now);
    if (!slot.isFresh) {
      slot.isFresh = true;
      this.#fresh.push(slot);
    }
  }

  touch(courierIds: readonly CourierId[]): void {
    const now = this.#clock.real.elapsed();
    for (const id of courierIds) this.#touch(id, now);
  }

  keepPresent(courierId: CourierId): Stop {
    return this.#connected.add(courierId, this.#clock.real.elapsed());
  }

  onBatch(listener: (batch: readonly Position[]) => void): Stop {
    return this.#listeners.add(listener);
  }

  listPresent(regions: readonly string[]): Promise<readonly Position[]> {
    return this.#finder.listPresent(regions);
  }

  listUpTo(regions: readonly string[], most: number): Promise<readonly Position[] | null> {
    return this.#finder.listUpTo(regions, most);
  }

  present(courierId: CourierId): Position | null {
    return this.#finder.present(courierId);
  }

  around(place: Coordinates, mostM: number): Iterable<Ring> {
    return this.#finder.around(place, mostM);
  }

  nearest(place: Coordinates, search: NearSearch): Promise<readonly Near[] | null> {
    return this.#finder.nearest(place, search);
  }

  silentForMs(courierIds: readonly CourierId[], exactFromMs: number): Promise<ReadonlyMap<CourierId, number>> {
    return silence(this.#known(), courierIds, { backAt: this.#backAt, exactFromMs });
  }

  /** Returns when the courier was last heard, as far as known. */
  #touch(id: CourierId, now: number): number {
    const slot = this.#memory.get(id);
    if (slot === undefined || this.#finder.mayBeOld(slot)) {
      this.#unplaced.add(id);
      // While it hears no others, this process alone says who is there.
      if (slot !== undefined && this.#hearsSince === null) slot.heardAt = now;
      return slot?.heardAt ?? now;
    }
    if (this.#finder.isDueForRenewal(slot, now)) this.#tellOf(slot, now);
    return slot.heardAt;
  }

  /** Records that these couriers were heard here. Memory has their newest positions. */
  #record(ids: readonly CourierId[]): void {
    const slots = ids.flatMap((id) => this.#memory.get(id) ?? []);
    for (const slot of slots) this.#tellOf(slot, this.#clock.real.elapsed());
  }

  /** Marks a courier who was heard here. The next write informs Redis and the other processes. */
  #tellOf(slot: Slot, now: number): void {
    slot.heardAt = now;
    slot.isNews = true;
    slot.isOwn = true;
    this.#writer.wait(slot);
  }

  /** Writes this process's couriers again after Redis may have lost the data of one region, or of all if it is null. */
  #writeAgain(region: string | null): void {
    for (const slot of this.#memory.doubt(region)) this.#writer.wait(slot);
  }

  #known(): Known {
    return {
      ...this.#shared,
      memory: this.#memory,
      now: this.#clock.real.elapsed(),
      isNewest: (slot) => this.#finder.isNewest(slot),
    };
  }

  #hear(channel: string, message: string): void {
    const { keys, origin } = this.#shared;
    const region = channel.slice(keys.channel.length);
    const now = this.#clock.real.elapsed();
    const { positions, touched } = decodeBatch(message.slice(origin.length));
    const batch: Position[] = [];
    for (const position of positions) {
      const slot = this.#memory.take(position, now, now);
      if (slot === null) continue;
      slot.storedRegion = region;
      slot.isOwn = false;
      batch.push(position);
    }
    for (const id of touched) {
      const slot = this.#memory.get(id);
      if (slot === undefined) continue;
      slot.heardAt = now;
      slot.isOwn = false;
    }
    this.#listeners.tell(batch);
  }

  #tick(): void {
    const batch = this.#fresh.map((slot) => {
      slot.isFresh = false;
      return slot.position;
    });
    this.#fresh = [];
    this.#listeners.tell(batch);
    const now = this.#clock.real.elapsed();
    this.#connected.renew(now, (id) => this.#touch(id, now));
    void this.#unplaced.place(this.#known()).then((placed) => this.#record(placed));
    this.#writer.write();
  }
}
