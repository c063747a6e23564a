import { ALARM_KINDS } from '../../domain/alarm.ts';
import { OPEN_STATES } from '../../domain/deliveries/lifecycle.ts';
import type { LabelsOf, MetricName } from '../../domain/metrics.ts';
import type { Context } from '../../ports/context.ts';
import type { Census, CensusStore } from '../../ports/dispatch/due.ts';
import type { Metrics } from '../../ports/process.ts';
import type { WebhookStage } from '../../ports/webhooks.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log' | 'metrics'> & { readonly census: CensusStore };
type Metric = MetricName<'gauge'>;
/** One figure of the metrics. `report` writes its value of this census. Null removes the figure. */
type Series = { report(metrics: Metrics, census: Census | null, now: number): void };

/** Machine time between two counts. Prometheus reads the metrics about as often. */
const EVERY_MS = 15_000;

const modes = [true, false] as const;
const kinds = ['courier', 'robo'] as const;
const stages = ['event', 'attempt'] as const;

/** Every series that a census fills. A group that the census does not list is empty. */
const SERIES: readonly Series[] = [
  ...OPEN_STATES.flatMap((state) =>
    modes.map((liveMode) =>
      seriesOf('deliveries', { state, mode: modeOf(liveMode) }, ({ deliveries }) =>
        countOf(deliveries, { state, liveMode }),
      ),
    ),
  ),
  ...kinds.flatMap((kind) =>
    modes.map((liveMode) =>
      seriesOf('couriers_online', { kind, mode: modeOf(liveMode) }, ({ couriers }) =>
        countOf(couriers, { kind, liveMode }),
      ),
    ),
  ),
  ...ALARM_KINDS.map((kind) => seriesOf('alarms_open', { kind }, ({ alarms }) => countOf(alarms, { kind }))),
  ...stages.flatMap((stage) => [
    seriesOf('webhook_backlog', { stage }, ({ webhooks }) => countOf(webhooks, { stage })),
    seriesOf('webhook_backlog_age_seconds', { stage }, (census, now) => ageS(census, stage, now)),
  ]),
  seriesOf('analytics_backlog', {}, ({ analytics }) => analytics.count),
  seriesOf('analytics_backlog_age_seconds', {}, ({ analytics }, now) => spanS(analytics.dueSince, now)),
  seriesOf('ledger_check_age_seconds', {}, ({ ledger }, now) =>
    ledger === null ? null : spanS(ledger.checkedAt, now),
  ),
  seriesOf('ledger_faults', {}, ({ ledger }) => ledger?.faultCount ?? null),
];

function seriesOf<N extends Metric>(
  name: N,
  labels: LabelsOf<N>,
  valueOf: (census: Census, now: number) => number | null,
): Series {
  return {
    report: (metrics, census, now) => metrics.gauge(name, census === null ? null : valueOf(census, now), labels),
  };
}

/**
 * Writes the figures of the whole installation into the metrics of one process at a time. A process that stops counting
 * removes its figures, so that an old number never stands beside the new ones.
 */
export function startCensus(ctx: Needs): { stop(): Promise<void> } {
  const { clock, census, metrics } = ctx;
  let reportedAt: number | null = null;
  const takeBack = (): void => {
    reportedAt = null;
    for (const series of SERIES) series.report(metrics, null, clock.now());
  };
  const led = startLed(ctx, {
    name: 'census',
    everyMs: EVERY_MS,
    leastRealMs: EVERY_MS,
    turn: async () => {
      const now = clock.now();
      const found = await census.take(now);
      for (const series of SERIES) series.report(metrics, found, now);
      reportedAt = clock.real.elapsed();
    },
  });
  const stopLooking = clock.real.every(EVERY_MS, () => {
    if (reportedAt !== null && clock.real.elapsed() - reportedAt >= 2 * EVERY_MS) takeBack();
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
  const dueSince = webhooks.find((group) => group.stage === stage)?.dueSince ?? null;
  return spanS(dueSince, now);
}

function spanS(since: number | null, now: number): number {
  return Math.max(0, now - (since ?? now)) / 1000;
}

function countOf<G extends { readonly count: number }>(groups: readonly G[], key: Partial<G>): number {
  const found = groups.find((group) => Object.entries(key).every(([name, value]) => group[name as keyof G] === value));
  return found?.count ?? 0;
}
