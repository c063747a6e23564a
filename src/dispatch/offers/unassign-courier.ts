import assert from 'node:assert';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { CourierId } from '../../domain/ids.ts';
import { findRow, stageAfter } from '../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { readyTimesOf, searchFor, type SearchLeads } from '../../domain/deliveries/search.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { withEffects } from '../change-delivery.ts';
import type { Doer, UnassignCourier } from '../commands.ts';
import { allowed, moveDelivery, planMove, type RequestedVerb, type Here, type MoveNeeds } from '../move-delivery.ts';
import { usingFiles } from '../proof-files.ts';

type Needs = MoveNeeds & Pick<Context, 'settings'>;

/** How many couriers who gave a delivery back are remembered; far above the number of times they may. */
const MOST_FORMER = 50;

/**
 * Unassigns a delivery from its courier before the pickup and searches again, with the whole search limit. A search
 * does not start before its time. The courier receives no further offer for it. The proof that they gave is dropped, and
 * its files end soon. If the command names a courier who has lost the delivery, or an assignment that has ended, nothing is
 * written. Refuses `too_many_releases`, `not_late_enough` to a vendor, and `already_assigned` if another courier than the
 * named one has it.
 */
export async function unassignCourier(ctx: Needs, command: UnassignCourier, doer: Doer): Promise<Delivery> {
  const requested: RequestedVerb = { verb: 'unassign', stop: null, doer };
  const after = await moveDelivery(ctx, command, requested, (before, here) => {
    const change = planUnassign(before, command, requested, here, ctx.settings.search);
    return change === null ? null : withEffects(change, usingFiles(ctx, change));
  });
  return doer.type === 'courier' && after.courierId !== doer.courierId ? asGivenBack(after) : after;
}

/** A delivery as its release left it. Its later fate is not for the courier who gave it back, however late they repeat that. */
function asGivenBack(delivery: Delivery): Delivery {
  const { to: state } = allowed(findRow('assigned', 'unassign', 'courier'));
  return { ...delivery, state, stage: stageAfter('unassign'), courierId: null, courier: null };
}

function planUnassign(
  before: Delivery,
  { courierId: named, reason }: UnassignCourier,
  requested: RequestedVerb,
  here: Here,
  leads: SearchLeads,
): Change | null {
  const { courierId, courier, formerCouriers } = before;
  // The next courier collects the goods, and shows it with a proof of their own.
  const { proof: _given, ...pickup } = before.pickup;
  const { waitsFromAt: _waited, ...preparation } = before.preparation;
  if (named !== undefined && named !== courierId) {
    if (formerCouriers.includes(named)) return null;
    if (courierId !== null) throw anothers(courierId);
  }
  const sets = {
    courierId: null,
    courier: null,
    pickup: { ...pickup, state: 'pending' as const, arrivedAt: null },
    preparation,
    formerCouriers: courierId === null ? formerCouriers : [...formerCouriers, courierId].slice(-MOST_FORMER),
    ...searchFor(readyTimesOf(before), before.searchLimitMs, leads, here.now),
  };
  allowed(findRow(before.state, 'unassign', requested.doer.type));
  assert(courier !== null, 'an assigned delivery has its courier');
  return planMove(before, { ...here, place: null, requested, verb: 'unassign', details: { courier, reason }, sets });
}

function anothers(courierId: CourierId): Refusal {
  const detail = '`/courier_id` must name the courier who has the delivery; another courier has it.';
  return new Refusal('already_assigned', { detail, metadata: { courier_id: courierId } });
}
