import type { Clock } from '../ports/process.ts';

/** How long a place rests after a group while other processes want it too, machine time. */
const REST_MS = 25;
/** For how long after a clash a place rests, machine time. */
const REMEMBERED_MS = 10_000;
/** The most places that are remembered. The oldest is forgotten first. */
const MOST_PLACES = 10_000;

/** Remembers the places that other processes want too. */
export type Rests = {
  /** Other processes work on these places too. */
  readonly note: (places: Iterable<string>) => void;
  /** How long the place rests now, machine time in ms. 0 if nobody else has wanted it for 10 s. */
  readonly restOf: (place: string) => number;
};

/** Nobody else wants any place at the start. */
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
    restOf: (place) => {
      const end = ends.get(place);
      if (end === undefined) return 0;
      if (real.elapsed() < end) return REST_MS;
      ends.delete(place);
      return 0;
    },
  };
}
