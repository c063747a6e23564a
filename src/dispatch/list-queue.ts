import type { Alarm } from '../domain/alarm.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { OfferTries } from '../domain/offer.ts';
import type { Context, Page, PageRequest } from '../ports.ts';

type Needs = Pick<Context, 'alarms' | 'clock' | 'deliveries' | 'offers' | 'settings'>;

/** A delivery that is searched for too long, with its open alarm and what became of its offers, if there are any. */
export type QueueEntry = {
  readonly delivery: Delivery;
  readonly alarm: Alarm | null;
  readonly tries: OfferTries | null;
};

/** Open alarms looked at, oldest first; a search that is long is listed with its alarm or without. */
const MOST_ALARMS = 2000;

/**
 * What waits for an operator: deliveries whose search has counted for the alarm time, or whose alarm for that is still
 * open, the longest first.
 */
export async function listQueue(
  ctx: Needs,
  filter: { readonly liveMode?: boolean },
  page: PageRequest,
): Promise<Page<QueueEntry>> {
  const open = await ctx.alarms.listOpen(MOST_ALARMS);
  const alarms = new Map<DeliveryId, Alarm>();
  for (const alarm of open) {
    if (alarm.kind === 'search_too_long' && alarm.deliveryId !== null) alarms.set(alarm.deliveryId, alarm);
  }
  const countingSince = ctx.clock.now() - ctx.settings.search.alarmAfterMs;
  const found = await ctx.deliveries.listLongSearched({ ...filter, countingSince, ids: [...alarms.keys()] }, page);
  const tries = await ctx.offers.countClosed(found.items.map(({ id }) => id));
  const items = found.items.map((delivery) => ({
    delivery,
    alarm: alarms.get(delivery.id) ?? null,
    tries: tries.get(delivery.id) ?? null,
  }));
  return { items, next: found.next };
}
