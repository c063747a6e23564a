import { canCarry, type Courier } from '../domain/couriers/courier.ts';
import { expectedPickup } from '../domain/deliveries/eta.ts';
import type { PickupOutlook } from '../domain/deliveries/quote.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import type { NewQuote } from './commands.ts';
import { straightS } from '../domain/deliveries/way.ts';
import { wayS } from '../domain/regions/start.ts';
import type { Near } from '../ports/dispatch/positions.ts';

type Needs = Pick<Context, 'clock' | 'couriers' | 'positions' | 'settings' | 'travel'>;
type Asked = Pick<NewQuote, 'liveMode' | 'metadata' | 'window' | 'vehicleTypes'>;

/** Free couriers farther away are not near, metres. Others may be free by then. */
const NEAR_M = 5000;
/** Free couriers that are looked for. With so many, more make no difference to the caller. */
const ENOUGH = 5;
/** The longest time for which a quote waits for the search, machine time. */
const MOST_WAIT_REAL_MS = 500;
/** If the goods are ready later than this, the couriers who are free now say nothing about the pickup; service time. */
const SOON_MS = 30 * 60_000;

/**
 * Finds the couriers who could collect the goods of a quote, and when the first could be there. Couriers count if they
 * are online, present, free and able to carry the goods. Without a courier near, or without Redis, a pickup that is due
 * within 30 minutes has no expected time.
 */
export async function expectPickup(ctx: Needs, asked: Asked, place: Coordinates): Promise<PickupOutlook> {
  const now = ctx.clock.now();
  const readyAt = asked.window?.readyAt ?? null;
  if (readyAt !== null && readyAt - now > SOON_MS) return { couriersNear: null, eta: expectedPickup(0, readyAt, now) };
  const able = new Map<CourierId, Courier>();
  const search = ctx.positions.nearest(place, {
    mostM: Math.min(NEAR_M, ctx.settings.dispatch.maxPickupDistanceM),
    enough: ENOUGH,
    choose: async (ids) => {
      const free = (await ctx.couriers.listOnline(ids)).filter((courier) => isFreeFor(courier, asked));
      for (const courier of free) able.set(courier.id, courier);
      return new Set(free.map(({ id }) => id));
    },
  });
  const near = await Promise.race([search, ctx.clock.real.sleep(MOST_WAIT_REAL_MS).then(() => null)]);
  if (near === null) return { couriersNear: null, eta: null };
  if (near.length === 0) return { couriersNear: 0, eta: null };
  const reachS = Math.min(...near.map((one) => reachOf(ctx, one, able.get(one.courierId)!, place, now)));
  return { couriersNear: near.length, eta: expectedPickup(reachS, readyAt, now) };
}

/** Seconds that a courier needs to the place. Until this process has heard of their position, only the distance counts. */
function reachOf(
  { positions, travel }: Needs,
  { courierId, awayM }: Near,
  courier: Courier,
  to: Coordinates,
  now: number,
): number {
  const from = positions.last(courierId);
  return from === null ? straightS(awayM, courier.vehicleType) : wayS(travel, now, courier, from, to);
}

function isFreeFor(courier: Courier, { liveMode, vehicleTypes, metadata }: Asked): boolean {
  const isOfKind = courier.liveMode === liveMode && courier.kind === 'courier';
  return isOfKind && courier.active.length === 0 && canCarry(courier.vehicleType, { vehicleTypes, metadata });
}
