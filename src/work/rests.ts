import type { Clock } from '../ports/process.ts';

/** How long a place rests after a group while others want it too, machine time. */
export const REST_MS = 25;
/** For how long after a conflict a place rests, machine time. */
const REMEMBERED_MS = 10_000;
/** The most places that are remembered. The oldest is forgotten first. */
const MOST_PLACES = 10_000;

/** Remembers the places that others want too. */
export type Rests = {
  /** Somebody else works on one of these places. */
  readonly note: (places: Iterable<string>) => void;
  /** Says whether somebody else has wanted the place in the last 10 s. */
  readonly mustRest: (place: string) => boolean;
};

/** At the start, nobody else wants any place. */
export function createRests({ real }: Pick<Clock, 'real'>): Rests {
  const ends = new Map<string, number>();
  return {
    note: (places) => {
      for (const place of places) {
        // A place that is noted again becomes the newest.
        ends.delete(place);
        ends.set(place, real.elapsed() + REMEMBERED_MS);
      }
      for (const place of ends.keys()) {
        if (ends.size <= MOST_PLACES) break;
        ends.delete(place);
      }
    },
    mustRest: (place) => {
      const end = ends.get(place);
      if (end === undefined) return false;
      if (real.elapsed() < end) return true;
      ends.delete(place);
      return false;
    },
  };
}
