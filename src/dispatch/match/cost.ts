import type { Delivery } from '../../domain/delivery.ts';
import { STOP_SERVICE_S } from '../../domain/eta.ts';
import type { Candidate, Start } from './candidates.ts';

/** Seconds charged for leaving a delivery to the next run: 300 min, more than any pair of a city costs. */
export const UNMATCHED_S = 18_000;
/** Seconds charged per second of a courier's time; the weight that dispatch studies of city days settle on. */
const COURIER_SECOND_S = 0.15;
/** Seconds against a courier who is not free yet: 0.2 min, which on the benchmark days saves waiting and cost alike. */
const NOT_FREE_S = 12;
/** Seconds at most by which age makes a delivery cheaper, one per second past ready: 60 min. The tail is served first. */
const MOST_AGE_CREDIT_S = 3600;
/** A search this close to its end goes before all others, ms; eight refusals fit in. */
export const LAST_CALL_MS = 240_000;
/** Seconds from the street to the counter: half of a stop's service. */
export const ACCESS_S = STOP_SERVICE_S / 2;

/** When the goods can be collected, epoch ms: the ready time, or the search's start when none was named. */
export function readyAtOf(delivery: Delivery): number {
  return delivery.pickup.window?.readyAt ?? delivery.searchFromAt;
}

/**
 * The cost in seconds of giving the delivery to the candidate: lateness of the pickup still to come, the courier's time,
 * and a little for couriers who are not free yet, less the delivery's age. Lateness already suffered is left out, or old
 * deliveries would look expensive and starve.
 */
export function pairCostS(delivery: Delivery, { arriveAt }: Candidate, start: Start, now: number): number {
  const readyAt = readyAtOf(delivery);
  const pickupAt = Math.max(arriveAt + ACCESS_S * 1000, readyAt);
  const lateS = (pickupAt - Math.max(now, readyAt)) / 1000;
  const courierS = (pickupAt - start.at) / 1000 + delivery.durationS;
  return lateS + COURIER_SECOND_S * courierS + (start.isBusy ? NOT_FREE_S : 0) - urgencyS(delivery, now);
}

/**
 * Seconds by which waiting makes a delivery cheaper: its age past ready. A search about to end counts as the oldest: a
 * delivery that nobody carries is worse than any that is late.
 */
function urgencyS(delivery: Delivery, now: number): number {
  if (now >= delivery.searchUntilAt - LAST_CALL_MS) return MOST_AGE_CREDIT_S;
  return Math.min(MOST_AGE_CREDIT_S, Math.max(0, now - readyAtOf(delivery)) / 1000);
}
