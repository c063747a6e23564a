import type { CourierId } from '../../domain/ids.ts';
import { judgeLeg, withRoute, type Leg, type LegSample } from '../../domain/learning/travel.ts';
import { rideS } from '../../domain/learning/ways.ts';
import type { Context } from '../../ports/context.ts';
import { hearLog } from '../hear-log.ts';
import { followTrails } from './trails.ts';

type Needs = Pick<
  Context,
  'clock' | 'couriers' | 'eventLog' | 'leases' | 'log' | 'metrics' | 'positions' | 'settings' | 'travel'
>;
/** Service time between two turns, and between two looks at who has left a stop. */
const TURN_MS = 5000;
/** Least machine time between two looks. */
const LEAST_LOOK_MS = 500;
/** Most legs of a turn whose ways are requested: eight tables. */
const MOST_ROUTED = 200;
/** Machine time that a turn waits for these answers. A few tables take a tenth of it. */
const ANSWER_MS = 1500;

type Heard = { readonly courierId: CourierId; readonly leg: Leg };
/** A leg that teaches something, and its sample. */
type Taught = { readonly leg: Leg; readonly sample: LegSample };

/** Learns from the event log how fast couriers travel, apart from their work at the stops. */
export async function startLearningTravel(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const trails = followTrails(ctx);
  const stopLooking = ctx.clock.real.every(Math.max(LEAST_LOOK_MS, TURN_MS / ctx.clock.scale), () => trails.look());
  const hearing = await hearLog<Heard>(ctx, {
    name: 'travel',
    everyMs: TURN_MS,
    hear: (event) => {
      const leg = trails.take(event);
      const courierId = event.route.courier_id;
      return leg === null || courierId === null ? null : { courierId, leg };
    },
    onGap: () => trails.forget(),
    act: (heard) => learn(ctx, heard),
  });
  return {
    stop: async () => {
      stopLooking();
      await hearing.stop();
    },
  };
}

async function learn(ctx: Needs, heard: readonly Heard[]): Promise<void> {
  const couriers = await ctx.couriers.findMany([...new Set(heard.map(({ courierId }) => courierId))]);
  // A robo-courier moves in a straight line at a speed of its own.
  const people = new Set(couriers.filter(({ kind }) => kind === 'courier').map(({ id }) => id));
  const taught: Taught[] = [];
  for (const { courierId, leg } of heard) {
    if (!people.has(courierId)) continue;
    const judged = judgeLeg(leg);
    ctx.metrics.count('travel_legs_total', { verdict: typeof judged === 'string' ? judged : 'learned' });
    if (typeof judged !== 'string') taught.push({ leg, sample: judged });
  }
  const compared = await compare(ctx, taught);
  for (const one of compared) measure(ctx, one);
  await ctx.travel.record(compared.map(({ sample }) => sample));
}

/**
 * Compares the first legs with the routing server's answers for their ways. It requests the missing ones as a reader of
 * arrival times does, behind the matcher and apart from quotes, and waits for them once. A leg without an answer by then
 * teaches only its speed.
 */
async function compare({ travel, clock }: Needs, taught: readonly Taught[]): Promise<Taught[]> {
  if (!travel.hasRouter()) return [...taught];
  const asked = taught.slice(0, MOST_ROUTED);
  const missing = asked.filter(({ leg }) => Number.isNaN(answeredS(travel, leg)));
  for (const { leg } of missing) travel.routedS(leg);
  if (missing.length > 0) await clock.real.sleep(ANSWER_MS);
  const compared = asked.map(({ leg, sample }) => ({ leg, sample: withRoute(sample, answeredS(travel, leg)) }));
  return [...compared, ...taught.slice(MOST_ROUTED)];
}

/** The routing server's seconds for exactly this way; NaN without an answer. One from beside would blur the stretch. */
function answeredS(travel: Needs['travel'], leg: Leg): number {
  return (travel.legs([leg], leg.startedAt)[0] ?? NaN) / travel.stretchAt(leg, leg.startedAt);
}

/** Measures the error of the expected time of this leg, before the server learns from it. */
function measure({ travel, metrics }: Needs, { leg, sample: { seconds, routedS = NaN } }: Taught): void {
  const errorS = seconds - rideS({ ...travel, routedS: () => routedS }, leg, leg.startedAt);
  metrics.observe('travel_error_seconds', Math.abs(errorS), { side: errorS < 0 ? 'sooner' : 'later' });
}
