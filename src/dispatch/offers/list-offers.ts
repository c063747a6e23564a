import type { Caller } from '../../domain/access.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { OfferView } from '../../domain/offers/offer-view.ts';
import type { Context } from '../../ports/context.ts';
import { viewOffer, type OfferNeeds } from './view-offer.ts';

/**
 * The offers that the courier can answer now: one at most. If the courier reads an offer, their phone has it, so it
 * counts as shown. Staff who read it leave no trace.
 */
export async function listOffers(
  ctx: OfferNeeds & Pick<Context, 'deliveries' | 'offers'>,
  courierId: CourierId,
  caller: Caller,
): Promise<readonly OfferView[]> {
  const offer = await ctx.offers.findOpenOf(courierId);
  if (offer === null || offer.expiresAt <= ctx.clock.now()) return [];
  const delivery = await ctx.deliveries.find(offer.deliveryId);
  if (delivery === null) return [];
  const view = await viewOffer(ctx, offer, delivery);
  if (caller.type === 'courier') await ctx.offers.markDelivered(offer.id, ctx.clock.now());
  return [view];
}
