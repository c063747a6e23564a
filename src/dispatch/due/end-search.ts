import { momentWithout } from '../../domain/deliveries/eta.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { cancelDelivery } from '../deliveries/cancel-delivery.ts';
import { actorFor, commitDecision, makeChange } from '../change-delivery.ts';
import { closeExpired } from '../close-offer.ts';
import { raiseAlarm } from './raise-alarm.ts';

type EndNeeds = Parameters<typeof cancelDelivery>[0] & Pick<Context, 'acceptance' | 'metrics' | 'offers'>;
type TellNeeds = Pick<
  Context,
  'alarms' | 'clock' | 'commit' | 'confirmed' | 'deliveries' | 'eventLog' | 'notices' | 'settings' | 'travel'
>;

/** How many events of one delivery are read back to find a report of this search. */
const MOST_EVENTS = 500;
/** How long after its end a search waits to be reported, service time. A lagging log has caught up by then. */
const TELL_WITHIN_MS = 60_000;
/** How often the server looks at an ended search while an offer may still be accepted, service time. */
const ANSWER_LOOK_MS = 1000;

/**
 * Looks after a search. Operators and the vendor learn, once per search, that it takes too long. A search that ended
 * without a courier cancels its delivery. An offer that is open at the limit is answered or expires first. A search
 * that could not be reported is tried again. A minute after its end it ends without a report. Returns when to look
 * again, service time in ms. Null means with the next change.
 */
export async function lookAtSearch(
  ctx: EndNeeds & TellNeeds & Pick<Context, 'log'>,
  delivery: Delivery,
): Promise<number | null> {
  const now = ctx.clock.now();
  const { id: deliveryId, searchCountsFromAt, searchUntilAt } = delivery;
  try {
    await reportDelayed(ctx, delivery);
  } catch (error) {
    if (now - searchUntilAt < TELL_WITHIN_MS) throw error;
    ctx.log.error({ error, deliveryId }, 'a search ends that could not be reported');
  }
  const alarmAt = searchCountsFromAt + ctx.settings.search.alarmAfterMs;
  if (now < searchUntilAt) return now < alarmAt ? Math.min(alarmAt, searchUntilAt) : searchUntilAt;
  const open = await ctx.offers.listOpen([deliveryId]);
  if (open.some(({ expiresAt }) => expiresAt > now)) return now + ANSWER_LOOK_MS;
  for (const offer of open) await closeExpired(ctx, offer);
  await cancelDelivery(ctx, { deliveryId, reason: 'no_courier_available' }, { type: 'system' });
  return null;
}

/**
 * The log itself says whether a search was reported, so neither a crash nor a second process loses or doubles the
 * report.
 */
async function reportDelayed(ctx: TellNeeds, delivery: Delivery): Promise<void> {
  if (!isDelayed(ctx, delivery)) return;
  const { id, searchCountsFromAt: since } = delivery;
  await raiseAlarm(ctx, delivery, { kind: 'search_too_long', since, detail: 'no courier has been found since then' });
  await commitDecision(ctx, id, (before) => planDelayed(ctx, before));
}

/** Says whether the search takes so long that an operator should look. */
export function isDelayed(ctx: Pick<Context, 'clock' | 'settings'>, { state, searchCountsFromAt }: Delivery): boolean {
  return leavesFrom(state, 'assign') && ctx.clock.now() - searchCountsFromAt >= ctx.settings.search.alarmAfterMs;
}

async function planDelayed(ctx: TellNeeds, before: Delivery): Promise<Change | null> {
  if (!isDelayed(ctx, before)) return null;
  const events = await ctx.eventLog.list(before.id, Math.max(0, before.sequence - MOST_EVENTS), MOST_EVENTS);
  // The log shows only what is never taken back. It may lag behind the delivery, and then the next turn tries again.
  if (events.at(-1)?.sequence !== before.sequence) throw new Refusal('busy');
  const dueAt = before.searchCountsFromAt + ctx.settings.search.alarmAfterMs;
  const isTold = events.some(
    ({ type, created_at: at }) => type === 'delivery.search_delayed' && Date.parse(at) >= dueAt,
  );
  if (isTold) return null;
  const happening = { type: 'delivery.search_delayed', actor: actorFor({ type: 'system' }) } as const;
  return makeChange(before, before, [happening], momentWithout(ctx.clock.now(), ctx.travel, ctx.settings));
}
