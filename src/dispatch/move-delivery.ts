import { knownPlaceOf, newestPlaceOf } from './courier-place.ts';
import { momentOf } from './moment-of.ts';
import { isOfEnded } from '../domain/couriers/courier-actions.ts';
import { assignmentOf, isSameAssignment, type Actor, type Delivery } from '../domain/deliveries/delivery.ts';
import type { Details } from '../domain/deliveries/events.ts';
import { regionOf, sizeOf } from '../domain/geo/geo.ts';
import { factsOf, type Facts } from '../domain/deliveries/guards.ts';
import type { DeliveryId } from '../domain/ids.ts';
import {
  hasCourier,
  mayEverDo,
  notTheirs,
  stageAfter,
  step,
  timesAfter,
  type Row,
  type RowOf,
  type Step,
} from '../domain/deliveries/lifecycle.ts';
import type { Position } from '../domain/couriers/position.ts';
import type { Moment } from '../domain/deliveries/eta.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Verb } from '../domain/deliveries/states.ts';
import { bookVerb } from '../money/charges/book-verb.ts';
import type { Settings } from '../settings.ts';
import type { Change, Effect } from '../ports/changes.ts';
import type { Context } from '../ports/context.ts';
import {
  actorFor,
  bookingOf,
  commitDecision,
  makeChange,
  refuseStranger,
  withEffects,
  type Happening,
} from './change-delivery.ts';
import type { Doer, UnderAssignment } from './commands.ts';

export type MoveNeeds = Pick<
  Context,
  'carried' | 'confirmed' | 'deliveries' | 'clock' | 'commit' | 'notices' | 'positions' | 'bell' | 'settings' | 'travel'
>;

/** A requested verb; `stop` if it is about one. */
export type RequestedVerb = { readonly verb: Verb; readonly stop: number | null; readonly doer: Doer };

/** The moment of an action, and the terms of charges. `place` is the courier's last known position, however old. */
export type Here = Moment & { readonly place: Position | null; readonly terms: Settings['charges'] };

type HereNeeds = Pick<Context, 'carried' | 'clock' | 'positions' | 'settings' | 'travel'>;

/** The moment with the newest place of the delivery's courier. */
export async function hereOf(ctx: HereNeeds, delivery: Delivery): Promise<Here> {
  return hereAt(ctx, delivery, await newestPlaceOf(ctx, delivery));
}

/** The moment with the delivery's courier at this place. */
export function hereAt(
  ctx: Omit<HereNeeds, 'positions'>,
  delivery: Pick<Delivery, 'courierId'>,
  place: Position | null,
): Here {
  return { ...momentOf(ctx, delivery, place), place, terms: ctx.settings.charges };
}

/**
 * Executes one verb on a delivery. If the same actor repeats the request that made the present state, or the command
 * names an assignment that has ended, they get the delivery and nothing is written. Refuses what the plan refuses,
 * `forbidden` if the actor may never do the verb, and `delivery_not_found` if they may not see the delivery. An
 * observation of the system about an ended assignment writes nothing. If a courier becomes free, the region around them is
 * informed.
 */
export async function moveDelivery(
  ctx: MoveNeeds,
  command: UnderAssignment,
  requested: RequestedVerb,
  plan: (before: Delivery, here: Here) => Change | null,
): Promise<Delivery> {
  const actor = actorFor(requested.doer);
  if (!mayEverDo(requested.verb, actor.type)) throw new Refusal(notTheirs(requested.verb, actor.type));
  const after = await commitDecision(ctx, command.deliveryId, async (before) => {
    if (!isStillObserved(requested.doer, before)) return null;
    const isRepeated = isRepeat(before, requested, actor) || isGivenBack(before, requested, actor);
    // A courier who gave a delivery back may repeat the request, although the delivery is no longer theirs.
    if (!(isRepeated && actor.type === 'courier')) refuseStranger(requested.doer, before);
    if (isRepeated || isOfEnded(before, command)) return null;
    return plan(before, await hereOf(ctx, before));
  });
  if (!hasCourier(after.state)) ctx.bell.ring(regionToLookAt(ctx, after));
  return after;
}

