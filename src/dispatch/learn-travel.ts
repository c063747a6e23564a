import type { DomainEvent } from '../domain/events.ts';
import type { CourierId } from '../domain/ids.ts';
import { VEHICLE_TYPES } from '../domain/courier.ts';
import { judgeLeg, type Leg, type LegSample } from '../domain/travel.ts';
import type { Context } from '../ports.ts';
import { startLed } from './hold-lease.ts';
import { followTrails } from './trails.ts';

type Needs = Pick<
  Context,
  'clock' | 'couriers' | 'eventLog' | 'leases' | 'log' | 'metrics' | 'positions' | 'settings' | 'travel'
>;
type Heard = { readonly courierId: CourierId; readonly leg: Leg; readonly at: number };

/** Service time between two turns, and the machine time at least. */
const TURN_MS = 5000;
const LEAST_TURN_MS = 500;
/** Machine time for which a leg waits to be learned from; who takes over the lease learns from no older one. */
const FRESH_MS = 15_000;
/** Legs that wait; what is more is not learned from. */
const MOST_WAITING = 2000;

/**
 * Learns from the event log how fast couriers get on, apart from what they do at the stops. Every process follows them, and
 * the one that holds the lease stores what it hears. At a change of process a few legs may be lost or counted twice: among
 * dozens that fade it makes no difference, so nothing is written to prevent it.
 */
export async function startLearningTravel(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const { real } = ctx.clock;
  const trails = followTrails(ctx);
  let waiting: Heard[] = [];
  const hear = (event: DomainEvent): void => {
    const leg = trails.take(event);
    const courierId = event.route.courier_id;
    if (leg === null || courierId === null) return;
    if (waiting.length >= MOST_WAITING) waiting = waiting.filter(({ at }) => real.now() - at <= FRESH_MS);
    if (waiting.length < MOST_WAITING) waiting.push({ courierId, leg, at: real.now() });
  };
  const stopFollowing = await ctx.eventLog.follow(hear, () => trails.forget());
  const led = startLed(ctx, {
    name: 'travel',
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_MS,
    turn: async () => {
      const fresh = waiting.filter(({ at }) => real.now() - at <= FRESH_MS);
      waiting = [];
      if (fresh.length > 0) await learn(ctx, fresh);
    },
  });
  return {
    stop: async () => {
      stopFollowing();
      await led.stop();
    },
  };
}

async function learn(ctx: Needs, heard: readonly Heard[]): Promise<void> {
  const couriers = await ctx.couriers.findMany([...new Set(heard.map(({ courierId }) => courierId))]);
  // A robo-courier flies over the roofs at a speed of its own.
  const people = new Set(couriers.filter(({ kind }) => kind === 'courier').map(({ id }) => id));
  const samples: LegSample[] = [];
  for (const { courierId, leg } of heard) {
    if (!people.has(courierId)) continue;
    const judged = judgeLeg(leg);
    ctx.metrics.count('travel_legs_total', { verdict: typeof judged === 'string' ? judged : 'learned' });
    if (typeof judged === 'string') continue;
    measure(ctx, leg, judged);
    samples.push(judged);
  }
  await ctx.travel.record(samples);
}

/** Says how far off the time was that was expected of this leg before it was learned from. */
function measure({ travel, metrics }: Needs, leg: Leg, { metres, seconds }: LegSample): void {
  const speeds = travel.speedsAt([leg.from], leg.startedAt, leg.liveMode);
  const errorS = seconds - metres / (speeds[VEHICLE_TYPES.indexOf(leg.vehicle)] ?? NaN);
  metrics.observe('travel_error_seconds', Math.abs(errorS), { side: errorS < 0 ? 'sooner' : 'later' });
}
