/** What the server learns: preparation, acceptance, travel times. */
import type { VehicleType } from '../domain/couriers/courier.ts';
import type { Speeds } from '../domain/regions/start.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId } from '../domain/ids.ts';
import type { Learned, PreparationKey, PreparationSample } from '../domain/learning/preparation.ts';
import type { LegSample } from '../domain/learning/travel.ts';
import type { AcceptanceRecord } from '../domain/offers/acceptance.ts';
import type { Offer } from '../domain/offers/offer.ts';

/** How long the goods of a place take, learned from pickups. */
export type PreparationStore = {
  /** What was learned for each of these keys, in their order; one read for all. */
  findMany(keys: readonly PreparationKey[]): Promise<readonly Learned[]>;
  /** Adds samples to their hour, their place and their vendor. */
  record(samples: readonly PreparationSample[], rule: LearningRule): Promise<void>;
};

/** Which quantile is kept at hand, and how many samples are remembered. */
export type LearningRule = { readonly quantile: number; readonly memory: number };

/** How often couriers accept what they are offered. */
export type AcceptanceStore = {
  /** The records of these couriers, at most a minute old; those without one are left out. One read for all. */
  estimates(courierIds: readonly CourierId[]): Promise<ReadonlyMap<CourierId, AcceptanceRecord>>;
  /**
   * Takes note of a closed offer that says something of its courier, once however often it is told. Does not wait for
   * the store and never throws: an answer that gets lost makes the estimate no worse than it was.
   */
  record(closed: Offer): void;
};

/** A way that a courier may be sent: from where he is or will be, to a stop. */
export type TravelPair = { readonly from: Coordinates; readonly to: Coordinates; readonly vehicle: VehicleType };

/**
 * How long ways take, from the memory of this process: nothing here waits, and what is not known yet is fetched for the
 * next time.
 */
export type TravelTimes = Speeds & {
  /** False: there is no routing server, so that `legs` knows none and `wanted` does nothing. */
  readonly hasRouter: boolean;
  /** Seconds that a routing server told lately, in the order of the pairs; NaN where it told none. */
  legs(pairs: readonly TravelPair[]): Float64Array;
  /** Asks for those of the pairs that `legs` does not know, the first ones first, and before what was wanted earlier. */
  wanted(pairs: readonly TravelPair[]): void;
  /** Learns from legs. One that is lost or told twice does no harm. */
  record(samples: readonly LegSample[]): Promise<void>;
};
