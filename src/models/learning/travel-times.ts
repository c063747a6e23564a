import type { TravelPair, TravelTimes } from '../../ports/dispatch/learning.ts';
import type { Clock, Log } from '../../ports/process.ts';
import { LearnedTravel } from './learned-travel.ts';
import { busyWhenAway } from '../../engines/away.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { createTravelStore } from './travel-store.ts';

type Needs = {
  readonly mongo: Mongo;
  /** The answers of the routing server. */
  readonly router: Pick<TravelTimes, 'hasRouter' | 'routedS' | 'wanted'> & {
    legs(pairs: readonly TravelPair[]): Float64Array;
    close(): void;
  };
  readonly clock: Clock;
  readonly log: Log;
};

/** Machine time between two reads of newly requested cells. The second run of a region has their speeds. */
const REFRESH_MS = 1000;

/**
 * Travel times from three providers: answers of a routing server times the learned stretch, speeds learned from past legs,
 * and the defaults. All answers come from memory. Missing ones are fetched in the background, so callers never wait.
 */
export function createTravelTimes({ mongo, router, clock, log }: Needs): TravelTimes & { close(): void } {
  const store = busyWhenAway(createTravelStore(mongo, clock));
  const learned = new LearnedTravel(store, clock);
  const survive = keepGoing(log, 'learned travel times');
  let isRefreshing = false;
  const refresh = async (): Promise<void> => {
    if (isRefreshing) return;
    isRefreshing = true;
    // If it fails, known travel times stay, and other cells have the defaults until the next read.
    await survive(() => learned.refresh());
    isRefreshing = false;
  };
  const stop = clock.real.every(REFRESH_MS, () => void refresh());
  return {
    hasRouter: () => router.hasRouter(),
    speedsAt: (places, at, liveMode) => learned.speedsAt(places, at, liveMode),
    stretchAt: (ride, at) => learned.stretchAt(ride, at),
    setOffS: (start) => learned.setOffS(start),
    routedS: (ride) => router.routedS(ride),
    legs: (rides, at) => {
      const routedS = router.legs(rides);
      return Float64Array.from(rides, (ride, index) => (routedS[index] ?? NaN) * learned.stretchAt(ride, at));
    },
    wanted: (pairs) => router.wanted(pairs),
    record: (samples) => store.record(samples),
    close: () => {
      stop();
      router.close();
    },
  };
}
