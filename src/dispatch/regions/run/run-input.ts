import type { AcceptanceRecord } from '../../../domain/offers/acceptance.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { TravelTimes } from '../../../ports/dispatch/learning.ts';
import type { Ways } from '../../../domain/learning/ways.ts';
import type { Settings } from '../../../settings.ts';
import type { RegionNow } from '../../../domain/regions/region-now.ts';

/** The input of one run of a region: the region as it is now, and the additional data of the matcher. */
export type RunInput = RegionNow & {
  readonly settings: Pick<Settings, 'dispatch' | 'offers' | 'search'>;
  /** Closed offers after which a pair may still have to pause. */
  readonly closedOffers: readonly Offer[];
  /** Says whether `readyAt` is only an estimate that nobody has confirmed. */
  readonly isEstimate: (delivery: Delivery) => boolean;
  readonly acceptance: ReadonlyMap<CourierId, AcceptanceRecord>;
  readonly travel: Ways & Pick<TravelTimes, 'legs'>;
  /** The candidates of the last run: a routing server may know their ways by now. */
  readonly candidates: readonly CandidatePair[];
};

/** A courier who was a candidate for a delivery. */
export type CandidatePair = { readonly courierId: CourierId; readonly deliveryId: DeliveryId };
