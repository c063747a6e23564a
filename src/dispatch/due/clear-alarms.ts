import type { Alarm } from '../../domain/alarm.ts';
import { carriedOf } from '../../domain/deliveries/carried.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PageMark } from '../../ports/pages.ts';
import { isDelayed } from './end-search.ts';
import type { Contact } from './watch-contact.ts';
import { isLate } from './watch-late.ts';

type Needs = Pick<Context, 'alarms' | 'clock' | 'deliveries' | 'notices' | 'settings'>;

/** How many open alarms one turn looks at. */
const PAGE = 1000;

/**
 * Makes a turn that clears alarms whose cause is gone: a courier was found, the delivery ended, or the courier is heard
 * of again. It looks at one page of the open alarms. The next turn continues behind it.
 */
export function clearAlarms(ctx: Needs, contact: Contact): () => Promise<void> {
  let after: PageMark | null = null;
  return async () => {
    const page = await ctx.alarms.listOpen({ limit: PAGE, after });
    after = page.next;
    await clearGone(ctx, contact, page.items);
  };
}

async function clearGone(ctx: Needs, contact: Contact, open: readonly Alarm[]): Promise<void> {
  const ids = open.flatMap(({ deliveryId }) => deliveryId ?? []);
  if (ids.length === 0) return;
  const deliveries = await ctx.deliveries.findMany([...new Set(ids)]);
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const assigned = deliveries.flatMap((delivery) => carriedOf(delivery) ?? []);
  const silent = assigned.length === 0 ? new Set<DeliveryId>() : await contact.silent(assigned);
  for (const alarm of open) {
    if (alarm.deliveryId === null || isCauseThere(ctx, alarm, byId.get(alarm.deliveryId), silent)) continue;
    const cleared = await ctx.alarms.clear(alarm.deliveryId, alarm.kind);
    for (const each of cleared) ctx.notices.alarm(each);
  }
}

function isCauseThere(
  ctx: Needs,
  { kind, courierId }: Alarm,
  delivery: Delivery | undefined,
  silent: ReadonlySet<DeliveryId>,
): boolean {
  if (delivery === undefined) return false;
  switch (kind) {
    case 'search_too_long':
      return isDelayed(ctx, delivery);
    case 'courier_silent':
      return delivery.courierId === courierId && silent.has(delivery.id);
    case 'late':
      return isLate(ctx, delivery);
  }
}
