import type { Caller } from '../../../domain/access.ts';
import { nextDropOff, type Delivery } from '../../../domain/deliveries/delivery.ts';
import { between, headingDeg, isSamePlace, type Coordinates } from '../../../domain/geo/geo.ts';
import { newId, type CourierId } from '../../../domain/ids.ts';
import type { DomainEvent } from '../../../domain/deliveries/events.ts';
import { hasCourier, isTerminal, leavesFrom } from '../../../domain/deliveries/lifecycle.ts';
import { roboAcceptsAt } from '../../../domain/deliveries/search.ts';
import type { RoboOutcome, RoboStep } from '../../../domain/deliveries/states.ts';
import type { Stop } from '../../../domain/deliveries/stops/stop.ts';
import type { Context } from '../../../ports/context.ts';
import { arriveAtStop, deliverStop, depart, failStop, pickUp } from '../../deliveries/advance-delivery.ts';
import { acceptOffer } from '../../offers/answer-offer.ts';
import { unassignCourier } from '../../offers/unassign-courier.ts';
import { each } from '../../../work/each.ts';
import { startLed } from '../../../work/hold-lease.ts';
import { recordPositions } from '../record-positions.ts';
import { driveOn } from './robo-drive.ts';
import { proven } from './robo-proof.ts';
import { roboPool, type Robo } from './robo-pool.ts';

type Needs = Parameters<typeof acceptOffer>[0] &
  Parameters<typeof proven>[0] &
  Parameters<typeof deliverStop>[0] &
  Parameters<typeof recordPositions>[0] &
  Parameters<typeof unassignCourier>[0] &
  Pick<Context, 'eventLog' | 'leases' | 'log' | 'streets'>;
type CourierCaller = Extract<Caller, { type: 'courier' }>;

/** Service time of a step at time_scale 1, unless the test names another. */
const STEP_S = 30;
/** Service time between two turns, and the least machine time. */
const TURN_MS = 500;
const LEAST_TURN_MS = 100;
/** Machine time after which a turn looks for deliveries although it heard of none: a safety net. */
const CALM_REAL_MS = 5000;
/** Service time between two positions of a robo-courier who stands still. */
const SPEAK_MS = 2000;
/** Most deliveries of a turn that are carried, and most that are searched for; above the number of robo-couriers. */
const MOST_CARRIED = 500;

/** The next part of a robo-courier's work: when it started, where they must be, and the act that ends it. */
type Part = {
  readonly step: RoboStep;
  readonly since: number;
  readonly aim: Coordinates;
  act(by: CourierCaller): Promise<Delivery>;
};

/**
 * Carries out the deliveries that ask for a robo-courier, in one process at a time, through the use cases that a
 * courier's phone uses. The next step follows from the stored state and its times, so a restart continues where the
 * work stopped. Without such a delivery, turns read nothing for 5 s, until the next search begins, or until the log reports
 * a change that may bring one.
 */
