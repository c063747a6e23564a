import type { RegistrationId, VendorId } from '../domain/ids.ts';
import type { Waiting } from '../ports/webhooks.ts';

type Limits = { readonly perProcess: number; readonly perRegistration: number; readonly totalRealMs: number };

/** Whose turn it is, and how many attempts of it may begin now. */
export type Turn = { readonly owner: Waiting; readonly room: number };

/** The attempts that this process has under way, each in a place. */
export type Places = {
  /**
   * Gives the next turn to the vendor with the fewest places. Of several it is the one whose turn is longest ago, and so
   * among the registrations of a vendor. Null when nobody has room.
   */
  readonly next: (waiting: Iterable<Waiting>) => Turn | null;
  /** Takes a place. Gives what frees it again and takes note of how long the try took, machine time. */
  readonly take: (owner: Waiting) => (tookMs: number) => void;
};

/** A receiver that takes longer than this share of a try's time is slow, whatever it answers. */
const SLOW_SHARE = 0.2;
/** Registrations and vendors of which something is remembered; the ones not heard of for longest are forgotten. */
const MOST_KNOWN = 10_000;

/**
 * Shares the places of a process out, so that receivers that hang leave some for those that answer. Receivers that are
 * slow, or were not tried yet, have half of the places together; one that was not tried yet has one. A vendor never takes
 * more places than it leaves for others.
 */
export function createPlaces({ perProcess, perRegistration, totalRealMs }: Limits): Places {
  const all = createTally();
  /** Those of receivers that are not known to be quick. */
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

/** Places taken by the vendor, then when its last turn was, then that of the registration. */
type Rank = readonly [number, number, number];

function isBefore(one: Rank, other: Rank): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

/** Whose share a place counts for. A registration that was removed stands for itself. */
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

/** A map that forgets what was set longest ago. */
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
