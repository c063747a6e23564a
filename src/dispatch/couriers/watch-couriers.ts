import { knownPlaceOf } from '../courier-place.ts';
import type { Carried } from '../../domain/deliveries/carried.ts';
import { assignmentOf, dropOffsToGo, isSameAssignment, type Assignment } from '../../domain/deliveries/delivery.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Context } from '../../ports/context.ts';
import { arriveAtStop, depart } from '../deliveries/advance-delivery.ts';
import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
import type { MoveNeeds } from '../move-delivery.ts';
import { takeTurns } from '../../work/take-turns.ts';

type Needs = MoveNeeds & Pick<Context, 'carried' | 'leases' | 'log' | 'settings'>;

/** Service time between two looks, and the least machine time. */
const LOOK_MS = 1000;
const LEAST_LOOK_MS = 200;
/** Machine time without a look after which it is unknown whether a courier has stayed. */
const BLIND_MS = 30_000;

/**
 * Since when the courier of an assignment has been inside the circle around a stop: the time of the first fix there.
 */
type Dwell = { readonly of: Assignment; readonly stop: number; readonly sinceAt: number };

/**
 * A step that a courier did not report: leaving the pickup if `stop` is null, otherwise arriving at the stop with this
 * number.
 */
type Unreported = { readonly of: Assignment; readonly deliveryId: DeliveryId; readonly stop: number | null };

/** A phone sends a fix every few seconds, so after this time an older one no longer shows where the courier is. */
const FRESH_MS = 30_000;
/** A phone that shows the courier at the pickup for longer than this is probably wrong. */
const SHOWN_THERE_MS = 300_000;
/** Steps that are recorded at the same time. */
const AT_ONCE = 8;

/**
 * Watches where the couriers of carried deliveries are, in one process at a time. It does for them the steps that they
 * forget to report: arriving at a stop and leaving the pickup. Its memory is rebuilt from the following fixes.
 */
export function startWatching(ctx: Needs): { stop(): Promise<void> } {
  /** Each look replaces this map, so it never keeps a delivery that has ended. */
  let dwells = new Map<DeliveryId, Dwell>();
  let lookedAt = -Infinity;
  const lookAt = (delivery: Carried, dwelt: Map<DeliveryId, Dwell>): Unreported | null => {
    const { id: deliveryId } = delivery;
    const position = knownPlaceOf(ctx, delivery);
    if (leavesFrom(delivery.state, 'depart')) {
      const isGone = hasLeft(delivery, position, ctx.settings.geofence, ctx.clock.now());
      return isGone ? { of: assignmentOf(delivery), deliveryId, stop: null } : null;
    }
    if (position === null) return null;
    const stop = stopAround(delivery, position, ctx.settings.geofence.radiusM);
    if (stop === null) return null;
    const of = assignmentOf(delivery);
    const dwell = dwellAt(dwells.get(deliveryId), of, stop, position);
    dwelt.set(deliveryId, dwell);
    const isArrived = position.at - dwell.sinceAt >= ctx.settings.geofence.dwellMs;
    return isArrived ? { of, deliveryId, stop: dwell.stop } : null;
  };
  const record = async (id: DeliveryId): Promise<void> => {
    // Many may be due at once, and the courier has moved since the look.
    const delivery = ctx.carried.get(id);
    const step = delivery === null ? null : lookAt(delivery, dwells);
    if (step === null) return;
    const { of, deliveryId, stop } = step;
    const system = { type: 'system', of } as const;
    if (stop === null) return void (await depart(ctx, { deliveryId, overrideReason: null }, system));
    await arriveAtStop(ctx, { deliveryId, stop, overrideReason: null }, system);
    dwells.delete(deliveryId);
  };
  const look = async (ownsLease: () => boolean): Promise<void> => {
    const dwelt = new Map<DeliveryId, Dwell>();
    const due: DeliveryId[] = [];
    const now = ctx.clock.real.elapsed();
    // While another process looked, or none, a courier may have left and come back.
    if (now - lookedAt >= BLIND_MS) dwells = new Map();
    lookedAt = now;
    await takeTurns(ctx.clock, [...ctx.carried.all()], (delivery) => {
      if (lookAt(delivery, dwelt) !== null) due.push(delivery.id);
    });
    dwells = dwelt;
    await each(due, ownsLease, record, AT_ONCE);
  };
  return startLed(ctx, { name: 'watch', everyMs: LOOK_MS, leastRealMs: LEAST_LOOK_MS, turn: look });
}

/**
 * The stop whose circle the courier is inside and where they have not arrived; of several drop-offs the nearest. Null if there is
 * none.
 */
function stopAround(delivery: Carried, position: Position, radiusM: number): Carried['pickup'] | null {
  const isBeforePickup = leavesFrom(delivery.state, 'arrive_pickup');
  const stops = isBeforePickup ? [delivery.pickup] : delivery.dropOffs;
  const isNear = ({ place }: Carried['pickup']): boolean => distanceM(position, place) <= radiusM;
  // Nearly all couriers are near no stop, and each look asks for all of them.
  if (!stops.some(isNear)) return null;
  const open = isBeforePickup ? stops : dropOffsToGo(delivery);
  if (open.some(({ state }) => state !== 'pending')) return null;
  return open.filter(isNear).toSorted((a, b) => distanceM(position, a.place) - distanceM(position, b.place))[0] ?? null;
}

/**
 * How long the courier has been at the stop in this assignment, by the fixes. Only fixes count, so a silent phone does
 * not.
 */
function dwellAt(known: Dwell | undefined, of: Assignment, stop: Carried['pickup'], position: Position): Dwell {
  if (known?.stop === stop.index && isSameAssignment(known.of, of)) return known;
  return { of, stop: stop.index, sinceAt: Math.max(position.at, of.at) };
}

/**
 * Whether the courier has left with the goods. A fix away from the pickup shows it. Otherwise the server assumes it some time
 * after the collection, and later if fresh fixes show the courier at the pickup. If a drop-off is next door, such fixes prove
 * nothing.
 */
function hasLeft(
  { pickup, dropOffs, times }: Carried,
  position: Position | null,
  { departM, departAfterMs, radiusM }: Context['settings']['geofence'],
  now: number,
): boolean {
  const collectedAt = times.pickedUpAt ?? now;
  const fix = position !== null && position.at > collectedAt ? position : null;
  if (fix !== null && distanceM(fix, pickup.place) >= departM) return true;
  const isShownThere = fix !== null && now - fix.at <= FRESH_MS;
  const isNextDoor = dropOffs.some(({ place }) => distanceM(place, pickup.place) < departM + radiusM);
  return now - collectedAt >= (isShownThere && !isNextDoor ? Math.max(departAfterMs, SHOWN_THERE_MS) : departAfterMs);
}