export async function startRobos(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const pool = roboPool(ctx);
  const sessionId = newId('ses');
  const callerOf = (courierId: CourierId): CourierCaller => ({
    type: 'courier',
    courierId,
    liveMode: false,
    sessionId,
    expiresAt: Number.MAX_SAFE_INTEGER,
  });

  /** Until when the turns rest, monotonic machine time, and how often the log has ended a rest. */
  let [calmUntil, wakes] = [-Infinity, 0];
  /** When the last turn looked for deliveries to accept, service time in ms. */
  let turnedAt = -Infinity;
  const wake = (): void => {
    calmUntil = -Infinity;
    wakes += 1;
  };
  const stopFollowing = await ctx.eventLog.follow((event) => void (mayBringWork(event) && wake()), wake);
  const turn = async (ownsLease: () => boolean): Promise<void> => {
    const now = ctx.clock.real.elapsed();
    if (now < calmUntil) return;
    const before = wakes;
    const deliveries = await ctx.deliveries.listRobo(MOST_CARRIED);
    if (deliveries.length === 0) {
      const restMs = await calmMs(ctx);
      // A change that was heard during the reads may not be in them.
      if (wakes === before) calmUntil = now + restMs;
      return;
    }
    const robos = await pool.refresh(deliveries);
    const [last, at] = [turnedAt, ctx.clock.now()];
    turnedAt = at;
    const searching = deliveries.filter((delivery) => delivery.courierId === null && at >= roboAcceptsAt(delivery));
    const taken = new Set<CourierId>();
    await each(searching, ownsLease, async (delivery) => {
      const robo = await pool.summon(delivery, taken);
      if (robo === null) return;
      taken.add(robo.courier.id);
      // A run leaves the delivery out before this time.
      const hasJustBegun = roboAcceptsAt(delivery) > last;
      if (waitAt(ctx, robo) || hasJustBegun) ctx.bell.ring(delivery.region);
    });
    const offers = await ctx.offers.listOpen(searching.map(({ id }) => id));
    const own = offers.filter(({ courierId }) => robos.has(courierId));
    await each(own, ownsLease, ({ id, courierId }) => acceptOffer(ctx, { offerId: id }, callerOf(courierId)));
    await each(deliveries, ownsLease, async (delivery) => {
      const robo = delivery.courierId === null ? undefined : robos.get(delivery.courierId);
      if (robo !== undefined) await carry(ctx, delivery, robo, callerOf(robo.courier.id));
    });
  };
  const led = startLed(ctx, { name: 'robo', everyMs: TURN_MS, leastRealMs: LEAST_TURN_MS, turn });
  return {
    stop: async () => {
      stopFollowing();
      await led.stop();
    },
  };
}

/**
 * Says whether an event may bring work to robo-couriers who have none. An ended delivery brings none. Nor does one whose courier
 * had it before: turns do not rest while a robo-courier carries it.
 */
function mayBringWork({ live_mode: isLive, data: { from, to } }: DomainEvent): boolean {
  return !isLive && !isTerminal(to) && !(from !== null && hasCourier(from) && hasCourier(to));
}

/** How long turns may rest, machine time in ms. No event reports that a search begins. */
async function calmMs({ clock, deliveries }: Needs): Promise<number> {
  const nextAt = (await deliveries.nextRoboAt()) ?? Infinity;
  return Math.min(CALM_REAL_MS, (nextAt - clock.now()) / clock.scale);
}

/**
 * Keeps a robo-courier who waits for an offer present. Returns true if they were not present before, so that no offer
 * could reach them.
 */
function waitAt(ctx: Needs, { courier, place }: Robo): boolean {
  if (place === null) return false;
  const spokeAt = ctx.positions.last(courier.id)?.at ?? -Infinity;
  const isNew = ctx.clock.now() - spokeAt > 2 * ctx.settings.presence.leaseMs;
  speak(ctx, courier.id, place);
  return isNew;
}

/** The first robo-courier of a test may misbehave. Those who take over from them, or carry a return, do not. */
function misbehaves({ robo, kind, formerCouriers }: Delivery, outcome: RoboOutcome): boolean {
  return robo?.outcome === outcome && kind === 'delivery' && formerCouriers.length === 0;
}

async function carry(ctx: Needs, delivery: Delivery, robo: Robo, by: CourierCaller): Promise<void> {
  const part = partOf(ctx, delivery);
  if (part === null || delivery.robo === null) return;
  const { timeScale, stepsS } = delivery.robo;
  const now = ctx.clock.now();
  const dueAt = part.since + ((stepsS?.[part.step] ?? STEP_S) * 1000) / timeScale;
  const last = ctx.positions.last(robo.courier.id) ?? (await ctx.positions.find(robo.courier.id));
  const from = Math.max(last?.at ?? now, part.since);
  const share = now >= dueAt ? 1 : (now - from) / (dueAt - from);
  robo.place =
    placeOnTrace(delivery, part, now < dueAt ? (now - part.since) / (dueAt - part.since) : 1) ??
    (last === null ? part.aim : await driveOn(ctx, robo, last, part.aim, share));
  speak(ctx, robo.courier.id, robo.place);
  if (now >= dueAt) await part.act(by);
}

