import { hereOf, type Here, type MoveNeeds } from '../move-delivery.ts';
import { refuseStale } from '../../domain/refusals/refuse-stale.ts';
import { waitsFrom } from './delay-pickup.ts';
import { outOfRange, refuseCollected, refuseOutsider, refuseEnded } from './refuse-change.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { searchSooner } from '../../domain/deliveries/search.ts';
import type { Window } from '../../domain/window.ts';
import type { Change } from '../../ports/changes.ts';
import { actorFor, changeDelivery, makeChange, type Happening } from '../change-delivery.ts';
import type { Doer, MarkReady } from '../commands.ts';

/** How far a vendor's clock may be ahead of the server's, ms. */
const CLOCK_SKEW_MS = 60_000;

/**
 * The goods are ready. The courier is informed, and the region's next run uses it. A repeat writes nothing, even after
 * the pickup. Refuses `stale_version` if the caller's version is stale. Refuses `update_not_allowed` if the delivery
 * has ended or was collected without a report. Refuses `impossible_value` for a time in the future.
 */
export async function markReady(ctx: MoveNeeds, command: MarkReady, doer: Doer): Promise<Delivery> {
  refuseOutsider(doer);
  const after = await changeDelivery(ctx, command.deliveryId, doer, async (before) =>
    planReady(before, command, doer, await hereOf(ctx, before)),
  );
  ctx.bell.ring(after.region);
  return after;
}

function planReady(before: Delivery, command: MarkReady, doer: Doer, here: Here): Change | null {
  const { now } = here;
  refuseStale(before, command.ifVersion);
  refuseEnded(before);
  if (before.times.readyAt !== null) return null;
  refuseCollected(before);
  const readyAt = sinceWhen(command.readyAt ?? now, before, now);
  const after = { ...withReady(before, readyAt, now), times: { ...before.times, readyAt } };
  const happening: Happening = { type: 'delivery.ready', actor: actorFor(doer), ready_at: isoTime(readyAt) };
  return makeChange(before, after, [happening], here);
}

/** A kitchen may report a little late. The time must be neither in the future nor before the order. */
function sinceWhen(requested: number, { times }: Delivery, now: number): number {
  if (requested > now + CLOCK_SKEW_MS)
    throw outOfRange(`must not be in the future; it is ${isoTime(requested)}, and now it is ${isoTime(now)}`);
  return Math.max(times.createdAt, Math.min(requested, now));
}

/**
 * The delivery with an earlier pickup. A ready time that has passed stays: it was promised, and a late vendor must not
 * gain from the report. The window of a scheduled pickup stays too: it was agreed, and the recipient expects it. A report
 * about the past makes no courier late: the goods count as ready no earlier than now, or than the courier's arrival.
 */
function withReady(before: Delivery, readyAt: number, now: number): Delivery {
  if (before.priority === 'scheduled') return before;
  const { pickup } = before;
  const deadlineAt = pickup.window?.deadlineAt ?? null;
  const countsFrom = Math.max(readyAt, pickup.arrivedAt ?? now);
  const firstAt = Math.min(countsFrom, pickup.window?.readyAt ?? countsFrom, deadlineAt ?? countsFrom);
  const window: Window = { readyAt: firstAt, deadlineAt };
  const preparation = { ...before.preparation, ...waitsFrom(before) };
  return { ...before, preparation, pickup: { ...pickup, window }, ...searchSooner(before, now) };
}
