import type { Log, Metrics } from '../../ports/process.ts';
import type { CourierSquares } from './courier-squares.ts';
import type { Slot } from './position-slot.ts';
import { readRegions, recordMoves, writeRegion, type Shared, type Move } from './position-store.ts';

type Needs = Shared & {
  readonly mostPerCommand: number;
  readonly renewEveryMs: number;
  readonly squares: Pick<CourierSquares, 'regionOf'>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Called after Redis has lost couriers of this region. */
  readonly onLost: (region: string) => void;
};

/**
 * Writes the waiting couriers to Redis, one write at a time. During a write or an outage couriers only queue, each with
 * their newest position. Nothing is replayed, and the queue is never longer than the number of couriers.
 */
export class PositionWriter {
  readonly #needs: Needs;
  #waiting: Slot[] = [];
  #writing: Promise<void> | null = null;
  #isFailing = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Queues the courier for the next write. */
  wait(slot: Slot): void {
    if (slot.isWaiting) return;
    slot.isWaiting = true;
    this.#waiting.push(slot);
  }

  /** Starts to write the queue, unless a write is in flight or Redis is away. */
  write(): void {
    const isPossible = this.#writing === null && this.#needs.redis.commands.status === 'ready';
    if (!isPossible || this.#waiting.length === 0) return;
    const slots = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writeAll(slots).finally(() => {
      this.#writing = null;
    });
  }

  /** Writes the queue and resolves when that has succeeded or failed. */
  async flush(): Promise<void> {
    await this.#writing;
    this.write();
    await this.#writing;
  }

  async #writeAll(slots: readonly Slot[]): Promise<void> {
    let arrived: ReadonlySet<Slot>;
    try {
      arrived = await this.#settleRegions(slots);
    } catch (error) {
      this.#keep(slots, slots.filter(isNews), error);
      return;
    }
    const { metrics } = this.#needs;
    const writes: Promise<void>[] = [];
    for (const [region, all] of Map.groupBy(slots, ({ region }) => region)) {
      for (const part of this.#parts(all)) writes.push(this.#writePart(region, part, arrived));
    }
    await Promise.all(writes);
    metrics.count('positions_writes', {});
  }

  async #writePart(region: string, slots: readonly Slot[], arrived: ReadonlySet<Slot>): Promise<void> {
    const { metrics, onLost, renewEveryMs } = this.#needs;
    const news = slots.filter(isNews);
    try {
      const writing = writeRegion(this.#needs, region, slots, renewEveryMs);
      // The commands are made. Positions that arrive from now on belong to the next write.
      for (const slot of slots) {
        slot.isWaiting = false;
        slot.isMoved = false;
        slot.isNews = false;
      }
      const { write, publish, added } = await writing;
      metrics.count('positions_redis_commands', { kind: 'write' }, write);
      metrics.count('positions_redis_commands', { kind: 'publish' }, publish);
      this.#isFailing = false;
      if (added > slots.filter((slot) => arrived.has(slot)).length) onLost(region);
    } catch (error) {
      this.#keep(slots, news, error);
    }
  }

  *#parts<T>(all: readonly T[]): Generator<readonly T[]> {
    const { mostPerCommand } = this.#needs;
    for (let from = 0; from < all.length; from += mostPerCommand) yield all.slice(from, from + mostPerCommand);
  }

  /**
   * Finds the regions of all slots, and records couriers who moved to another region. Few do, so this seldom needs a command.
   * @returns the slots that Redis does not have in their region yet
   */
  async #settleRegions(slots: readonly Slot[]): Promise<ReadonlySet<Slot>> {
    const movers: Slot[] = [];
    for (const slot of slots) {
      slot.region = this.#needs.squares.regionOf(slot);
      if (slot.region !== slot.storedRegion) movers.push(slot);
    }
    const arrived = new Set<Slot>();
    for (const part of this.#parts(movers)) await this.#move(part, arrived);
    return arrived;
  }

  async #move(movers: readonly Slot[], arrived: Set<Slot>): Promise<void> {
    const { redis, keys, metrics } = this.#needs;
    const unknown = movers.filter(({ storedRegion }) => storedRegion === null);
    const asked = await readRegions(
      redis,
      keys,
      unknown.map(({ position }) => position.courierId),
    );
    unknown.forEach((slot, i) => (slot.storedRegion = asked[i] ?? null));
    const moves = movers.map(({ position, storedRegion, region }): Move => ({
      id: position.courierId,
      from: storedRegion,
      to: region,
    }));
    const commands = await recordMoves(redis, keys, moves);
    metrics.count('positions_redis_commands', { kind: 'move' }, commands + (unknown.length > 0 ? 1 : 0));
    for (const slot of movers) {
      if (slot.storedRegion === slot.region) continue;
      arrived.add(slot);
      slot.storedRegion = slot.region;
      slot.seenAt = -Infinity;
    }
  }

  /** Queues the slots of a failed write again, so nothing is lost. Newer positions replace older ones. */
  #keep(slots: readonly Slot[], news: readonly Slot[], error: unknown): void {
    for (const slot of slots) {
      slot.isMoved = true;
      slot.seenAt = -Infinity;
      slot.isWaiting = false;
      this.wait(slot);
    }
    for (const slot of news) slot.isNews = true;
    // The connections log an outage. Any other failure is logged once, not at every tick.
    const { redis, log } = this.#needs;
    if (!redis.outage.isOn() && !this.#isFailing) log.error({ error }, 'positions were not written');
    this.#isFailing = true;
  }
}

function isNews(slot: Slot): boolean {
  return slot.isNews;
}
