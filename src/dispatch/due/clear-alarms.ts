import type { Alarm } from '../../domain/alarm.ts';
import { carriedOf, type Carried } from '../../domain/deliveries/carried.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PageMark } from '../../ports/pages.ts';
import { each } from '../../work/each.ts';
import type { Turn } from '../../work/hold-lease.ts';
import { isDelayed } from './end-search.ts';
import type { Contact } from './watch-contact.ts';
import { isLate, reportLate } from './watch-late.ts';

type Needs = Pick<Context, 'alarms' | 'carried' | 'clock' | 'deliveries' | 'notices' | 'settings'>;

/** How many open alarms one turn looks at. */
const PAGE = 1000;
/** Alarms that are cleared at the same time. All couriers may be heard of again at once. */
const AT_ONCE = 8;

type AboutDelivery = Alarm & { readonly deliveryId: DeliveryId };

/**
 * Makes a turn that clears alarms whose cause is gone: a courier was found, the delivery ended, or the courier is heard
 * of again. It looks at one page of the open alarms. The next turn continues behind it.
 */
export function clearAlarms(ctx: Needs, contact: Contact): Turn {
  let after: PageMark | null = null;
  return async (ownsLease) => {
    const page = await ctx.alarms.listOpen({ limit: PAGE, after });
    after = page.next;
    const open = page.items.filter((alarm): alarm is AboutDelivery => alarm.deliveryId !== null);
    await each(await goneOf(ctx, contact, open), ownsLease, (alarm) => clear(ctx, alarm), AT_ONCE);
  };
}

/**
 * Those whose cause is gone. Thousands of alarms may be open for hours, so the mirror of carried deliveries says first which of them
 * stay. The other deliveries are read, among them all without a courier, whom the mirror does not have.
 */
async function goneOf(ctx: Needs, contact: Contact, open: readonly AboutDelivery[]): Promise<AboutDelivery[]> {
  const known = idsOf(open).flatMap((id) => ctx.carried.get(id) ?? []);
  const isKnownToStay = await judge(ctx, contact, open, known, known);
  const doubted = open.filter((alarm) => !isKnownToStay(alarm));
  if (doubted.length === 0) return [];
  const found = await ctx.deliveries.findMany(idsOf(doubted));
  const carried = found.flatMap((delivery) => carriedOf(delivery) ?? []);
  const isThere = await judge(ctx, contact, doubted, found, carried);
  return doubted.filter((alarm) => !isThere(alarm));
}

/** Says of each of these alarms whether its cause is there, by these deliveries, of which `carried` have a courier. */
async function judge(
  ctx: Needs,
  contact: Contact,
  alarms: readonly AboutDelivery[],
  deliveries: readonly (Carried | Delivery)[],
  carried: readonly Carried[],
): Promise<(alarm: AboutDelivery) => boolean> {
  const byId = new Map(deliveries.map((one) => [one.id, one]));
  const asked = new Set(idsOf(alarms.filter(({ kind }) => kind === 'courier_silent')));
  const silent = asked.size === 0 ? asked : await contact.silent(carried.filter(({ id }) => asked.has(id)));
  return ({ kind, deliveryId, courierId }) => {
    const one = byId.get(deliveryId);
    if (one === undefined) return false;
    switch (kind) {
      case 'search_too_long':
        return 'searchCountsFromAt' in one && isDelayed(ctx, one);
      case 'courier_silent':
        return one.courierId === courierId && silent.has(one.id);
      case 'late':
        return isLate(ctx, one);
    }
  };
}

async function clear(ctx: Needs, { deliveryId, kind }: AboutDelivery): Promise<void> {
  for (const cleared of await ctx.alarms.clear(deliveryId, kind)) ctx.notices.alarm(cleared);
  if (kind !== 'late') return;
  // A delivery that has become late again since it was read could not raise an alarm that was still open.
  for (const delivery of await ctx.deliveries.findMany([deliveryId])) await reportLate(ctx, delivery);
}

function idsOf(alarms: readonly AboutDelivery[]): DeliveryId[] {
  return [...new Set(alarms.map(({ deliveryId }) => deliveryId))];
}