/** For a type without fields: exactly no fields. The type `{}` would accept any. */
type Exactly<D> = keyof D extends never ? Readonly<Record<string, never>> : D;

export type Move<V extends Verb = Verb> = Here & {
  readonly requested: RequestedVerb;
  /** The row's verb. It may differ from the requested one, if a stop's action ends the whole delivery. */
  readonly verb: V;
  /** The details of the row's event. */
  readonly details: Exactly<Details<RowOf<V>['emits']>>;
  /** The changes beside state, stage, times and maker. */
  readonly sets?: Partial<Delivery>;
  readonly facts?: Partial<Omit<Facts, 'before' | 'delivery' | 'now'>>;
  /** Events that come before the verb's own in the same commit. */
  readonly first?: readonly Happening[];
  /** The delivery that the same commit assigns to the courier when this one ends. */
  readonly goesOnTo?: DeliveryId;
};

/**
 * Plans one verb by the table: returns the change to commit, or throws the refusal. The end of a delivery frees its
 * courier.
 */
export function planMove<V extends Verb>(before: Delivery, move: Move<V>): Change {
  const { requested, now, verb, details } = move;
  const actor = actorFor(requested.doer);
  const decided: Delivery = { ...before, ...move.sets };
  const row = allowed(step(before.state, verb, actor.type, factsOf(before, decided, now, move.facts)));
  const after: Delivery = {
    ...decided,
    state: row.to,
    stage: stageAfter(verb),
    madeBy: { verb: requested.verb, stop: requested.stop, actor },
    times: timesAfter(verb, decided.times, now),
  };
  const own = { type: row.emits, actor, ...details } as Happening;
  const { books }: Row = row;
  const opensReturn = move.goesOnTo !== undefined;
  const { delivery, commands } = bookVerb({ books, before, after, now, opensReturn, terms: move.terms });
  const change = makeChange(before, delivery, [...(move.first ?? []), own], move);
  return withEffects(change, [...leaving(before, delivery, move), ...bookingOf(commands)]);
}

/** The effect on a courier who loses the delivery by this change. */
function leaving(
  { id, state, courierId }: Delivery,
  after: Delivery,
  { now, goesOnTo }: Pick<Move, 'now' | 'goesOnTo'>,
): Effect[] {
  if (courierId === null || !hasCourier(state) || hasCourier(after.state)) return [];
  if (goesOnTo === undefined) return [{ kind: 'free_courier', courierId, deliveryId: id, at: now }];
  return [{ kind: 'keep_courier', courierId, frees: id, takes: goesOnTo }];
}

/** The row of an allowed step. Throws the refusal of any other step. */
export function allowed<V extends Verb>(found: Step<V>): RowOf<V> {
  if (!found.ok) throw new Refusal(found.told);
  return found.row;
}

/** An observation of one assignment must not change the next one. */
function isStillObserved(doer: Doer, before: Delivery): boolean {
  return doer.type !== 'system' || doer.of === undefined || isSameAssignment(doer.of, assignmentOf(before));
}

function isRepeat({ madeBy }: Delivery, { verb, stop }: RequestedVerb, actor: Actor): boolean {
  return (
    madeBy.verb === verb && madeBy.stop === stop && madeBy.actor.type === actor.type && madeBy.actor.id === actor.id
  );
}

/** Whether a courier gives back a delivery that was taken from them already. Others may have changed it since then. */
function isGivenBack({ courierId, formerCouriers }: Delivery, { verb }: RequestedVerb, { type, id }: Actor): boolean {
  return verb === 'unassign' && type === 'courier' && id !== courierId && formerCouriers.some((one) => one === id);
}

function regionToLookAt(ctx: Pick<Context, 'positions'>, delivery: Delivery): string {
  const place = knownPlaceOf(ctx, delivery);
  return place === null ? delivery.region : regionOf(place, sizeOf(delivery.region));
}
