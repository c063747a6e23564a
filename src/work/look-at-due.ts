import type { Delivery } from '../domain/deliveries/delivery.ts';
import { duesOf, type Duty } from '../domain/deliveries/due.ts';
import type { Context } from '../ports/context.ts';
import type { DueDelivery } from '../ports/deliveries.ts';
import { each } from './each.ts';
import type { Turn } from './hold-lease.ts';

/** Deliveries that one turn looks at. */
const PAGE = 500;
/** Due deliveries that a turn handles at the same time. Many searches start at a full hour. */
const AT_ONCE = 8;
/** Service time after which a delivery that failed is due again. */
const LEAST_RETRY_MS = 1000;
const MOST_RETRY_MS = 10_000;

type Needs = Pick<Context, 'clock' | 'deliveries' | 'settings'>;

/**
 * Makes a turn that looks at the deliveries that are due for this duty, longest due first. `act` returns when to look
 * again, service time in ms. Null means with the next change. A delivery that fails is due again after a pause as long
 * as it is overdue, so that it does not block others.
 */
export function lookAtDue(ctx: Needs, duty: Duty, act: (delivery: Delivery) => Promise<number | null>): Turn {
  const look = async (due: DueDelivery): Promise<void> => {
    try {
      await ctx.deliveries.putOff(duty, due, await act(due.delivery));
    } catch (error) {
      await ctx.deliveries.putOff(duty, due, retryAt(ctx, duty, due.delivery));
      throw error;
    }
  };
  return async (ownsLease) => each(await ctx.deliveries.listDue(duty, PAGE), ownsLease, look, AT_ONCE);
}

function retryAt({ clock, settings }: Needs, duty: Duty, delivery: Delivery): number {
  const now = clock.now();
  const overdueMs = now - (duesOf(delivery, settings)[duty] ?? now);
  return now + Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, overdueMs));
}
