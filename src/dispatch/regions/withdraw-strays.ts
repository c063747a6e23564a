import { canCarry, hasRoom, type Courier } from '../../domain/couriers/courier.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Offer, WithdrawReason } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';

type Needs = Pick<Context, 'clock' | 'couriers' | 'deliveries' | 'notices' | 'offers'>;
type Kept = { readonly offer: Offer; readonly delivery: Delivery };

/**
 * Withdraws open offers that can no longer be accepted, and returns the others. The search of the delivery may be off:
 * it ended while the offer was made, or it starts later. Or the courier went offline, staff assigned another delivery to
 * them, or their vehicle no longer fits the goods.
 * @param searching deliveries that are known to have a search and need no second read
 */
export async function withdrawStrays(
  ctx: Needs,
  open: readonly Offer[],
  searching: readonly Delivery[],
): Promise<Kept[]> {
  const deliveries = new Map(searching.map((delivery) => [delivery.id, delivery]));
  const others = open.map(({ deliveryId }) => deliveryId).filter((id) => !deliveries.has(id));
  const [found, couriers] = await Promise.all([
    others.length === 0 ? [] : ctx.deliveries.findMany(others),
    open.length === 0 ? [] : ctx.couriers.findMany(open.map(({ courierId }) => courierId)),
  ]);
  for (const delivery of found) deliveries.set(delivery.id, delivery);
  const byId = new Map(couriers.map((courier) => [courier.id, courier]));
  const kept: Kept[] = [];
  for (const offer of open) {
    const delivery = deliveries.get(offer.deliveryId);
    const reason = judgeStray(delivery, byId.get(offer.courierId), ctx.clock.now());
    if (reason === null && delivery !== undefined) kept.push({ offer, delivery });
    else await withdraw(ctx, offer, reason ?? 'canceled');
  }
  return kept;
}

function judgeStray(delivery: Delivery | undefined, courier: Courier | undefined, now: number): WithdrawReason | null {
  if (delivery === undefined) return 'canceled';
  if (!leavesFrom(delivery.state, 'assign')) return delivery.courierId === null ? 'canceled' : 'taken';
  if (now < delivery.searchFromAt) return 'delayed';
  if (courier === undefined || courier.state !== 'active' || courier.availability !== 'online')
    return 'courier_offline';
  if (!hasRoom(courier)) return 'assigned_by_hand';
  return canCarry(courier.vehicleType, delivery) ? null : 'wrong_vehicle';
}

async function withdraw(ctx: Needs, offer: Offer, reason: WithdrawReason): Promise<void> {
  const closed = await ctx.offers.close(offer.id, 'withdrawn', reason, ctx.clock.now());
  if (closed !== null) ctx.notices.offerWithdrawn(closed);
}
