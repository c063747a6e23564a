import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { lateFromAt } from '../domain/lateness.ts';
import type { Context } from '../ports.ts';
import { raiseAlarm } from './raise-alarm.ts';

type Needs = Pick<Context, 'alarms' | 'clock' | 'notices' | 'settings'>;

/** Says whether an open delivery is past its time now. */
export function isLate({ clock, settings }: Pick<Needs, 'clock' | 'settings'>, delivery: Delivery): boolean {
  const fromAt = lateFromAt(delivery, settings.search.promiseMs);
  return fromAt !== null && clock.now() >= fromAt;
}

/** Deliveries remembered as told of; forgetting them costs a look at the stored alarm each. */
const MOST_TOLD = 10_000;

/** Makes what raises the alarm of a late delivery, once for each time at which it was due. */
export function tellLate(ctx: Needs): (delivery: Delivery) => Promise<void> {
  const told = new Map<DeliveryId, number>();
  return async (delivery) => {
    const since = lateFromAt(delivery, ctx.settings.search.promiseMs);
    if (since === null || ctx.clock.now() < since || told.get(delivery.id) === since) return;
    const where = delivery.times.pickedUpAt === null ? 'not collected' : 'not delivered';
    await raiseAlarm(ctx, delivery, { kind: 'late', since, detail: `${where} when it was due` });
    if (told.size >= MOST_TOLD) told.clear();
    told.set(delivery.id, since);
  };
}
