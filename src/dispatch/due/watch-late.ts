import type { Carried } from '../../domain/deliveries/carried.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { lateFromAt } from '../../domain/deliveries/lateness.ts';
import type { Context } from '../../ports/context.ts';
import { raiseAlarm } from './raise-alarm.ts';

type Needs = Pick<Context, 'alarms' | 'clock' | 'notices' | 'settings'>;

/** Says whether an open delivery is late now. */
export function isLate({ clock, settings }: Pick<Needs, 'clock' | 'settings'>, delivery: Delivery | Carried): boolean {
  const fromAt = lateFromAt(delivery, settings.search.promiseMs);
  return fromAt !== null && clock.now() >= fromAt;
}

/**
 * Raises the alarm of a late delivery, once for each due time. Returns when to look again, service time in ms. Null
 * means with the next change.
 */
export async function reportLate(ctx: Needs, delivery: Delivery): Promise<number | null> {
  const since = lateFromAt(delivery, ctx.settings.search.promiseMs);
  if (since === null || ctx.clock.now() < since) return since;
  const where = delivery.times.pickedUpAt === null ? 'not collected' : 'not delivered';
  await raiseAlarm(ctx, delivery, { kind: 'late', since, detail: `${where} when it was due` });
  return null;
}
