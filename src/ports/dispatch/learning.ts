/** Learned knowledge: preparation, acceptance, travel times. */
import type { CourierId } from '../../domain/ids.ts';
import type { Learned, PreparationKey, PreparationSample } from '../../domain/learning/preparation.ts';
import type { LegSample } from '../../domain/learning/travel.ts';
import type { Ride, Ways } from '../../domain/learning/ways.ts';
import type { AcceptanceRecord } from '../../domain/offers/acceptance.ts';
import type { Offer } from '../../domain/offers/offer.ts';

/** How long the goods of a place take, learned from pickups. */
export type PreparationStore = {
  /** The learned spans for each of these keys, in their order, in one read. */
  findMany(keys: readonly PreparationKey[]): Promise<readonly Learned[]>;
  /** Adds samples to their hour, their place and their vendor. */
  record(samples: readonly PreparationSample[], rule: LearningRule): Promise<void>;
};

/** The quantile that is kept ready, and how many samples are remembered. */
export type LearningRule = { readonly quantile: number; readonly memory: number };

/** How often couriers accept offers. */
export type AcceptanceStore = {
  /** The records of these couriers, at most a minute old, in one read. Couriers without a record are left out. */
  estimates(courierIds: readonly CourierId[]): Promise<ReadonlyMap<CourierId, AcceptanceRecord>>;
  /**
   * Records a closed offer that says something about its courier; a repeat changes nothing. Does not wait for the store
   * and never throws. A lost answer leaves the estimate as it was.
   */
  record(closed: Offer): void;
};

/** A way as a routing server knows it: it is the same in both modes. */
export type TravelPair = Omit<Ride, 'liveMode'>;

/**
 * How long ways take, from the memory of this process. Nothing here waits. Unknown times are fetched for the next call.
 */
export type TravelTimes = Ways & {
  /** False while no routing server is known. Then `wanted` requests nothing, and `legs` has earlier answers only. */
  hasRouter(): boolean;
  /**
   * Seconds of ways that begin at `at`, by the fresh answers for the cells of each way, times the stretch. They are
   * in the order of the ways, and NaN where it gave none.
   */
  legs(rides: readonly Ride[], at: number): Float64Array;
  /** Requests the pairs of a region that `legs` does not know, the first ones first, and before earlier requests. */
  wanted(pairs: readonly TravelPair[]): void;
  /** Learns from legs. A lost or repeated leg does no harm. */
  record(samples: readonly LegSample[]): Promise<void>;
};

/** Members of the context that this file describes. */
export type LearningPorts = {
  readonly preparation: PreparationStore;
  readonly acceptance: AcceptanceStore;
  readonly travel: TravelTimes;
};
