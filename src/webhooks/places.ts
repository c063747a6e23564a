import type { RegistrationId, VendorId } from '../domain/ids.ts';
import type { Waiting } from '../ports/webhooks.ts';

type Limits = { readonly perProcess: number; readonly perRegistration: number; readonly totalRealMs: number };

/** The registration that is next, and how many of its attempts may start now. */
export type Turn = { readonly owner: Waiting; readonly room: number };

/** The attempts in flight of this process, each in a place. */
export type Places = {
  /**
   * Gives the next turn to the vendor with the fewest places. Among equals, the vendor whose last turn was longest ago is
   * next. The same holds for the registrations of a vendor. Returns null if no registration may start an attempt.
   */
  readonly next: (waiting: Iterable<Waiting>) => Turn | null;
  /** Takes a place. Returns a function that frees it and records how long the try took, machine time. */
  readonly take: (owner: Waiting) => (tookMs: number) => void;
};

/** A receiver that takes longer than this share of the time of a try is slow, regardless of its answer. */
const SLOW_SHARE = 0.2;
/** Most registrations and vendors in memory. The least recently used ones are forgotten first. */
const MOST_KNOWN = 10_000;

/**
 * Divides the places of a process so that hanging receivers leave places for others. Receivers that are slow or were
 * never tried have at most half of the places together. A receiver that was never tried has one place. A vendor never
 * takes more places than it leaves free.
 */
export function createPlaces({ perProcess, perRegistration, totalRealMs }: Limits): Places {
  const all = createTally();
  /** The places of receivers that are not known to be quick. */
  const doubtful = createTally();
  const isSlow = createMemory<RegistrationId, boolean>();
  const turns = createMemory<RegistrationId | VendorId, number>();
  let turn = 0;
  const roomFor = (owner: Waiting): number => {
    const slow = isSlow.get(owner.registrationId);
    const [tally, most] = slow === false ? [all, perProcess] : [doubtful, perProcess / 2];
    const left = Math.min(perProcess - all.total(), most - tally.total());
    const own = (slow === undefined ? 1 : perRegistration) - all.of(owner.registrationId);
    return Math.max(0, Math.min(own, Math.ceil((left - tally.of(payerOf(owner))) / 2)));
  };
  const rankOf = (owner: Waiting): Rank => {
    const payer = payerOf(owner);
    return [all.of(payer), turns.get(payer) ?? 0, turns.get(owner.registrationId) ?? 0];
  };
  return {
    next: (waiting) => {
      let best: (Turn & { readonly rank: Rank }) | null = null;
      for (const owner of waiting) {
        const room = roomFor(owner);
        if (room === 0) continue;
        const rank = rankOf(owner);
        if (best === null || isBefore(rank, best.rank)) best = { owner, room, rank };
      }
      if (best === null) return null;
      turn += 1;
      turns.set(payerOf(best.owner), turn);
      turns.set(best.owner.registrationId, turn);
      return { owner: best.owner, room: best.room };
    },
    take: (owner) => {
      const tallies = isSlow.get(owner.registrationId) === false ? [all] : [all, doubtful];
      for (const tally of tallies) tally.add(owner, 1);
      return (tookMs) => {
        for (const tally of tallies) tally.add(owner, -1);
        isSlow.set(owner.registrationId, tookMs > SLOW_SHARE * totalRealMs);
      };
    },
  };
}

/** The order of turns: places of the vendor, then its last turn, then the last turn of the registration. */
type Rank = readonly [number, number, number];

function isBefore(one: Rank, other: Rank): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

/** The vendor to whose share a place counts. A removed registration counts by itself. */
function payerOf({ registrationId, vendorId }: Waiting): RegistrationId | VendorId {
  return vendorId ?? registrationId;
}

type Tally = {
  readonly total: () => number;
  readonly of: (id: RegistrationId | VendorId) => number;
  readonly add: (owner: Waiting, count: 1 | -1) => void;
};

function createTally(): Tally {
  const counts = new Map<string, number>();
  let all = 0;
  const of = (id: string): number => counts.get(id) ?? 0;
  return {
    total: () => all,
    of,
    add: (owner, count) => {
      all += count;
      for (const id of new Set([owner.registrationId, payerOf(owner)])) {
        const now = of(id) + count;
        if (now === 0) counts.delete(id);
        else counts.set(id, now);
      }
    },
  };
}

type Memory<K, V> = { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => void };

/** A map that forgets its oldest entries. */
function createMemory<K, V>(): Memory<K, V> {
  const known = new Map<K, V>();
  return {
    get: (key) => known.get(key),
    set: (key, value) => {
      known.delete(key);
      known.set(key, value);
      for (const oldest of known.keys()) {
        if (known.size <= MOST_KNOWN) return;
        known.delete(oldest);
      }
    },
  };
}
