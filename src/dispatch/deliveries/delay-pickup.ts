import type { Actor, Delivery, Preparation } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { hasCourier, leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { WithdrawReason } from '../../domain/offers/offer.ts';
import { closesAt, searchLater } from '../../domain/deliveries/search.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, changeDelivery, known, makeChange, withEffects, type Happening } from '../change-delivery.ts';
import type { DelayPickup, Doer } from '../commands.ts';
import { hereOf, type Here, type MoveNeeds } from '../move-delivery.ts';
import { outOfRange, refuseCollected, refuseOutsider, refuseEnded, refuseUpdate } from './refuse-change.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

type Limits = Pick<Context['settings'], 'preparation' | 'search'>;

const MINUTE_MS = 60_000;
/** The same minutes by the same actor within this time are a repeat of the same delay; ms. */
const SAME_DELAY_MS = 60_000;

/**
 * Puts the pickup off. Its window moves as a whole, and so does a search that has not found a courier. A courier who
 * has the delivery keeps it and is informed. The delay counts from the named ready time, or from now if that has
 * passed. A repeated request counts as one delay. Refuses `update_not_allowed` if the delivery is collected or has
 * ended, or if its delays are too many or too long. Refuses `impossible_value` for a time that is not later.
 */
export async function delayPickup(ctx: MoveNeeds, command: DelayPickup, doer: Doer): Promise<Delivery> {
  refuseOutsider(doer);
  const after = await changeDelivery(ctx, command.deliveryId, doer, async (before) =>
    planDelay(before, command, actorFor(doer), await hereOf(ctx, before), ctx.settings),
  );
  ctx.bell.ring(after.region);
  return after;
}

function planDelay(
  before: Delivery,
  { to, reason }: DelayPickup,
  actor: Actor,
  here: Here,
  settings: Limits,
): Change | null {
  const { now } = here;
  refuseEnded(before);
  refuseCollected(before);
  if (isSame(before, to, actor, now)) return null;
  const namedAt = before.pickup.window?.readyAt ?? null;
  const fromAt = Math.max(now, namedAt ?? now);
  const readyAt = 'minutes' in to ? fromAt + to.minutes * MINUTE_MS : to.readyAt;
  const { delays, delayedMs } = allowedDelay(before, to, fromAt, readyAt, settings.preparation);
  const deadlineAt = before.pickup.window?.deadlineAt ?? null;
  const openedAt = namedAt ?? now;
  // A deadline without a ready time may have passed.
  const shifted = deadlineAt === null ? null : Math.max(deadlineAt, openedAt) + readyAt - openedAt;
  const window = { readyAt, deadlineAt: shifted };
  const lastDelay = 'minutes' in to ? { minutes: to.minutes, at: now, actor } : null;
  const after: Delivery = {
    ...before,
    ...(hasCourier(before.state)
      ? {}
      : searchLater(before, { readyAt, closesAt: closesAt(before.priority, window) }, settings.search, now)),
    pickup: { ...before.pickup, window },
    preparation: withReason({ ...before.preparation, ...waitsFrom(before), delays, delayedMs, lastDelay }, reason),
    // Goods that were reported ready and are put off are no longer ready.
    times: { ...before.times, readyAt: null },
  };
  const happening: Happening = { type: 'delivery.delayed', actor, ready_at: isoTime(readyAt), ...known({ reason }) };
  const change = makeChange(before, after, [happening], here);
  const isFar = readyAt - now >= settings.preparation.withdrawFromMs || after.searchFromAt > now;
  if (!isFar || !leavesFrom(before.state, 'assign')) return change;
  const why: WithdrawReason = 'delayed';
  return withEffects(change, [{ kind: 'close_offers', deliveryId: before.id, accepted: null, reason: why, at: now }]);
}

/** From when waiting counts if the courier is there already. A late vendor must not gain from a delay or a late report. */
export function waitsFrom({ pickup, preparation }: Delivery): Pick<Preparation, 'waitsFromAt'> {
  if (pickup.arrivedAt === null) return {};
  return { waitsFromAt: preparation.waitsFromAt ?? pickup.window?.readyAt ?? pickup.arrivedAt };
}

/** The reason of this delay replaces the earlier one, even if this delay has none. */
function withReason({ delayReason: _before, ...preparation }: Preparation, reason: string | null): Preparation {
  return reason === null ? preparation : { ...preparation, delayReason: reason };
}

/** Says whether the requested delay already applies, or repeats the last one. */
function isSame({ pickup, preparation, times }: Delivery, to: DelayPickup['to'], actor: Actor, now: number): boolean {
  if (times.readyAt !== null) return false;
  if ('readyAt' in to) return pickup.window?.readyAt === to.readyAt;
  const { lastDelay: last } = preparation;
  if (last === null || last.minutes !== to.minutes || now - last.at > SAME_DELAY_MS) return false;
  return last.actor.type === actor.type && last.actor.id === actor.id;
}

/** The number and the sum of the delays with this one. Throws the refusal if they are too many or too long. */
function allowedDelay(
  { preparation }: Delivery,
  to: DelayPickup['to'],
  fromAt: number,
  readyAt: number,
  { mostDelays, mostDelayMs }: Limits['preparation'],
): Pick<Delivery['preparation'], 'delays' | 'delayedMs'> {
  if (readyAt <= fromAt)
    throw outOfRange(
      `must be later than the ready time so far, which is ${isoTime(fromAt)}; it is ${isoTime(readyAt)}`,
    );
  const delays = preparation.delays + 1;
  const delayedMs = preparation.delayedMs + readyAt - fromAt;
  if (delays > mostDelays) {
    const detail = `The pickup was delayed ${counted(mostDelays, 'time')}, which is the limit.`;
    throw refuseUpdate('delayed_too_often', { detail, metadata: { at_most: mostDelays } });
  }
  if (delayedMs > mostDelayMs) {
    const latestAt = fromAt + mostDelayMs - preparation.delayedMs;
    const pointer = 'minutes' in to ? '/minutes' : '/ready_at';
    const detail = `\`${pointer}\` leads to ${isoTime(readyAt)}; all delays together may last ${counted(mostDelayMs / MINUTE_MS, 'minute')}, until ${isoTime(latestAt)}.`;
    throw refuseUpdate('delayed_too_long', {
      detail,
      errors: [{ pointer, code: 'delayed_too_long', message: detail }],
      metadata: { ready_at_most: isoTime(latestAt) },
    });
  }
  return { delays, delayedMs };
}
