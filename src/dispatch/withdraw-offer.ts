import type { CourierId } from '../domain/ids.ts';
import type { WithdrawReason } from '../domain/offer.ts';
import type { Context } from '../ports.ts';

type Needs = Pick<Context, 'offers' | 'notices' | 'clock' | 'bell'>;

/** Takes back the open offer of a courier, if there is one, and lets its region look for another courier at once. */
export async function withdrawOfferOf(ctx: Needs, courierId: CourierId, reason: WithdrawReason): Promise<void> {
  const open = await ctx.offers.findOpenOf(courierId);
  if (open === null) return;
  const closed = await ctx.offers.close(open.id, 'withdrawn', reason, ctx.clock.now());
  if (closed === null) return;
  ctx.notices.offerWithdrawn(closed);
  ctx.bell.ring(closed.region);
}
