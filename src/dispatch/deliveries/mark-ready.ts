import { hereOf, type Here } from '../move-delivery.ts';
import { outOfRange, refuseCollected, refuseOutsider, refuseEnded, refuseStale } from './refuse-change.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { searchSooner } from '../../domain/deliveries/search.ts';
import type { Window } from '../../domain/window.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, changeDelivery, makeChange } from '../change-delivery.ts';
import type { Doer, MarkReady } from '../commands.ts';

type Needs = Pick<Context, 'confirmed' | 'deliveries' | 'clock' | 'commit' | 'notices' | 'positions' | 'bell'>;

/** How far a vendor's clock may be ahead of ours, ms. */
const CLOCK_SKEW_MS = 60_000;

/**
 * The goods are ready: the courier is told, and the region's next run knows. Once said it is so: the same again writes
 * nothing, also when they have been collected. Refuses `stale_version` when the caller has seen another version,
 * `update_not_allowed` when the delivery is over or was collected without a word, `invalid_params` for a time to come.
 */
export async function markReady(ctx: Needs, command: MarkReady, doer: Doer): Promise<Delivery> {
  refuseOutsider(doer);
  const after = await changeDelivery(ctx, command.deliveryId, doer, (before) =>
    planReady(before, command, doer, hereOf(ctx, before)),
  );
  ctx.bell.ring(after.region);
  return after;
}

function planReady(before: Delivery, command: MarkReady, doer: Doer, { now, place }: Here): Change | null {
  refuseStale(before, command.ifVersion);
  refuseEnded(before);
  if (before.times.readyAt !== null) return null;
  refuseCollected(before);
  const readyAt = sinceWhen(command.readyAt ?? now, before, now);
  const after = { ...withReady(before, readyAt, now), times: { ...before.times, readyAt } };
  return makeChange(before, after, [{ type: 'delivery.ready', actor: actorFor(doer), readyAt }], now, place);
}

/** A kitchen may say so a little late, but not of a time to come, nor of one before the order. */
function sinceWhen(asked: number, { times }: Delivery, now: number): number {
  if (asked > now + CLOCK_SKEW_MS)
    throw outOfRange(`must not be in the future; it is ${isoTime(asked)}, and now it is ${isoTime(now)}`);
  return Math.max(times.createdAt, Math.min(asked, now));
}

/**
 * The delivery with its pickup brought forward. A ready time that has passed stays: it was promised, and who was late
 * with it must not be better off for saying so. The window of a scheduled pickup stays too: it was agreed upon, and the
 * recipient waits for it.
 */
function withReady(before: Delivery, readyAt: number, now: number): Delivery {
  if (before.priority === 'scheduled') return before;
  const { pickup } = before;
  const deadlineAt = pickup.window?.deadlineAt ?? null;
  const firstAt = Math.min(readyAt, pickup.window?.readyAt ?? readyAt, deadlineAt ?? readyAt);
  const window: Window = { readyAt: firstAt, deadlineAt };
  return { ...before, pickup: { ...pickup, window }, ...searchSooner(before, now) };
}
