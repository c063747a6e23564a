import { regionOf, viewCellOf } from '../domain/geo.ts';
import type { Log, Metrics } from '../ports.ts';
import type { Slot } from './position-memory.ts';
import { readRegions, recordMoves, writeRegion, type Shared, type Move } from './position-store.ts';

type Needs = Shared & {
  readonly mostPerCommand: number;
  readonly regionResolution: number;
  readonly metrics: Metrics;
  readonly log: Log;
};

/**
 * Writes what waits to Redis, one write at a time: while one is under way, or Redis is away, couriers only gather, each
 * with its newest position. So nothing is replayed and the queue is never longer than the number of couriers.
 */
export class PositionWriter {
  readonly #needs: Needs;
  #waiting: Slot[] = [];
  #writing: Promise<void> | null = null;
  #isFailing = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Takes the courier into the next write. */
  wait(slot: Slot): void {
    if (slot.isWaiting) return;
    slot.isWaiting = true;
    this.#waiting.push(slot);
  }

  /** Begins to write what waits, if that can be now. */
  write(): void {
    const isPossible = this.#writing === null && this.#needs.redis.commands.status === 'ready';
    if (!isPossible || this.#waiting.length === 0) return;
    const slots = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writeAll(slots).finally(() => {
      this.#writing = null;
    });
  }

  /** Writes what waits and resolves when that is done, well or not. */
  async flush(): Promise<void> {
    await this.#writing;
    this.write();
    await this.#writing;
  }

  async #writeAll(slots: readonly Slot[]): Promise<void> {
    try {
      await this.#settleRegions(slots);
    } catch (error) {
      this.#keep(slots, error);
      return;
    }
    const { mostPerCommand, metrics } = this.#needs;
    const writes: Promise<void>[] = [];
    for (const [region, all] of Map.groupBy(slots, ({ region }) => region)) {
      for (let from = 0; from < all.length; from += mostPerCommand) {
        writes.push(this.#writePart(region, all.slice(from, from + mostPerCommand)));
      }
    }
    await Promise.all(writes);
    metrics.count('positions_writes');
  }

  async #writePart(region: string, slots: readonly Slot[]): Promise<void> {
    const { metrics } = this.#needs;
    try {
      const writing = writeRegion(this.#needs, region, slots);
      // The commands are made: from here on, what is put belongs to the next write.
      for (const slot of slots) {
        slot.isWaiting = false;
        slot.isMoved = false;
      }
      const commands = await writing;
      for (const slot of slots) slot.storedCell = slot.viewCell;
      metrics.count('positions_redis_commands', { kind: 'write' }, commands.write);
      metrics.count('positions_redis_commands', { kind: 'publish' }, commands.publish);
      this.#isFailing = false;
    } catch (error) {
      this.#keep(slots, error);
    }
  }

  /** Finds the cells of all, and records who has come into another region: few, so this is rarely a command at all. */
  async #settleRegions(slots: readonly Slot[]): Promise<void> {
    const movers: Slot[] = [];
    for (const slot of slots) {
      slot.region = regionOf(slot.position, this.#needs.regionResolution);
      slot.viewCell = viewCellOf(slot.position);
      if (slot.region !== slot.storedRegion) movers.push(slot);
    }
    if (movers.length === 0) return;
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
      slot.storedRegion = slot.region;
      slot.storedCell = null;
    }
  }

  /** Nothing is lost by a failed write: all of it waits again, and a newer position replaces an older one. */
  #keep(slots: readonly Slot[], error: unknown): void {
    for (const slot of slots) {
      slot.isMoved = true;
      slot.isWaiting = false;
      this.wait(slot);
    }
    const isOutage = this.#needs.redis.commands.status !== 'ready';
    // An outage is logged by the connection; anything else once, not with every tick.
    if (!isOutage && !this.#isFailing) this.#needs.log.error({ error: String(error) }, 'positions were not written');
    this.#isFailing = true;
  }
}
