import { stopAt, type Delivery } from '../../domain/deliveries/delivery.ts';
import { findRow, isResultOf, leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { stepStop, STOP_VERBS, type StopFacts, type VerbAtStop } from '../../domain/deliveries/stops/stop-lifecycle.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, known, makeChange, type Happening } from '../change-delivery.ts';
import type { ActAtStop, Doer, FailStop } from '../commands.ts';
import { allowed, moveDelivery, planMove, type RequestedVerb, type Here, type MoveNeeds } from '../move-delivery.ts';
import { planEnding } from './open-return.ts';

/** An action at the pickup needs no stop number. */
type ActAtPickup = Omit<ActAtStop, 'stop'>;
type RequestAtStop = RequestedVerb & { readonly verb: VerbAtStop };
type RequestToEnd = RequestedVerb & { readonly verb: 'deliver' | 'fail' };
type EndNeeds = MoveNeeds & Pick<Context, 'links'>;

/**
 * The courier arrives at a stop. At the pickup the wait clock starts. If the courier already is there, nothing is
 * written.
 */
export function arriveAtStop(ctx: MoveNeeds, command: ActAtStop, doer: Doer): Promise<Delivery> {
  const requested: RequestAtStop = {
    verb: command.stop === 0 ? 'arrive_pickup' : 'arrive_drop_off',
    stop: command.stop,
    doer,
  };
  return moveDelivery(ctx, command, requested, (before, here) => planArrive(before, command, requested, here));
}

/**
 * The courier has the goods. If a courier asks and they were collected before, nothing is written.
 * Without a reason from the courier, refuses `too_far_from_stop` and `courier_position_unknown`.
 */
export function pickUp(ctx: MoveNeeds, command: ActAtPickup, doer: Doer): Promise<Delivery> {
  const requested: RequestAtStop = { verb: 'pick_up', stop: null, doer };
  return moveDelivery(ctx, command, requested, (before, here) => planPickUp(before, command, requested, here));
}

/** The courier leaves the pickup. If they already are on the way, nothing is written. */
export function depart(ctx: MoveNeeds, command: ActAtPickup, doer: Doer): Promise<Delivery> {
  const requested: RequestedVerb = { verb: 'depart', stop: null, doer };
  return moveDelivery(ctx, command, requested, (before, here) =>
    isResultOf('depart', before.state) ? null : planMove(before, { ...here, requested, verb: 'depart', details: {} }),
  );
}

/**
 * The courier hands over the goods of one drop-off. The last one ends the delivery. If a courier asks and it was
 * served before, nothing is written. Without a reason from them, refuses `too_far_from_stop` and `courier_position_unknown`.
 */
export function deliverStop(ctx: EndNeeds, command: ActAtStop, doer: Doer): Promise<Delivery> {
  return endStop(ctx, { ...command, contactTries: [], reason: null }, { verb: 'deliver', stop: command.stop, doer });
}

/**
 * One drop-off cannot be served. The courier must have waited 5 min at the stop and tried twice to reach the recipient
 * (`contact_tries_missing`); the place counts as for `deliverStop`. If no stop was served, the delivery fails and the
 * goods come back as a return. If a courier asks and the stop failed before, nothing is written.
 */
export function failStop(ctx: EndNeeds, command: FailStop, doer: Doer): Promise<Delivery> {
  return endStop(ctx, command, { verb: 'fail', stop: command.stop, doer });
}

type EndStop = Omit<FailStop, 'reason'> & { readonly reason: string | null };

function endStop(ctx: EndNeeds, command: EndStop, requested: RequestToEnd): Promise<Delivery> {
  return moveDelivery(ctx, command, requested, (before, here) =>
    planEndStop(before, command, requested, here, ctx.links.make(1)),
  );
}

function planArrive(
  before: Delivery,
  { stop: index, overrideReason }: Pick<ActAtStop, 'stop' | 'overrideReason'>,
  requested: RequestAtStop,
  here: Here,
): Change | null {
  const old = stopAt(before, index);
  if (old === null) throw new Refusal('stop_not_found');
  if (old.state === 'arrived' && leavesFrom(before.state, requested.verb)) return null;
  allowed(findRow(before.state, requested.verb, requested.doer.type));
  const state = nextOf(old, before, requested, here, { overrideReason });
  const sets = withStop(before, { ...old, state, arrivedAt: here.now });
  const details = { stop: index, ...known({ override_reason: overrideReason }) };
  return planMove(before, { ...here, requested, verb: requested.verb, details, sets });
}

function planPickUp(
  before: Delivery,
  { overrideReason }: Pick<ActAtStop, 'overrideReason'>,
  requested: RequestAtStop,
  here: Here,
): Change | null {
  const { pickup } = before;
  if (isDoneBy(requested, pickup)) return null;
  allowed(findRow(before.state, requested.verb, requested.doer.type));
  const state = nextOf(pickup, before, requested, here, { overrideReason });
  const sets = withStop(before, { ...pickup, state, doneAt: here.now });
  const details = known({ override_reason: overrideReason });
  return planMove(before, { ...here, requested, verb: 'pick_up', details, sets });
}

/**
 * Ends one drop-off. While others are open, only the stop changes. The last one ends the delivery: delivered if any
 * stop was delivered, else failed. Goods that were not handed over come back as a return. If there are several
 * drop-offs, each has an event of its own before the delivery's, in the same commit.
 */
function planEndStop(
  before: Delivery,
  { stop: index, reason, overrideReason, contactTries }: Omit<EndStop, 'deliveryId'>,
  requested: RequestToEnd,
  here: Here,
  backLinks: Delivery['links'],
): Change | null {
  const old = index === 0 ? null : stopAt(before, index);
  if (old === null) throw new Refusal('stop_not_found');
  if (isDoneBy(requested, old)) return null;
  allowed(findRow(before.state, requested.verb, requested.doer.type));
  const state = nextOf(old, before, requested, here, { overrideReason, contactTries });
  const { dropOffs } = withStop(before, { ...old, state, doneAt: here.now, reason });
  const actor = actorFor(requested.doer);
  const atStop: Delivery = {
    ...before,
    dropOffs,
    stage: stageOnTheWay(before, dropOffs),
    madeBy: { verb: requested.verb, stop: index, actor },
  };
  const done = { stop: index, ...known({ override_reason: overrideReason }) };
  const failed = { ...done, ...known({ reason }) };
  const ended: Happening =
    requested.verb === 'deliver'
      ? { type: 'drop_off.delivered', actor, ...done, asOf: atStop }
      : { type: 'drop_off.failed', actor, ...failed, asOf: atStop };
  const own = dropOffs.length === 1 ? [] : [ended];
  if (!dropOffs.every(isStopEnded)) return makeChange(before, atStop, own, here);
  const move = { ...here, requested, first: own };
  if (dropOffs.some((stop) => stop.state === 'delivered')) {
    const outcome = dropOffs.every((stop) => stop.state === 'delivered') ? 'complete' : 'partial';
    return planEnding(before, { ...move, verb: 'deliver', details: done, sets: { dropOffs, outcome } }, backLinks);
  }
  const ending = { by: actor.type, reason };
  return planEnding(before, { ...move, verb: 'fail', details: failed, sets: { dropOffs, ending } }, backLinks);
}

/** Whether the stop already is as the courier wants it. A phone repeats a request whose answer it missed. */
function isDoneBy({ verb, doer }: RequestAtStop, { state }: Stop): boolean {
  return doer.type === 'courier' && state === (verb === 'fail' ? 'failed' : 'delivered');
}

function nextOf(
  stop: Stop,
  delivery: Delivery,
  { verb, doer }: RequestAtStop,
  { now, place: position }: Here,
  { overrideReason, contactTries = [] }: Pick<StopFacts, 'overrideReason'> & Partial<Pick<StopFacts, 'contactTries'>>,
): Stop['state'] {
  const found = stepStop(stop, STOP_VERBS[verb], doer.type, { now, delivery, position, overrideReason, contactTries });
  if (!found.ok) throw new Refusal(found);
  return found.to;
}

function withStop(delivery: Delivery, stop: Stop): Pick<Delivery, 'pickup' | 'dropOffs'> {
  const { pickup, dropOffs } = delivery;
  return {
    pickup: stop.index === 0 ? stop : pickup,
    dropOffs: dropOffs.map((old) => (old.index === stop.index ? stop : old)),
  };
}

/** The stage between two drop-offs: at one of them, or on the way to the next. Before departure there is no stage. */
function stageOnTheWay({ stage }: Delivery, dropOffs: readonly Stop[]): Delivery['stage'] {
  if (stage === null) return null;
  return dropOffs.some(({ state }) => state === 'arrived') ? 'arrived_at_drop_off' : 'en_route_to_drop_off';
}
