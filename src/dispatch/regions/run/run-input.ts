import type { AcceptanceRecord } from '../../../domain/offers/acceptance.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { TravelTimes } from '../../../ports/learning.ts';
import type { Settings } from '../../../settings.ts';
import type { RegionNow } from '../../../domain/regions/region-now.ts';

/** All that one run of a region knows: the region as it is now, and what the matcher needs beside it. */
export type RunInput = RegionNow & {
  readonly settings: Pick<Settings, 'dispatch' | 'offers' | 'search'>;
  /** Closed ones that may still keep a pair apart. */
  readonly closedOffers: readonly Offer[];
  /** Whether `readyAt` is only what was learned of the place, and nobody's word. */
  readonly isEstimate: (delivery: Delivery) => boolean;
  readonly acceptance: ReadonlyMap<CourierId, AcceptanceRecord>;
  readonly travel: Pick<TravelTimes, 'speedsAt' | 'legs' | 'hasRouter'>;
  /** The candidates of the last run: the ways that a routing server may know by now. */
  readonly candidates: readonly CandidatePair[];
};

/** A courier who was a candidate for a delivery. */
export type CandidatePair = { readonly courierId: CourierId; readonly deliveryId: DeliveryId };
