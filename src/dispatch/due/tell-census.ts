import { ALARM_KINDS } from '../../domain/alarm.ts';
import { OPEN_STATES } from '../../domain/deliveries/lifecycle.ts';
import type { Context } from '../../ports/context.ts';
import type { Census, CensusStore } from '../../ports/due.ts';
import type { WebhookStage } from '../../ports/webhooks.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log' | 'metrics'> & { readonly census: CensusStore };
type Labels = Record<string, string>;
type Series = { readonly name: string; readonly labels: Labels; readonly of: (census: Census, now: number) => number };

/** Machine time between two counts: what reads the metrics comes about as often. */
const EVERY_MS = 15_000;

const modes = [true, false] as const;
const kinds = ['courier', 'robo'] as const;
const stages = ['event', 'attempt'] as const;

/** Every series that a census fills. A group that was not found has nobody in it. */
const SERIES: readonly Series[] = [
  ...OPEN_STATES.flatMap((state) =>
    modes.map((liveMode) => ({
      name: 'deliveries',
      labels: { state, mode: modeOf(liveMode) },
      of: ({ deliveries }: Census) => countOf(deliveries, { state, liveMode }),
    })),
  ),
  ...kinds.flatMap((kind) =>
    modes.map((liveMode) => ({
      name: 'couriers_online',
      labels: { kind, mode: modeOf(liveMode) },
      of: ({ couriers }: Census) => countOf(couriers, { kind, liveMode }),
    })),
  ),
  ...ALARM_KINDS.map((kind) => ({
    name: 'alarms_open',
    labels: { kind },
    of: ({ alarms }: Census) => countOf(alarms, { kind }),
  })),
  ...stages.flatMap((stage) => [
    { name: 'webhook_backlog', labels: { stage }, of: ({ webhooks }: Census) => countOf(webhooks, { stage }) },
    {
      name: 'webhook_backlog_age_seconds',
      labels: { stage },
      of: (census: Census, now: number) => ageS(census, stage, now),
    },
  ]),
];

/**
 * Tells the figures of the whole installation in the metrics of one process at a time. A process that no longer counts
 * takes its figures back, so that an old number never stands beside the new ones.
 */
export function startCensus(ctx: Needs): { stop(): Promise<void> } {
  const { clock, census, metrics } = ctx;
  let toldAt: number | null = null;
  const takeBack = (): void => {
    toldAt = null;
    for (const { name, labels } of SERIES) metrics.gauge(name, null, labels);
  };
  const led = startLed(ctx, {
    name: 'census',
    everyMs: EVERY_MS,
    leastRealMs: EVERY_MS,
    turn: async () => {
      const now = clock.now();
      const found = await census.take(now);
      for (const { name, labels, of } of SERIES) metrics.gauge(name, of(found, now), labels);
      toldAt = clock.real.elapsed();
    },
  });
  const stopLooking = clock.real.every(EVERY_MS, () => {
    if (toldAt !== null && clock.real.elapsed() - toldAt >= 2 * EVERY_MS) takeBack();
  });
  return {
    stop: async () => {
      stopLooking();
      await led.stop();
      takeBack();
    },
  };
}

function modeOf(liveMode: boolean): string {
  return liveMode ? 'live' : 'test';
}

function ageS({ webhooks }: Census, stage: WebhookStage, now: number): number {
  const dueSince = webhooks.find((group) => group.stage === stage)?.dueSince ?? now;
  return Math.max(0, now - dueSince) / 1000;
}

function countOf<G extends { readonly count: number }>(groups: readonly G[], key: Partial<G>): number {
  const found = groups.find((group) => Object.entries(key).every(([name, value]) => group[name as keyof G] === value));
  return found?.count ?? 0;
}
