import type { AcceptanceRecord } from '../../../domain/offers/acceptance.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { TravelTimes } from '../../../ports/learning.ts';
import type { Settings } from '../../../settings.ts';
import type { ReadyAt, RunCourier } from '../../../domain/couriers/start.ts';

/** All that one run of a region knows. Deliveries stand oldest first; couriers are online, active and present. */
export type RunInput = {
  /** Epoch ms. */
  readonly now: number;
  readonly settings: Pick<Settings, 'dispatch' | 'offers' | 'search'>;
  readonly deliveries: readonly Delivery[];
  readonly couriers: readonly RunCourier[];
  readonly openOffers: readonly Offer[];
  /** Closed ones that may still keep a pair apart. */
  readonly closedOffers: readonly Offer[];
  readonly readyAt: ReadyAt;
  /** Whether `readyAt` is only what was learned of the place, and nobody's word. */
  readonly isEstimate: (delivery: Delivery) => boolean;
  readonly acceptance: ReadonlyMap<CourierId, AcceptanceRecord>;
  readonly travel: Pick<TravelTimes, 'speedsAt' | 'legs' | 'hasRouter'>;
  /** The candidates of the last run: the ways that a routing server may know by now. */
  readonly candidates: readonly CandidatePair[];
  /** Deliveries of the last while, for what is expected next. */
  readonly recent: readonly RecentOrder[];
};

/** A courier who was a candidate for a delivery. */
export type CandidatePair = { readonly courierId: CourierId; readonly deliveryId: DeliveryId };

/** A delivery that was searched for lately, and when its goods were expected then, epoch ms. */
export type RecentOrder = { readonly delivery: Delivery; readonly readyAt: number };