/** The place on the trace of the test after this share of the way to the first drop-off; null on other ways. */
function placeOnTrace(
  { robo, pickup, dropOffs, kind }: Delivery,
  { step, aim }: Part,
  share: number,
): Coordinates | null {
  const isFirst = dropOffs.every(({ state }) => state === 'pending');
  if (robo?.gpsTrace === undefined || kind === 'return' || step !== 'arrived_at_drop_off' || !isFirst) return null;
  const places = [pickup.place, ...robo.gpsTrace, aim];
  const passed = share * (places.length - 1);
  const from = places[Math.floor(passed)] ?? aim;
  return between(from, places[Math.floor(passed) + 1] ?? aim, passed - Math.floor(passed));
}

/** The next part of an assigned delivery; null if there is none. */
function partOf(ctx: Needs, delivery: Delivery): Part | null {
  const { id: deliveryId, state, pickup, times } = delivery;
  const at = (stop: number) => ({ deliveryId, stop, overrideReason: null });
  if (leavesFrom(state, 'pick_up')) {
    if (misbehaves(delivery, 'courier_lost')) return null;
    const base = { since: pickup.arrivedAt ?? times.assignedAt ?? times.updatedAt, aim: pickup.place };
    if (misbehaves(delivery, 'canceled_by_courier')) {
      const released = { deliveryId, reason: 'canceled_by_courier' };
      return { ...base, step: 'arrived_at_pickup', act: (by) => unassignCourier(ctx, released, by) };
    }
    return pickup.state === 'arrived'
      ? { ...base, step: 'picked_up', act: proven(ctx, delivery, pickup, (by) => pickUp(ctx, at(0), by)) }
      : { ...base, step: 'arrived_at_pickup', act: (by) => arriveAtStop(ctx, at(0), by) };
  }
  if (leavesFrom(state, 'depart')) {
    const since = times.pickedUpAt ?? times.updatedAt;
    return { step: 'in_transit', since, aim: pickup.place, act: (by) => depart(ctx, at(0), by) };
  }
  const stop = nextDropOff(delivery);
  return stop === null ? null : partAt(ctx, delivery, stop);
}

/** The way to a drop-off, or its end. */
function partAt(ctx: Needs, delivery: Delivery, to: Stop): Part {
  const { index: stop, state, arrivedAt, place } = to;
  const { id: deliveryId, kind, robo, times, dropOffs } = delivery;
  const leftAt = Math.max(times.inTransitAt ?? 0, ...dropOffs.map(({ doneAt }) => doneAt ?? 0));
  const command = { deliveryId, stop, overrideReason: null };
  if (state === 'pending') {
    return { step: 'arrived_at_drop_off', since: leftAt, aim: place, act: (by) => arriveAtStop(ctx, command, by) };
  }
  const since = arrivedAt ?? leftAt;
  if (kind === 'delivery' && robo?.outcome === 'failed') {
    const failed = { ...command, reason: robo.failReason ?? 'customer_unavailable', contactTries: [] };
    return { step: 'delivered', since, aim: place, act: (by) => failStop(ctx, failed, by) };
  }
  const act = proven(ctx, delivery, to, (by) => deliverStop(ctx, command, by));
  return { step: 'delivered', since, aim: place, act };
}

/**
 * Sends a place as the phone would. It sends it twice, a millisecond apart, because a fast robo-courier moves faster
 * than any vehicle. After a jump, the filter accepts the second fix that agrees.
 */
function speak(ctx: Needs, courierId: CourierId, place: Coordinates): void {
  const now = ctx.clock.now();
  const last = ctx.positions.last(courierId);
  const isStill = last !== null && isSamePlace(last, place);
  if (isStill && now - last.at < SPEAK_MS) return;
  const fix = {
    lat: place.lat,
    lng: place.lng,
    accuracyM: 5,
    speedMps: 0,
    headingDeg: last === null ? 0 : headingDeg(last, place),
  };
  recordPositions(ctx, courierId, [
    { ...fix, seq: now - 1, at: now - 1 },
    { ...fix, seq: now, at: now },
  ]);
}
