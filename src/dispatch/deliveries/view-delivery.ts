import { newestPlaceOf } from '../courier-place.ts';
import { momentOf } from '../moment-of.ts';
import type { DeliveryView } from '../../domain/deliveries/delivery-view.ts';
import { presentDelivery } from '../../domain/views/present-delivery.ts';
import { hasRoom, whyNotBy, type Courier } from '../../domain/couriers/courier.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { legsOf, type DrawnLeg } from '../../domain/deliveries/legs.ts';
import { etaOf } from '../../domain/deliveries/eta.ts';
import { distanceM, regionAndNeighbours } from '../../domain/geo/geo.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { hasCourier, leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import { PAUSE_MS, pausedUntil, type Offer } from '../../domain/offers/offer.ts';
import type { Position } from '../../domain/couriers/position.ts';
import type { Context } from '../../ports/context.ts';
import { expectedReadyAt } from '../../domain/learning/preparation.ts';
import { startOf, wayS } from '../../domain/regions/start.ts';

type Needs = Pick<Context, 'carried' | 'offers' | 'positions' | 'clock' | 'settings' | 'travel'>;

/**
 * The delivery as vendor and staff see it now. An open offer shows as `stage`, and the arrival times count from here
 * on.
 */
export async function viewDelivery(ctx: Needs, delivery: Delivery): Promise<DeliveryView> {
  return view(ctx, delivery, await findOffered(ctx, [delivery]));
}

/** The same for many deliveries. */
export async function viewMany(ctx: Needs, deliveries: readonly Delivery[]): Promise<readonly DeliveryView[]> {
  const offered = await findOffered(ctx, deliveries);
  return Promise.all(deliveries.map((delivery) => view(ctx, delivery, offered)));
}

/** The legs of the delivery along streets; none if it has an estimate. */
export async function listLegs({ polylines }: Pick<Context, 'polylines'>, delivery: Delivery): Promise<DrawnLeg[]> {
  return delivery.distanceSource === 'route' ? legsOf(delivery, await polylines.list(delivery.id)) : [];
}

/**
 * A courier whom a dispatcher may choose: metres and seconds to the pickup, deliveries, and seconds until they could be
 * at the last drop-off.
 */
export type CandidateView = {
  readonly courier: Courier;
  readonly distanceM: number;
  readonly travelS: number;
  readonly load: number;
  readonly cost: number;
  /** One sentence. */
  readonly reason: string;
};

/** How many of the nearest couriers are looked at, and how many are shown. */
const MOST_LOOKED_AT = 200;
const MOST_SHOWN = 20;

/** The online and present couriers around a delivery, of its mode and kind, nearest first. */
export async function listCandidates(
  ctx: Pick<Context, 'deliveries' | 'couriers' | 'positions' | 'offers' | 'clock' | 'travel' | 'settings'>,
  deliveryId: DeliveryId,
): Promise<readonly CandidateView[]> {
  const delivery = await ctx.deliveries.get(deliveryId);
  const pickup = delivery.pickup.place;
  const near = (await listNear(ctx, delivery))
    .map((place) => ({ id: place.courierId, place, awayM: distanceM(place, pickup) }))
    .toSorted((a, b) => a.awayM - b.awayM)
    .slice(0, MOST_LOOKED_AT);
  const online = await ctx.couriers.listOnline(near.map(({ id }) => id));
  const couriers = new Map(online.filter((courier) => isSuited(courier, delivery)).map((each) => [each.id, each]));
  const now = ctx.clock.now();
  const [assigned, closed] = await Promise.all([
    ctx.deliveries.findMany([...couriers.values()].flatMap(({ active }) => active)),
    ctx.offers.listClosed([delivery.id], now - PAUSE_MS.declined),
  ]);
  const entries = near.flatMap(({ id, place }) => {
    const courier = couriers.get(id);
    return courier === undefined
      ? []
      : [{ courier, place, assigned: assigned.filter((each) => each.courierId === id) }];
  });
  const readyAt = expectedReadyAt(delivery, null);
  return entries.slice(0, MOST_SHOWN).map((entry) => {
    const { courier, place } = entry;
    const start = startOf(entry, { now, readyAt: (one) => expectedReadyAt(one, null), travel: ctx.travel });
    const thereAt = start.at + wayS(ctx.travel, now, courier, start.place, pickup) * 1000;
    const seconds = Math.round(wayS(ctx.travel, now, courier, place, pickup));
    return {
      courier,
      distanceM: Math.round(distanceM(place, pickup)),
      travelS: seconds,
      load: courier.active.length,
      cost: Math.round((Math.max(thereAt, readyAt) - now) / 1000 + delivery.durationS),
      reason: reasonOf(courier, delivery, closed, seconds, now),
    };
  });
}

/** The couriers in the region and around it. If there are many, only those near the pickup, ring by ring outwards. */
async function listNear(
  { positions, settings }: Pick<Context, 'positions' | 'settings'>,
  { region, pickup }: Delivery,
): Promise<readonly Position[]> {
  const all = await positions.listUpTo(regionAndNeighbours(region), MOST_LOOKED_AT);
  if (all !== null) return all;
  const near: Position[] = [];
  for (const ring of positions.around(pickup.place, settings.dispatch.maxPickupDistanceM)) {
    near.push(...ring.positions);
    if (near.length >= MOST_LOOKED_AT) break;
  }
  return near;
}

function isSuited(courier: Courier, delivery: Delivery): boolean {
  const isRobo = delivery.robo !== null;
  return courier.state === 'active' && courier.liveMode === delivery.liveMode && (courier.kind === 'robo') === isRobo;
}

function pauseReason({ state, deliveredAt }: Offer): string {
  if (state === 'declined') return 'Declined this delivery.';
  return deliveredAt === null ? 'Just received an offer that no phone showed.' : 'Let the offer expire.';
}

function reasonOf(
  courier: Courier,
  delivery: Delivery,
  closed: readonly Offer[],
  seconds: number,
  now: number,
): string {
  const { id, active, vehicleType } = courier;
  if (delivery.formerCouriers.includes(id)) return 'Gave this delivery back.';
  const paused = closed.find((offer) => offer.courierId === id && (pausedUntil(offer) ?? 0) > now);
  if (paused !== undefined) return pauseReason(paused);
  if (!hasRoom(courier)) return `Carries ${active.length} and has no room for another.`;
  const whyNot = whyNotBy(vehicleType, delivery);
  if (whyNot === 'not_requested') return `Has a ${vehicleType}, which was not requested.`;
  if (whyNot === 'too_heavy') return `Has a ${vehicleType}, which cannot carry ${delivery.metadata.weight} kg.`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  return active.length === 0 ? `Free, ${minutes} min away.` : `Carries ${active.length}, ${minutes} min away.`;
}

async function view(ctx: Needs, delivery: Delivery, offered: ReadonlySet<DeliveryId>): Promise<DeliveryView> {
  const place = hasCourier(delivery.state) ? await newestPlaceOf(ctx, delivery) : null;
  const shown = presentDelivery(delivery, etaOf(delivery, momentOf(ctx, delivery, place)));
  return offered.has(delivery.id) ? { ...shown, stage: 'offering' } : shown;
}

/** The deliveries among these that have an open offer. */
async function findOffered(
  ctx: Pick<Context, 'offers'>,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<DeliveryId>> {
  const ids = deliveries.filter(({ state }) => leavesFrom(state, 'assign')).map(({ id }) => id);
  const open = ids.length === 0 ? [] : await ctx.offers.listOpen(ids);
  return new Set(open.map(({ deliveryId }) => deliveryId));
}
