import type { ReadyAt, RunCourier } from './start.ts';
import type { Ways } from '../learning/ways.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Offer } from '../offers/offer.ts';

/** A region as its leader has read it. Deliveries are sorted oldest first. Couriers are online, active and present. */
export type RegionNow = {
  /** Epoch ms. */
  readonly now: number;
  readonly deliveries: readonly Delivery[];
  readonly couriers: readonly RunCourier[];
  readonly openOffers: readonly Offer[];
  readonly readyAt: ReadyAt;
  readonly travel: Ways;
  /** Deliveries of the last `RECENT_MS`. They show which orders to expect next. */
  readonly recent: readonly RecentOrder[];
};

/** A delivery that was searched for lately. */
export type RecentOrder = {
  readonly delivery: Delivery;
  /** The expected ready time of its goods at that time, epoch ms. */
  readonly readyAt: number;
  /** The cell in which it counts for surge and hints. */
  readonly cell: string;
};

/** How far back demand counts, ms: 90 min, the length of a lunch or dinner. */
export const RECENT_MS = 5_400_000;

/** How many free couriers the leader reads where orders are only expected. A smaller count is complete. */
export const FOR_EXPECTED = 8;
