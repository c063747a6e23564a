import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { leavesFrom } from '../domain/lifecycle.ts';
import type { Offer } from '../domain/offer.ts';
import { Refusal } from '../domain/refusals.ts';
import type { Change, Context } from '../ports.ts';
import { cancelDelivery } from './cancel-delivery.ts';
import { actorFor, commitDecision, makeChange } from './change-delivery.ts';
import { each } from './each.ts';
import { closeExpired } from './open-offers.ts';
import { raiseAlarm } from './raise-alarm.ts';

type EndNeeds = Parameters<typeof cancelDelivery>[0] & Pick<Context, 'acceptance' | 'metrics' | 'offers'>;
type TellNeeds = Pick<Context, 'alarms' | 'clock' | 'commit' | 'deliveries' | 'eventLog' | 'notices' | 'settings'>;

/** Events of one delivery read back to see whether one of them told of this search already. */
const MOST_EVENTS = 500;
/** Service time past its end for which a search waits to be told of: a log that lags has caught up by then. */
const TELL_WITHIN_MS = 60_000;
/** Deliveries remembered as told of; forgetting them costs a read each. */
const MOST_TOLD = 10_000;

/**
 * Makes what looks after searches: operators and the vendor are told, once per search, that one takes too long; one that
 * is over without a courier is canceled. An offer that is alive at the limit is answered or expires first. A
 * search that cannot be told of is tried again each turn, and ends untold a minute after its end.
 */
export function watchSearches(
  ctx: EndNeeds & TellNeeds & Pick<Context, 'log'>,
): (searching: readonly Delivery[], isHeld: () => boolean) => Promise<void> {
  const tell = tellDelayed(ctx);
  return async (searching, isHeld) => {
    const now = ctx.clock.now();
    const over = searching.filter(({ searchUntilAt }) => searchUntilAt <= now).map(({ id }) => id);
    const open = over.length === 0 ? [] : await ctx.offers.listOpen(over);
    const openOf = Map.groupBy(open, ({ deliveryId }) => deliveryId);
    await each(searching, isHeld, async (delivery) => {
      const overMs = now - delivery.searchUntilAt;
      try {
        await tell(delivery);
      } catch (error) {
        if (overMs < TELL_WITHIN_MS) throw error;
        ctx.log.error({ error: String(error), deliveryId: delivery.id }, 'a search ends that nobody could be told of');
      }
      if (overMs >= 0) await endSearch(ctx, delivery.id, openOf.get(delivery.id) ?? []);
    });
  };
}

async function endSearch(ctx: EndNeeds, deliveryId: DeliveryId, open: readonly Offer[]): Promise<void> {
  const now = ctx.clock.now();
  if (open.some(({ expiresAt }) => expiresAt > now)) return;
  for (const offer of open) await closeExpired(ctx, offer);
  await cancelDelivery(ctx, { deliveryId, reason: 'no_courier_available' }, { type: 'system' });
}

/** The log itself says whether a search was told of, so that neither a crash nor a second process loses or doubles it. */
function tellDelayed(ctx: TellNeeds): (delivery: Delivery) => Promise<void> {
  /** Deliveries told of, with the time from which that search counts; only saves reading their events again. */
  const told = new Map<DeliveryId, number>();
  return async (delivery) => {
    const { id, searchCountsFromAt: since } = delivery;
    if (!isDelayed(ctx, delivery) || told.get(id) === since) return;
    const minutes = Math.floor((ctx.clock.now() - since) / 60_000);
    const detail = `no courier after ${minutes} min of search`;
    await raiseAlarm(ctx, delivery, { kind: 'search_too_long', since, detail });
    await commitDecision(ctx, id, (before) => planDelayed(ctx, before));
    if (told.size >= MOST_TOLD) told.clear();
    told.set(id, since);
  };
}

/** Says whether the delivery has been searched for so long that an operator should look. */
export function isDelayed(ctx: Pick<Context, 'clock' | 'settings'>, { state, searchCountsFromAt }: Delivery): boolean {
  return leavesFrom(state, 'assign') && ctx.clock.now() - searchCountsFromAt >= ctx.settings.search.alarmAfterMs;
}

async function planDelayed(ctx: TellNeeds, before: Delivery): Promise<Change | null> {
  if (!isDelayed(ctx, before)) return null;
  const events = await ctx.eventLog.list(before.id, Math.max(0, before.sequence - MOST_EVENTS), MOST_EVENTS);
  // The log shows only what is never taken back: it may lag behind the delivery, and the next turn asks it again.
  if (events.at(-1)?.sequence !== before.sequence) throw new Refusal('busy');
  const dueAt = before.searchCountsFromAt + ctx.settings.search.alarmAfterMs;
  const isTold = events.some(
    ({ type, created_at: at }) => type === 'delivery.search_delayed' && Date.parse(at) >= dueAt,
  );
  if (isTold) return null;
  const happening = { type: 'delivery.search_delayed', actor: actorFor({ type: 'system' }) } as const;
  return makeChange(before, before, [happening], ctx.clock.now());
}
