import { placeOf } from '../courier-place.ts';
import {
  assignmentOf,
  dropOffsToGo,
  isSameAssignment,
  type Assignment,
  type Delivery,
} from '../../domain/deliveries/delivery.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Stop } from '../../domain/deliveries/stop.ts';
import type { Context } from '../../ports/context.ts';
import { arriveAtStop, depart } from '../deliveries/advance-delivery.ts';
import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
import type { MoveNeeds } from '../move-delivery.ts';
import { sweepWithCourier } from '../../work/sweep.ts';

type Needs = MoveNeeds & Pick<Context, 'leases' | 'log' | 'settings'>;

/** Service time between two looks, and the least machine time. */
const LOOK_MS = 1000;
const LEAST_LOOK_MS = 200;
/** Most deliveries remembered as being at a stop. A forgotten one needs another dwell. */
const MOST_REMEMBERED = 50_000;

/**
 * Since when the courier of an assignment has been inside the circle around a stop: the time of the first fix there.
 */
type Dwell = { readonly of: Assignment; readonly stop: number; readonly sinceAt: number };

/**
 * Watches where the couriers of assigned deliveries are, in one process at a time. It does for them the steps that they
 * forget to report: arriving at a stop and leaving the pickup. Its memory is rebuilt from the following fixes.
 */
export function startWatching(ctx: Needs): { stop(): Promise<void> } {
  const dwells = new Map<DeliveryId, Dwell>();
  const look = async (delivery: Delivery): Promise<void> => {
    const of = assignmentOf(delivery);
    if (of === null) return;
    const system = { type: 'system', of } as const;
    const position = await placeOf(ctx, of);
    if (leavesFrom(delivery.state, 'depart')) {
      if (hasLeft(delivery, position, ctx.settings.geofence, ctx.clock.now())) {
        await depart(ctx, { deliveryId: delivery.id, overrideReason: null }, system);
      }
      return;
    }
    const stop = aimOf(delivery, position);
    const dwell = stop === null || position === null ? null : dwellAt(dwells.get(delivery.id), of, stop, position, ctx);
    if (stop === null || position === null || dwell === null) return void dwells.delete(delivery.id);
    if (dwells.size >= MOST_REMEMBERED) dwells.clear();
    dwells.set(delivery.id, dwell);
    if (position.at - dwell.sinceAt < ctx.settings.geofence.dwellMs) return;
    await arriveAtStop(ctx, { deliveryId: delivery.id, stop: stop.index, overrideReason: null }, system);
    dwells.delete(delivery.id);
  };
  return startLed(ctx, {
    name: 'watch',
    everyMs: LOOK_MS,
    leastRealMs: LEAST_LOOK_MS,
    turn: sweepWithCourier(ctx, (page, ownsLease) => each(page, ownsLease, look)),
  });
}

/**
 * The stop that the courier is on the way to and has not reached; of several drop-offs the nearest. Null if there is
 * none.
 */
function aimOf(delivery: Delivery, position: Position | null): Stop | null {
  const stops = leavesFrom(delivery.state, 'arrive_pickup') ? [delivery.pickup] : dropOffsToGo(delivery);
  if (position === null || stops.some(({ state }) => state !== 'pending')) return null;
  return stops.toSorted((a, b) => distanceM(position, a.place) - distanceM(position, b.place))[0] ?? null;
}

/**
 * How long the courier has been at the stop in this assignment, by the fixes. Only fixes count, so a silent phone does
 * not.
 */
function dwellAt(
  known: Dwell | undefined,
  of: Assignment,
  stop: Stop,
  position: Position,
  { settings }: Needs,
): Dwell | null {
  if (distanceM(position, stop.place) > settings.geofence.radiusM) return null;
  if (known?.stop === stop.index && isSameAssignment(known.of, of)) return known;
  return { of, stop: stop.index, sinceAt: Math.max(position.at, of.at) };
}

function hasLeft(
  { pickup, times }: Delivery,
  position: Position | null,
  { departM, departAfterMs }: Context['settings']['geofence'],
  now: number,
): boolean {
  if (now - (times.pickedUpAt ?? now) >= departAfterMs) return true;
  if (position === null || position.at <= (times.pickedUpAt ?? now)) return false;
  return distanceM(position, pickup.place) >= departM;
}
