import type { Alarm } from '../../domain/alarm.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { OfferTries } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';

type Needs = Pick<Context, 'alarms' | 'clock' | 'deliveries' | 'offers' | 'settings'>;

/** A delivery whose search takes too long, with its open alarm and the results of its offers, if it has any. */
export type QueueEntry = {
  readonly delivery: Delivery;
  readonly alarm: Alarm | null;
  readonly tries: OfferTries | null;
};

/** Deliveries that wait for an operator: their search has counted for the alarm time. The longest come first. */
export async function listQueue(
  ctx: Needs,
  filter: { readonly liveMode?: boolean },
  page: PageRequest,
): Promise<Page<QueueEntry>> {
  const countingSince = ctx.clock.now() - ctx.settings.search.alarmAfterMs;
  const found = await ctx.deliveries.listLongSearched({ ...filter, countingSince }, page);
  const ids = found.items.map(({ id }) => id);
  const [alarms, tries] = await Promise.all([ctx.alarms.findOpen('search_too_long', ids), ctx.offers.countClosed(ids)]);
  const items = found.items.map((delivery) => ({
    delivery,
    alarm: alarms.find(({ deliveryId }) => deliveryId === delivery.id) ?? null,
    tries: tries.get(delivery.id) ?? null,
  }));
  return { items, next: found.next };
}
