import { isSuspendedByStaff } from '../../domain/couriers/not-active.ts';
import type { Context } from '../../ports/context.ts';
import type { PayoutFilter } from '../../ports/money/payouts.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import { COURIER_SUSPENDED, type Payout } from './payout.ts';

type Needs = Pick<Context, 'couriers' | 'payouts'>;

/**
 * Lists payouts, newest first. The reason of one that waits for an approval says if staff have suspended its courier by
 * now, because the approval would count for that.
 */
export async function listPayouts(ctx: Needs, filter: PayoutFilter, page: PageRequest): Promise<Page<Payout>> {
  const found = await ctx.payouts.list(filter, page);
  const unexplained = found.items.filter(({ state, reason }) => state === 'awaiting_approval' && reason === null);
  if (unexplained.length === 0) return found;
  const couriers = await ctx.couriers.findMany(unexplained.map(({ courierId }) => courierId));
  const suspended = new Set(couriers.filter(isSuspendedByStaff).map(({ id }) => id));
  const isHeld = (payout: Payout): boolean => unexplained.includes(payout) && suspended.has(payout.courierId);
  return { ...found, items: found.items.map((each) => (isHeld(each) ? { ...each, reason: COURIER_SUSPENDED } : each)) };
}
