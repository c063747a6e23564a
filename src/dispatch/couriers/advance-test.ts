import { newId } from '../../domain/ids.ts';
import type { Caller } from '../../domain/access.ts';
import { changesOf } from '../../domain/audit.ts';
import { nextDropOff, type Delivery } from '../../domain/deliveries/delivery.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Verb } from '../../domain/deliveries/states.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Commit } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { withEffects } from '../change-delivery.ts';
import { arriveAtStop, deliverStop, depart, failStop, pickUp } from '../deliveries/advance-delivery.ts';

type Needs = Parameters<typeof deliverStop>[0] & Pick<Context, 'audit'>;
type CourierCaller = Extract<Caller, { type: 'courier' }>;

/** The steps of a robo-courier that a test can take by hand, in their usual order. */
export const TEST_STEPS = [
  'arrived_at_pickup',
  'picked_up',
  'in_transit',
  'arrived_at_drop_off',
  'delivered',
  'failed',
] as const;
export type TestStep = (typeof TEST_STEPS)[number];

/** The verb of each step. The table of transitions says in which states it is possible. */
const VERB_OF: Readonly<Record<TestStep, Verb>> = {
  arrived_at_pickup: 'arrive_pickup',
  picked_up: 'pick_up',
  in_transit: 'depart',
  arrived_at_drop_off: 'arrive_drop_off',
  delivered: 'deliver',
  failed: 'fail',
};

/** Why the robo-courier acts although they may be elsewhere. Events show it. */
const OVERRIDE_REASON = 'advanced by a test';

/**
 * The steps that are possible now, the usual next one first. A delivery without a courier has none, since robo-couriers
 * accept by themselves. Refuses `robo_courier_required` if no robo-courier carries the delivery.
 */
export function testSteps(delivery: Delivery): readonly TestStep[] {
  if (delivery.liveMode || delivery.robo === null) throw new Refusal('robo_courier_required');
  const isNews: Partial<Record<TestStep, boolean>> = {
    arrived_at_pickup: delivery.pickup.state === 'pending',
    arrived_at_drop_off: nextDropOff(delivery)?.state === 'pending',
  };
  return TEST_STEPS.filter((name) => leavesFrom(delivery.state, VERB_OF[name]) && (isNews[name] ?? true));
}

/**
 * Takes one step of a test at once, as the robo-courier who carries it and through the same use cases. Without `to` it
 * takes the usual next step. A step at a drop-off concerns the one that is visited next. Refuses
 * `invalid_state_transition` for a step that is not possible now.
 * @param caller who asks for the step; that of staff is audited
 */
export async function advanceTest(
  ctx: Needs,
  delivery: Delivery,
  to: TestStep | null,
  caller: Pick<Caller, 'type'>,
): Promise<Delivery> {
  const steps = testSteps(delivery);
  const step = to ?? steps[0];
  const { courierId } = delivery;
  if (step === undefined || courierId === null || !steps.includes(step)) throw notPossible(delivery, to, steps);
  const by: CourierCaller = {
    type: 'courier',
    courierId,
    liveMode: false,
    sessionId: newId('ses'),
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
  const commit = caller.type === 'staff' ? auditingCommit(ctx, step) : ctx.commit;
  return take({ ...ctx, commit }, delivery, step, by);
}

/** The same commit. It stores an entry of the audit log with the step, whose events name the robo-courier alone. */
function auditingCommit({ audit, commit }: Needs, step: TestStep): Commit {
  const auditing: Commit = (change) => {
    const { before, after } = change;
    const { id: objectId, vendorId, liveMode, state } = after;
    const changes = changesOf({ state: before?.state ?? null }, { state, step });
    const entry = audit.draft({ action: 'test.advance', objectId, vendorId, liveMode, changes });
    return commit(withEffects(change, [{ kind: 'audit', entry }]));
  };
  return Object.assign(auditing, commit);
}

function take(ctx: Needs, delivery: Delivery, step: TestStep, by: CourierCaller): Promise<Delivery> {
  const command = { deliveryId: delivery.id, overrideReason: OVERRIDE_REASON };
  const stop = nextDropOff(delivery)?.index ?? delivery.dropOffs.length;
  switch (step) {
    case 'arrived_at_pickup':
      return arriveAtStop(ctx, { ...command, stop: 0 }, by);
    case 'picked_up':
      return pickUp(ctx, command, by);
    case 'in_transit':
      return depart(ctx, command, by);
    case 'arrived_at_drop_off':
      return arriveAtStop(ctx, { ...command, stop }, by);
    case 'delivered':
      return deliverStop(ctx, { ...command, stop }, by);
    case 'failed': {
      const reason = delivery.robo?.failReason ?? 'customer_unavailable';
      return failStop(ctx, { ...command, stop, reason, contactTries: [] }, by);
    }
  }
}

function notPossible({ state }: Delivery, to: TestStep | null, allowed: readonly TestStep[]): Refusal {
  const next = allowed.length === 0 ? 'No step is possible now' : `Possible are ${allowed.join(', ')}`;
  const detail = `The delivery is \`${state}\`. ${next}.`;
  return new Refusal('invalid_state_transition', {
    reason: 'step_not_possible',
    detail,
    metadata: { from: state, to, allowed: [...allowed] },
  });
}
