import type { CourierId } from '../../domain/ids.ts';
import { VEHICLE_TYPES } from '../../domain/couriers/courier.ts';
import { judgeLeg, type Leg, type LegSample } from '../../domain/learning/travel.ts';
import type { Context } from '../../ports/context.ts';
import { hearLog } from '../hear-log.ts';
import { followTrails } from './trails.ts';

type Needs = Pick<
  Context,
  'clock' | 'couriers' | 'eventLog' | 'leases' | 'log' | 'metrics' | 'positions' | 'settings' | 'travel'
>;
/** Service time between two turns. */
const TURN_MS = 5000;

type Heard = { readonly courierId: CourierId; readonly leg: Leg };

/** Learns from the event log how fast couriers travel, apart from their work at the stops. */
export async function startLearningTravel(ctx: Needs): Promise<{ stop(): Promise<void> }> {
  const trails = followTrails(ctx);
  return hearLog<Heard>(ctx, {
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
}

async function learn(ctx: Needs, heard: readonly Heard[]): Promise<void> {
  const couriers = await ctx.couriers.findMany([...new Set(heard.map(({ courierId }) => courierId))]);
  // A robo-courier moves in a straight line at a speed of its own.
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

/** Measures the error of the expected time of this leg, before the server learns from it. */
function measure({ travel, metrics }: Needs, leg: Leg, { metres, seconds }: LegSample): void {
  const speeds = travel.speedsAt([leg.from], leg.startedAt, leg.liveMode);
  const errorS = seconds - metres / (speeds[VEHICLE_TYPES.indexOf(leg.vehicle)] ?? NaN);
  metrics.observe('travel_error_seconds', Math.abs(errorS), { side: errorS < 0 ? 'sooner' : 'later' });
}
