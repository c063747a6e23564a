import type { Courier } from '../../domain/courier.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { STOP_SERVICE_S, travelS } from '../../domain/eta.ts';
import type { Coordinates } from '../../domain/geo.ts';
import { isStopEnded } from '../../domain/stop.ts';

/** A courier as one run sees him: the last known place, and the deliveries he holds, oldest first. */
export type RunCourier = {
  readonly courier: Courier;
  readonly place: Coordinates;
  readonly held: readonly Delivery[];
};

/** Where and when (epoch ms) a courier can set out for another counter. */
export type Start = { readonly place: Coordinates; readonly at: number };

/** When goods can be had at a pickup, epoch ms. */
export type ReadyAt = (delivery: Delivery) => number;

/** Where and when a courier is through with all that he holds: now and here when that is nothing. */
export function startOf({ courier, place, held }: RunCourier, now: number, readyAt: ReadyAt): Start {
  let at = now;
  let from = place;
  for (const delivery of held) {
    for (const stop of [delivery.pickup, ...delivery.dropOffs]) {
      if (isStopEnded(stop)) continue;
      at += travelS(from, stop.place, courier.vehicleType) * 1000;
      if (stop.index === 0) at = Math.max(at, readyAt(delivery));
      at += STOP_SERVICE_S * 1000;
      from = stop.place;
    }
  }
  return { place: from, at };
}
