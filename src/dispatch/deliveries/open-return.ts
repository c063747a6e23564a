import assert from 'node:assert';
import { preparationAtBirth, timesAtBirth, type Delivery } from '../../domain/deliveries/delivery.ts';
import { regionOf, sizeOf } from '../../domain/geo/geo.ts';
import { factsOf } from '../../domain/deliveries/guards.ts';
import { newId, type DeliveryId } from '../../domain/ids.ts';
import { stageAfter, step, timesAfter } from '../../domain/deliveries/lifecycle.ts';
import type { Verb } from '../../domain/deliveries/states.ts';
import { byVisit, isStopEnded, mustComeBack, type Stop } from '../../domain/deliveries/stops/stop.ts';
import type { Change } from '../../ports/changes.ts';
import { actorFor, makeChange, withEffects } from '../change-delivery.ts';
import { allowed, planMove, type Here, type Move } from '../move-delivery.ts';
import { estimateWay } from '../../domain/deliveries/way.ts';

/**
 * Plans a verb that ends a delivery. If the courier still has goods, the same commit makes a return and gives it to
 * them. `backLinks` are the links of that return.
 */
export function planEnding<V extends Verb>(before: Delivery, move: Move<V>, backLinks: Delivery['links']): Change {
  const left = leftOver(before, move.sets?.dropOffs ?? before.dropOffs);
  if (left.length === 0) return planMove(before, move);
  assert(before.courierId !== null, 'a collected delivery has a courier');
  const id = newId('del');
  const related = [...before.related, id];
  const ended = planMove(before, { ...move, sets: { ...move.sets, related }, goesOnTo: id });
  return withEffects(ended, [{ kind: 'open_delivery', change: planReturn(id, ended.after, left, backLinks, move) }]);
}

/** The stops whose goods were collected, were not handed over and must come back, in the order of visits. */
function leftOver(before: Delivery, dropOffs: readonly Stop[]): readonly Stop[] {
  return isStopEnded(before.pickup) ? byVisit(dropOffs).filter(mustComeBack) : [];
}

/** The return of the goods meant for `stops`. It starts where the courier is and ends at the pickup. */
function planReturn(
  id: DeliveryId,
  ended: Delivery,
  stops: readonly Stop[],
  links: Delivery['links'],
  here: Here,
): Change {
  const { now, place } = here;
  const actor = actorFor({ type: 'system' });
  const left = stops.at(-1);
  assert(left !== undefined, 'a return has goods');
  const start = place === null ? left.place : { lat: place.lat, lng: place.lng };
  // The person at the pickup proves the return as they proved the pickup. The other end is done already.
  const { verification: _wanted, proof: _given, deliverableAction: _action, ...leftPlace } = left;
  const { proof: _collected, ...pickupPlace } = ended.pickup;
  const undone = { window: null, arrivedAt: null, doneAt: null, reason: null };
  // The return has no tip, and nobody waits for it who must be notified. The verb that opens it has charged its way.
  const { tip: _tip, promo: _promo, notifyRecipient: _notify, funds: _funds, ...rest } = ended;
  // Nothing is sold at the pickup.
  const { orderValueCollectedBy: _by, ...same } = rest;
  const items = stops.flatMap((stop) => stop.items ?? []);
  const goods = items.length === 0 ? {} : { items };
  const back: Delivery = {
    ...same,
    id,
    kind: 'return',
    externalId: null,
    contentHash: '',
    madeBy: { verb: 'open_return', stop: null, actor },
    pickup: { ...leftPlace, ...undone, index: 0, visit: 0, place: start, state: 'delivered', doneAt: now },
    preparation: preparationAtBirth(null, null),
    // Goods that cannot be returned either stay with the courier: a return has no return.
    dropOffs: [
      { ...pickupPlace, ...undone, ...goods, index: 1, visit: 1, undeliverableAction: 'discard', state: 'pending' },
    ],
    quoteId: null,
    fee: 0,
    feeBreakdown: [],
    ...estimateWay([start, ended.pickup.place], ended.courier?.vehicle_type ?? 'scooter'),
    region: regionOf(start, sizeOf(ended.region)),
    searchFromAt: now,
    searchCountsFromAt: now,
    searchUntilAt: now,
    searchLimitMs: 0,
    formerCouriers: [],
    links,
    related: [ended.id],
    outcome: null,
    ending: null,
    stage: stageAfter('open_return'),
    times: timesAfter('open_return', timesAtBirth(now), now),
  };
  const row = allowed(step(null, 'open_return', actor.type, factsOf(null, back, now)));
  const others = here.carried.filter(({ id }) => id !== ended.id);
  return makeChange(null, { ...back, state: row.to }, [{ type: row.emits, actor }], { ...here, carried: others });
}
