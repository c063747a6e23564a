import type { RegistrationId, VendorId } from '../domain/ids.ts';

type Limits = { readonly perProcess: number; readonly perRegistration: number; readonly totalRealMs: number };
type Owner = { readonly registrationId: RegistrationId; readonly vendorId: VendorId | null };

/** The attempts that this process has under way, each in a place. */
export type Places = {
  /** How many more attempts of this registration may begin now. */
  roomFor(owner: Owner): number;
  /** Takes a place. Gives what frees it again and takes note of how long the try took, machine time. */
  take(owner: Owner): (tookMs: number) => void;
};

/** A receiver that takes longer than this share of a try's time is slow, whatever it answers. */
const SLOW_SHARE = 0.2;
/** Registrations of which it is known how long their last try took; the ones not heard of for longest are forgotten. */
const MOST_KNOWN = 10_000;

/**
 * Shares the places of a process out, so that receivers that hang leave some for those that answer. Slow ones have half
 * of the places together; one that was not tried yet has one. Nobody's registrations take more than are left for others:
 * neither one registration, beyond its limit, nor all of a vendor.
 */
export function createPlaces({ perProcess, perRegistration, totalRealMs }: Limits): Places {
  const taken = { all: createTally(), slow: createTally() };
  const isSlow = new Map<RegistrationId, boolean>();
  const learn = (id: RegistrationId, tookMs: number): void => {
    isSlow.delete(id);
    isSlow.set(id, tookMs > SLOW_SHARE * totalRealMs);
    for (const oldest of isSlow.keys()) {
      if (isSlow.size <= MOST_KNOWN) break;
      isSlow.delete(oldest);
    }
  };
  return {
    roomFor: ({ registrationId, vendorId }) => {
      const own = taken.all.of(registrationId);
      const free = perProcess - taken.all.total();
      const slow = isSlow.get(registrationId);
      if (slow === undefined) return Math.min(free, own === 0 ? 1 : 0);
      const { total, of } = slow ? taken.slow : taken.all;
      const left = Math.min(free, (slow ? perProcess / 2 : perProcess) - total());
      return Math.max(0, Math.min(perRegistration - own, Math.ceil((left - of(vendorId ?? registrationId)) / 2)));
    },
    take: (owner) => {
      const kinds = isSlow.get(owner.registrationId) === true ? [taken.all, taken.slow] : [taken.all];
      for (const kind of kinds) kind.add(owner, 1);
      return (tookMs) => {
        for (const kind of kinds) kind.add(owner, -1);
        learn(owner.registrationId, tookMs);
      };
    },
  };
}

type Tally = {
  readonly total: () => number;
  readonly of: (id: RegistrationId | VendorId) => number;
  readonly add: (owner: Owner, count: 1 | -1) => void;
};

function createTally(): Tally {
  const counts = new Map<string, number>();
  let all = 0;
  const of = (id: string): number => counts.get(id) ?? 0;
  return {
    total: () => all,
    of,
    add: ({ registrationId, vendorId }, count) => {
      all += count;
      for (const id of vendorId === null ? [registrationId] : [registrationId, vendorId]) {
        const now = of(id) + count;
        if (now === 0) counts.delete(id);
        else counts.set(id, now);
      }
    },
  };
}
