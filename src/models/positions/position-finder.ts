import { regionsAt, type Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Ring } from '../../ports/positions.ts';
import type { Slot } from './position-slot.ts';
import { meetRegion, type Known } from './position-reads.ts';

/** Machine time after which a region is read from Redis again, though all batches since were heard: a net, no more. */
const MEET_AGAIN_MS = 60_000;
/** Regions remembered as read; all a continent's. Above it they are read again. */
const MOST_MET = 20_000;

type Needs = {
  readonly known: () => Known;
  readonly regionResolution: number;
  /** Machine time in ms a courier counts as present after the last word of him. */
  readonly leaseMs: number;
  /** Since when every batch was heard, by the monotonic clock; null: some are missed now. */
  readonly hearsSince: () => number | null;
};

/**
 * Finds who is present, from memory: every process hears where all couriers are. Only what was said before it listened is
 * read from Redis, once for each region that is asked for, and again when batches may have been missed.
 */
export class PositionFinder {
  readonly #needs: Needs;
  readonly #metAt = new Map<string, number>();
  readonly #meeting = new Map<string, Promise<void>>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async listPresent(regions: readonly string[]): Promise<readonly Position[]> {
    return (await this.listUpTo(regions, Infinity)) ?? [];
  }

  async listUpTo(cells: readonly string[], most: number): Promise<readonly Position[] | null> {
    const regions = regionsAt(cells, this.#needs.regionResolution);
    await Promise.all(regions.map((region) => this.#meet(region)));
    const { memory, now } = this.#needs.known();
    const found: Position[] = [];
    for (const region of regions) {
      for (const slot of memory.squares.in(region)) {
        if (!this.#isPresent(slot, now)) continue;
        if (found.length >= most) return null;
        found.push(slot.position);
      }
    }
    return found;
  }

  present(courierId: CourierId): Position | null {
    const { memory, now } = this.#needs.known();
    const slot = memory.get(courierId);
    return slot !== undefined && this.#isPresent(slot, now) ? slot.position : null;
  }

  *around(place: Coordinates, mostM: number): Generator<Ring> {
    const { memory, now } = this.#needs.known();
    for (const { withinM, slots } of memory.squares.around(place, mostM)) {
      const here = slots.filter((slot) => this.#isPresent(slot, now));
      yield { withinM, positions: here.map(({ position }) => position) };
    }
  }

  #isPresent(slot: Slot, now: number): boolean {
    return slot.heardAt > now - this.#needs.leaseMs;
  }

  async #meet(region: string): Promise<void> {
    const since = this.#needs.hearsSince();
    const metAt = this.#metAt.get(region) ?? -Infinity;
    const hasMet = since !== null && metAt >= since;
    if (hasMet && this.#needs.known().now - metAt < MEET_AGAIN_MS) return;
    const meeting = this.#meeting.get(region) ?? this.#begin(region);
    // Whoever was met before has been heard of since: the net may be drawn in behind the asker's back.
    if (!hasMet) await meeting;
  }

  #begin(region: string): Promise<void> {
    const known = this.#needs.known();
    const meeting = meetRegion(known, region, known.now - this.#needs.leaseMs)
      .then(() => {
        if (this.#metAt.size >= MOST_MET) this.#metAt.clear();
        this.#metAt.set(region, known.now);
      })
      // Redis is away: this process still knows the couriers it hears itself, and asks again the next time.
      .catch(() => undefined)
      .finally(() => this.#meeting.delete(region));
    this.#meeting.set(region, meeting);
    return meeting;
  }
}
