import { maySee, type Caller } from '../../domain/access.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { OfferId } from '../../domain/ids.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { closeExpired } from '../close-offer.ts';
import { assignCourier } from './assign-courier.ts';

type Needs = Pick<
  Context,
  | 'acceptance'
  | 'carried'
  | 'confirmed'
  | 'deliveries'
  | 'couriers'
  | 'offers'
  | 'clock'
  | 'commit'
  | 'notices'
  | 'positions'
  | 'bell'
  | 'settings'
  | 'travel'
>;
type CourierCaller = Extract<Caller, { type: 'courier' }>;

/**
 * The courier accepts the offered delivery. Accepting the same offer again gives the same answer. Refuses
 * `offer_expired` if it is too late, `offer_taken` if the offer is no longer open, and `offer_not_found` if the courier
 * has no such offer.
 */
export async function acceptOffer(
  ctx: Needs,
  { offerId }: { readonly offerId: OfferId },
  caller: CourierCaller,
): Promise<Delivery> {
  const offer = await getOwn(ctx, offerId, caller);
  const { deliveryId, courierId, state } = offer;
  if (state === 'accepted') {
    const delivery = await ctx.confirmed.findDelivery(deliveryId);
    if (delivery !== null && maySee(caller, delivery)) return delivery;
  }
  const delivery = await assignCourier(ctx, { deliveryId, courierId, offerId, overrideReason: null }, caller);
  if (state === 'open') ctx.acceptance.record({ ...offer, state: 'accepted', closedAt: ctx.clock.now() });
  return delivery;
}

/**
 * The courier declines the offer. They receive no offer for this delivery for an hour. A repeat changes nothing. Refuses
 * `offer_expired` if it is too late, `offer_taken` if it was closed otherwise, and `offer_not_found`.
 */
export async function declineOffer(
  ctx: Needs & Pick<Context, 'metrics'>,
  { offerId, reason }: { readonly offerId: OfferId; readonly reason: string | null },
  caller: CourierCaller,
): Promise<void> {
  const offer = await getOwn(ctx, offerId, caller);
  if (offer.state === 'open' && offer.expiresAt <= ctx.clock.now()) {
    if (await closeExpired(ctx, offer)) ctx.bell.ring(offer.region);
    throw new Refusal('offer_expired');
  }
  const closed = await ctx.offers.close(offer.id, 'declined', reason, ctx.clock.now());
  if (closed !== null) {
    ctx.acceptance.record(closed);
    ctx.bell.ring(closed.region);
    return;
  }
  const state = (await ctx.confirmed.findOffer(offerId))?.state;
  // A failover took back the write that had closed it.
  if (state === 'open') throw new Refusal('busy');
  if (state !== 'declined') throw new Refusal(state === 'expired' ? 'offer_expired' : 'offer_taken');
}

async function getOwn(ctx: Pick<Context, 'confirmed' | 'offers'>, id: OfferId, caller: CourierCaller): Promise<Offer> {
  const offer = (await ctx.offers.find(id)) ?? (await ctx.confirmed.findOffer(id));
  if (offer?.courierId !== caller.courierId) throw new Refusal('offer_not_found');
  return offer;
}
