import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { testOverAt } from '../../domain/deliveries/due.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, withEffects, type Happening } from '../change-delivery.ts';
import { moveDelivery, planMove, type Here, type MoveNeeds, type RequestedVerb } from '../move-delivery.ts';

type Needs = MoveNeeds & Pick<Context, 'settings'>;
type Ending = RequestedVerb & { readonly verb: 'cancel' | 'fail' };

const reason = 'test_expired';

/**
 * Ends a delivery of test mode that nobody acts on any more: before the pickup it is canceled, and later it fails. If
 * one of its stops was delivered, it is canceled as well. No return opens, since a test has no goods. Returns when to
 * look again, service time in ms. Null means with the next change.
 */
export async function endTest(ctx: Needs, delivery: Delivery): Promise<number | null> {
  const overAt = testOverAt(delivery, ctx.settings.search);
  if (overAt === null || ctx.clock.now() < overAt) return overAt;
  const requested: Ending = { verb: endingOf(delivery), stop: null, doer: { type: 'system' } };
  const after = await moveDelivery(ctx, { deliveryId: delivery.id }, requested, (before, here) => {
    const beforeAt = testOverAt(before, ctx.settings.search);
    const isOver = beforeAt !== null && here.now >= beforeAt && endingOf(before) === requested.verb;
    return isOver ? planEnd(before, requested, here, beforeAt) : null;
  });
  return testOverAt(after, ctx.settings.search);
}

function endingOf({ state, dropOffs }: Delivery): Ending['verb'] {
  return leavesFrom(state, 'fail') && dropOffs.every((stop) => stop.state !== 'delivered') ? 'fail' : 'cancel';
}

function planEnd(before: Delivery, requested: Ending, here: Here, overAt: number): Change {
  const { verb } = requested;
  const open = before.dropOffs.filter((stop) => !isStopEnded(stop));
  const ended = (stop: Stop): Stop =>
    verb === 'fail'
      ? { ...stop, state: 'failed', doneAt: here.now, reason }
      : { ...stop, state: 'canceled', doneAt: here.now };
  const dropOffs = before.dropOffs.map((stop) => (open.includes(stop) ? ended(stop) : stop));
  const sets = { dropOffs, ending: { by: 'system' as const, reason } };
  const move = { ...here, requested, sets, facts: { testOverAt: overAt } };
  if (verb === 'cancel') {
    const change = planMove(before, { ...move, verb, details: { reason } });
    if (!leavesFrom(before.state, 'assign')) return change;
    const closing = { deliveryId: before.id, accepted: null, reason: 'search_ended', at: here.now };
    return withEffects(change, [{ kind: 'close_offers', ...closing }]);
  }
  const actor = actorFor(requested.doer);
  const first = open.map(({ index }): Happening => ({ type: 'drop_off.failed', actor, stop: index, reason }));
  const stop = open.at(-1)?.index ?? before.dropOffs.length;
  return planMove(before, { ...move, verb, details: { stop, reason }, first: before.dropOffs.length > 1 ? first : [] });
}
