import { regionsAt, type Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Near, NearSearch, Ring } from '../../ports/dispatch/positions.ts';
import { findNearest } from './nearest.ts';
import type { Slot } from './position-slot.ts';
import { meetRegion, type Known } from './position-reads.ts';

/** Machine time after which a region is read from Redis again, even if no batch was missed: a safety net. */
const MEET_AGAIN_MS = 60_000;
/** Most regions remembered as read, enough for a continent. Above it, the finder forgets them and reads them again. */
const MOST_MET = 20_000;

/** How often the presence of a connected courier who sends nothing is renewed within a lease, and the longest pause. */
const RENEWALS_PER_LEASE = 3;
const MOST_RENEWAL_MS = 5000;

/** Machine time between two renewals of the presence of a connected courier who sends nothing. */
export function renewalMs(leaseMs: number): number {
  return Math.min(MOST_RENEWAL_MS, leaseMs / RENEWALS_PER_LEASE);
}

type Needs = {
  readonly known: () => Known;
  readonly regionResolution: number;
  /** Machine time in ms for which a courier counts as present after their last message. */
  readonly leaseMs: number;
  /** The monotonic time since which this process received every batch; null while it may miss some. */
  readonly hearsSince: () => number | null;
};

/**
 * Finds the present couriers in memory, because every process receives all positions. Redis supplies only the positions
 * from before this process listened. The finder reads each requested region once, and again after it may have missed
 * batches.
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
    const meetings = regions.flatMap((region) => this.#meet(region) ?? []);
    // Redis could only add to those who are known.
    if (meetings.length > 0 && this.#hasHeardAll() && this.#listKnown(regions, most) === null) return null;
    await Promise.all(meetings);
    return this.#listKnown(regions, most);
  }

  /** The present couriers in memory, or null if there are more than `most`. */
  #listKnown(regions: readonly string[], most: number): readonly Position[] | null {
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

  nearest(place: Coordinates, search: NearSearch): Promise<readonly Near[] | null> {
    const { known, regionResolution, leaseMs } = this.#needs;
    const { now, ...shared } = known();
    return findNearest({ ...shared, regionResolution, presentSince: now - leaseMs }, place, search);
  }

  /** Says whether a heartbeat must be recorded: enough time has passed since the last recorded message. */
  isDueForRenewal({ heardAt }: Slot, now: number): boolean {
    return now - heardAt >= renewalMs(this.#needs.leaseMs);
  }

  /** Says whether memory certainly has the newest position: no batch was missed since. */
  isNewest({ knownAt }: Slot): boolean {
    const since = this.#needs.hearsSince();
    return since !== null && knownAt >= since;
  }

  /** Says whether Redis may have a newer position. A write would put the courier back to an older place. */
  mayBeOld(slot: Slot): boolean {
    return !slot.isOwn && !this.isNewest(slot);
  }

  /** Says whether each courier who is present has been heard here, but for those who only keep their connection open. */
  #hasHeardAll(): boolean {
    const since = this.#needs.hearsSince();
    return since !== null && this.#needs.known().now - since >= this.#needs.leaseMs;
  }

  #isPresent(slot: Slot, now: number): boolean {
    return slot.heardAt > now - this.#needs.leaseMs;
  }

  /** Reads the region from Redis if that is due. Null if the caller need not wait for it. */
  #meet(region: string): Promise<void> | null {
    const since = this.#needs.hearsSince();
    const metAt = this.#metAt.get(region) ?? -Infinity;
    const hasMet = since !== null && metAt >= since;
    if (hasMet && this.#needs.known().now - metAt < MEET_AGAIN_MS) return null;
    const meeting = this.#meeting.get(region) ?? this.#begin(region);
    // A region that was read before has had every batch since, so only the safety net reads it.
    return hasMet ? null : meeting;
  }

  #begin(region: string): Promise<void> {
    const known = this.#needs.known();
    const meeting = meetRegion(known, region, known.now - this.#needs.leaseMs)
      .then(() => {
        if (this.#metAt.size >= MOST_MET) this.#metAt.clear();
        this.#metAt.set(region, known.now);
      })
      // Redis is away. This process still knows its own couriers, and reads the region again at the next call.
      .catch(() => undefined)
      .finally(() => this.#meeting.delete(region));
    this.#meeting.set(region, meeting);
    return meeting;
  }
}
