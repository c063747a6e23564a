import type { CourierId } from '../domain/ids.ts';
import type { Position } from '../domain/couriers/position.ts';
import type { Context } from '../ports/context.ts';

type WithCourier = { readonly courierId: CourierId | null };
type Needs = Pick<Context, 'positions'>;

/** The newest position that this process knows of the delivery's courier, however old; null without a courier. */
export function knownPlaceOf({ positions }: Needs, { courierId }: WithCourier): Position | null {
  return courierId === null ? null : positions.last(courierId);
}

/** The same; if this process knows none, the newest that any process knows. */
export async function placeOf(ctx: Needs, delivery: WithCourier): Promise<Position | null> {
  const { courierId } = delivery;
  return courierId === null ? null : (knownPlaceOf(ctx, delivery) ?? (await ctx.positions.find(courierId)));
}

/** The newest position that any process knows, for decisions that depend on where the courier is now. */
export async function newestPlaceOf({ positions }: Needs, { courierId }: WithCourier): Promise<Position | null> {
  return courierId === null ? null : positions.find(courierId);
}
