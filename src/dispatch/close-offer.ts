import type { CourierId } from '../domain/ids.ts';
import type { Offer, WithdrawReason } from '../domain/offers/offer.ts';
import type { Context } from '../ports/context.ts';

type Needs = Pick<Context, 'offers' | 'notices' | 'clock' | 'bell'>;

/** Withdraws the open offer of a courier, if there is one. Its region looks for another courier at once. */
export async function withdrawOfferOf(ctx: Needs, courierId: CourierId, reason: WithdrawReason): Promise<void> {
  const open = await ctx.offers.findOpenOf(courierId);
  if (open === null) return;
  if (await withdraw(ctx, open, reason)) ctx.bell.ring(open.region);
}

/**
 * Withdraws an open offer because its delivery or its courier has a much better match, and tells the phone why. The
 * courier may receive another offer at once, also for this delivery, and the withdrawal does not count against them.
 * The caller is in the middle of a run, so the region's bell does not ring.
 * @returns false if it was no longer open: the courier or another writer was faster, and the match is void
 */
export async function withdrawForBetter(
  ctx: Pick<Context, 'clock' | 'metrics' | 'notices' | 'offers'>,
  offer: Pick<Offer, 'id'>,
): Promise<boolean> {
  const isMine = await withdraw(ctx, offer, 'better_match');
  if (isMine) ctx.metrics.count('offers_bettered_total', {});
  return isMine;
}

async function withdraw(
  ctx: Pick<Context, 'clock' | 'notices' | 'offers'>,
  { id }: Pick<Offer, 'id'>,
  reason: WithdrawReason,
): Promise<boolean> {
  const closed = await ctx.offers.close(id, 'withdrawn', reason, ctx.clock.now());
  if (closed !== null) ctx.notices.offerWithdrawn(closed);
  return closed !== null;
}

/** Closes an expired offer and informs the phone. Returns false if it was closed or answered first. */
export async function closeExpired(
  ctx: Pick<Context, 'acceptance' | 'clock' | 'metrics' | 'notices' | 'offers'>,
  offer: Offer,
): Promise<boolean> {
  const closed = await ctx.offers.close(offer.id, 'expired', 'expired', ctx.clock.now());
  if (closed === null) return false;
  ctx.metrics.count('offers_expired_total', { seen: closed.deliveredAt === null ? 'no' : 'yes' });
  ctx.acceptance.record(closed);
  ctx.notices.offerWithdrawn(closed);
  return true;
}
