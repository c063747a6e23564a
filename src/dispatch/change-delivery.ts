import assert from 'node:assert';
import { actorOf, maySee } from '../domain/access.ts';
import type { Actor, Delivery } from '../domain/deliveries/delivery.ts';
import { presentDelivery } from '../domain/views/present-delivery.ts';
import {
  API_VERSION,
  type Details,
  type DomainEvent,
  type EventData,
  type EventType,
} from '../domain/deliveries/events.ts';
import { etaOf, type Moment } from '../domain/deliveries/eta.ts';
import { viewCellOf } from '../domain/geo/geo.ts';
import { newId, type CourierId, type DeliveryId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import { addedHold } from '../money/charges/fund-delivery.ts';
import type { Command } from '../money/ledger/decide.ts';
import type { Change, CommitFailure, Effect } from '../ports/changes.ts';
import type { Context } from '../ports/context.ts';
import type { Doer } from './commands.ts';
import { decideOn, type Ground } from './decide-on.ts';

/** How long a change is retried after lost races before it refuses `busy`; machine time. */
const DEADLINE_MS = 5000;

type Needs = Pick<Context, 'confirmed' | 'deliveries' | 'clock' | 'commit' | 'notices'>;
type Decide = (before: Delivery) => Promise<Change | null> | Change | null;

/**
 * The write path for callers who can see the delivery. For all others it is absent (`delivery_not_found`). Otherwise
 * the same as `commitDecision`.
 */
export function changeDelivery(ctx: Needs, id: DeliveryId, doer: Doer, decide: Decide): Promise<Delivery> {
  return commitDecision(ctx, id, (before) => {
    refuseStranger(doer, before);
    return decide(before);
  });
}

/** The write path for decisions on the delivery alone. Otherwise the same as `commitOn`. */
export function commitDecision(ctx: Needs, id: DeliveryId, decide: Decide): Promise<Delivery> {
  const ground: Ground<{ readonly delivery: Delivery }> = {
    read: async () => ({ delivery: await ctx.deliveries.get(id) }),
    confirm: async () => ({ delivery: await getConfirmed(ctx, id) }),
  };
  return commitOn(ctx, ground, ({ delivery }) => decide(delivery));
}

/**
 * The basis of a decision: the delivery, and other data that was read with it. Null if the delivery does not exist yet.
 */
export type Seen = { readonly delivery: Delivery | null };

/** The two reads of a decision. `lost` says why the change decided before was not written; null at first. */
export type GroundAfter<T> = { readonly [Read in keyof Ground<T>]: (lost: CommitFailure | null) => Promise<T> };

/**
 * The write path: read, decide, commit. If a change is not written, `decide` runs again on a fresh read that knows why.
 * It refuses by throwing. It returns null if the delivery already is as requested. Both answers rest on a confirmed
 * read. If an earlier try of the same request was written, it decides nothing and returns that delivery. Refuses
 * `insufficient_funds` if the change would hold more than its wallet has, `wallet_frozen` if its wallet is frozen, and
 * `busy` if no change is written within 5 s.
 */
export async function commitOn<T extends Seen>(
  ctx: Pick<Needs, 'clock' | 'commit' | 'notices'>,
  ground: GroundAfter<T>,
  decide: (before: T) => Promise<Change | null> | Change | null,
): Promise<Delivery> {
  const until = ctx.clock.real.elapsed() + DEADLINE_MS;
  for (let lost: CommitFailure | null = null; ;) {
    const earlier = (await ctx.commit.findEarlier?.()) ?? null;
    if (earlier !== null) return earlier;
    const groundNow = { read: () => ground.read(lost), confirm: () => ground.confirm(lost) };
    const { before, decision: change } = await decideOn(groundNow, decide);
    if (change === null) {
      assert(before.delivery !== null, 'only an existing delivery can be as requested');
      return before.delivery;
    }
    // The fresh read led to a change again, so it still costs more than there is.
    if (lost?.why === 'unfunded') throw unfunded(change);
    if (lost?.why === 'frozen') throw new Refusal('wallet_frozen');
    // A late caller still learns above what the present state decides, but no further commit starts.
    if (ctx.clock.real.elapsed() >= until) throw new Refusal('busy');
    const result = await ctx.commit(change);
    if (result.ok) {
      for (const offer of result.withdrawn) ctx.notices.offerWithdrawn(offer);
      return change.after;
    }
    lost = result;
  }
}

/** Refuses a change that reserves more than its wallet has, and says how much must be available. */
function unfunded({ before, after }: Change): Refusal {
  const { currency } = after;
  const needed = addedHold(before, after);
  return new Refusal('insufficient_funds', {
    detail: `The wallet must have ${needed} minor units of ${currency} available for this, and it has less. No money has moved.`,
    metadata: { needed, currency },
  });
}

/** A delivery as no failover can take it back. Refuses `delivery_not_found` if no majority has it. */
export async function getConfirmed({ confirmed }: Pick<Needs, 'confirmed'>, id: DeliveryId): Promise<Delivery> {
  const delivery = await confirmed.findDelivery(id);
  if (delivery === null) throw new Refusal('delivery_not_found');
  return delivery;
}

/** Refuses `delivery_not_found` if the caller may not know about the delivery. */
export function refuseStranger(doer: Doer, delivery: Delivery): void {
  if (doer.type !== 'system' && !maySee(doer, delivery)) throw new Refusal('delivery_not_found');
}

/** The actor that an event names for this doer. */
export function actorFor(doer: Doer): Actor {
  return doer.type === 'system' ? { type: 'system', id: null } : actorOf(doer);
}

/** One event of a change, with the fields that its payload needs besides those of the delivery. */
export type Happening<T extends EventType = EventType> = { readonly [K in T]: HappeningOf<K> }[T];
type HappeningOf<T extends EventType> = Details<T> & {
  readonly type: T;
  readonly actor: Actor;
  /** The delivery as of this event, if a later event of the same change moves it on. */
  readonly asOf?: Delivery;
};

/**
 * Makes a Change. It raises the version by one and numbers the events on from `before`. Each event stores the view of
 * the delivery as of that event, with the arrival times that are known at this moment.
 */
export function makeChange(
  before: Delivery | null,
  decided: Delivery,
  happenings: readonly Happening[],
  moment: Moment,
): Change {
  const base = before?.sequence ?? 0;
  const after: Delivery = {
    ...decided,
    version: (before?.version ?? 0) + 1,
    sequence: base + happenings.length,
    times: { ...decided.times, updatedAt: moment.now },
  };
  const events = happenings.map((happening, index) => {
    const asOf = happening.asOf === undefined ? after : asOfEvent(happening.asOf, after);
    return makeEvent(before, { ...asOf, sequence: base + index + 1 }, happening, moment);
  });
  return { before, after, events, effects: [] };
}

/** The change with these effects added. */
export function withEffects(change: Change, effects: readonly Effect[]): Change {
  return { ...change, effects: [...change.effects, ...effects] };
}

/** The effects that carry out commands of the ledger together with a change. */
export function bookingOf(commands: readonly Command[]): Effect[] {
  return commands.map((command) => ({ kind: 'book', command }));
}

function asOfEvent(earlier: Delivery, { version, times }: Delivery): Delivery {
  return { ...earlier, version, times: { ...earlier.times, updatedAt: times.updatedAt } };
}

function makeEvent(before: Delivery | null, after: Delivery, happening: Happening, moment: Moment): DomainEvent {
  return {
    id: newId('evt'),
    object: 'event',
    type: happening.type,
    api_version: API_VERSION,
    created_at: new Date(moment.now).toISOString(),
    live_mode: after.liveMode,
    sequence: after.sequence,
    delivery_id: after.id,
    ...(after.externalId === null ? {} : { external_id: after.externalId }),
    vendor_id: after.vendorId,
    data: eventData(before, after, happening, presentDelivery(after, etaOf(after, moment))),
    route: {
      vendor_id: after.vendorId,
      live_mode: after.liveMode,
      courier_id: leaverOf(happening) ?? after.courierId ?? before?.courierId ?? null,
      cell: viewCellOf(after.pickup.place),
    },
  };
}

/** The courier whom the event is about and who may have lost the delivery. */
function leaverOf(happening: Happening): CourierId | null {
  return 'courier' in happening ? happening.courier.id : null;
}

function eventData(
  before: Delivery | null,
  { state, stage, courier }: Delivery,
  { type: _type, asOf: _asOf, actor, ...details }: Happening,
  delivery: NonNullable<EventData['delivery']>,
): EventData {
  return {
    from: before?.state ?? null,
    to: state,
    stage,
    actor: actor.id === null ? { type: actor.type } : { type: actor.type, id: actor.id },
    ...(courier === null ? {} : { courier }),
    ...details,
    delivery,
  };
}

/** The fields that are not null, as a payload has them. */
export function known<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
