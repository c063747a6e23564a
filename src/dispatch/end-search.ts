import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { leavesFrom } from '../domain/lifecycle.ts';
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
/** Deliveries remembered as told of; forgetting them costs a read each. */
const MOST_TOLD = 10_000;

/**
 * Cancels the deliveries whose search is over without a courier. An offer that is alive at the limit is answered or
 * expires first.
 */
export async function endSearches(ctx: EndNeeds, searching: readonly Delivery[], isHeld: () => boolean): Promise<void> {
  const now = ctx.clock.now();
  const over = searching.filter(({ searchUntilAt }) => searchUntilAt <= now);
  if (over.length === 0) return;
  const offers = await ctx.offers.listOpen(over.map(({ id }) => id));
  await each(over, isHeld, async ({ id }) => {
    const own = offers.filter(({ deliveryId }) => deliveryId === id);
    if (own.some(({ expiresAt }) => expiresAt > now)) return;
    for (const offer of own) await closeExpired(ctx, offer);
    await cancelDelivery(ctx, { deliveryId: id, reason: 'no_courier_available' }, { type: 'system' });
  });
}

/**
 * Makes what tells operators and the vendor, once per search, that it takes too long. The log itself says whether a
 * search was told of, so that neither a crash nor a second process loses or doubles the event.
 */
export function tellDelayed(ctx: TellNeeds): (delivery: Delivery) => Promise<void> {
  /** Deliveries told of, with the start of that search; only saves reading their events again. */
  const told = new Map<DeliveryId, number>();
  return async (delivery) => {
    const { id, searchFromAt } = delivery;
    if (!isDelayed(ctx, delivery) || told.get(id) === searchFromAt) return;
    const minutes = Math.floor((ctx.clock.now() - searchFromAt) / 60_000);
    const detail = `no courier after ${minutes} min of search`;
    await raiseAlarm(ctx, delivery, { kind: 'search_too_long', since: searchFromAt, detail });
    await commitDecision(ctx, id, (before) => planDelayed(ctx, before));
    if (told.size >= MOST_TOLD) told.clear();
    told.set(id, searchFromAt);
  };
}

/** Says whether the delivery has been searched for so long that an operator should look. */
export function isDelayed(ctx: Pick<Context, 'clock' | 'settings'>, { state, searchFromAt }: Delivery): boolean {
  return leavesFrom(state, 'assign') && ctx.clock.now() - searchFromAt >= ctx.settings.search.alarmAfterMs;
}

async function planDelayed(ctx: TellNeeds, before: Delivery): Promise<Change | null> {
  if (!isDelayed(ctx, before)) return null;
  const events = await ctx.eventLog.list(before.id, Math.max(0, before.sequence - MOST_EVENTS), MOST_EVENTS);
  // The log shows only what is never taken back: it may lag behind the delivery, and the next turn asks it again.
  if (events.at(-1)?.sequence !== before.sequence) throw new Refusal('busy');
  const isTold = events.some(
    ({ type, created_at: at }) => type === 'delivery.search_delayed' && Date.parse(at) >= before.searchFromAt,
  );
  if (isTold) return null;
  const happening = { type: 'delivery.search_delayed', actor: actorFor({ type: 'system' }) } as const;
  return makeChange(before, before, [happening], ctx.clock.now());
}
