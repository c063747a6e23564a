import type { Alarm } from '../../domain/alarm.ts';
import { carriedOf, type Carried } from '../../domain/deliveries/carried.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { PageMark } from '../../ports/pages.ts';
import { isDelayed } from './end-search.ts';
import type { Contact } from './watch-contact.ts';
import { isLate } from './watch-late.ts';

type Needs = Pick<Context, 'alarms' | 'carried' | 'clock' | 'deliveries' | 'notices' | 'settings'>;

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
  const known = idsOf(open).flatMap((id) => ctx.carried.get(id) ?? []);
  const isKnownToStay = await judgeCarried(ctx, contact, known);
  // Thousands of alarms may be open for hours. Only the deliveries of those that may end now are read.
  const doubted = open.filter((alarm) => !isKnownToStay(alarm));
  if (idsOf(doubted).length === 0) return;
  const deliveries = await ctx.deliveries.findMany(idsOf(doubted));
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const carried = deliveries.flatMap((delivery) => carriedOf(delivery) ?? []);
  const isThere = await judgeCarried(ctx, contact, carried);
  for (const alarm of doubted) {
    if (alarm.deliveryId === null || isThere(alarm) || isOpenCause(ctx, alarm, byId.get(alarm.deliveryId))) continue;
    const cleared = await ctx.alarms.clear(alarm.deliveryId, alarm.kind);
    for (const each of cleared) ctx.notices.alarm(each);
  }
}

function idsOf(alarms: readonly Alarm[]): DeliveryId[] {
  return [...new Set(alarms.flatMap(({ deliveryId }) => deliveryId ?? []))];
}

/** Says of an alarm whether one of these deliveries is its cause: its courier is still silent, or it is still late. */
async function judgeCarried(
  ctx: Needs,
  contact: Contact,
  carried: readonly Carried[],
): Promise<(alarm: Alarm) => boolean> {
  const byId = new Map<DeliveryId | null, Carried>(carried.map((one) => [one.id, one]));
  const silent = carried.length === 0 ? new Set<DeliveryId>() : await contact.silent(carried);
  return ({ kind, deliveryId, courierId }) => {
    const one = byId.get(deliveryId);
    if (one === undefined) return false;
    if (kind === 'late') return isLate(ctx, one);
    return kind === 'courier_silent' && one.courierId === courierId && silent.has(one.id);
  };
}

/** Says whether the delivery, with or without a courier, is the cause of its alarm. */
function isOpenCause(ctx: Needs, { kind }: Alarm, delivery: Delivery | undefined): boolean {
  if (delivery === undefined || kind === 'courier_silent') return false;
  return kind === 'late' ? isLate(ctx, delivery) : isDelayed(ctx, delivery);
}
