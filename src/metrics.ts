import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { metricsOf, type NamedMetric } from './domain/metrics.ts';
import type { Metrics } from './ports/process.ts';

/** Upper bounds of a histogram's buckets in seconds, if its row names no others. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** By default, the utilization of the event loop is measured ten times a second, which wakes a process at rest. */
const UTILIZATION_MS = 1000;
/**
 * Node samples these delays of the event loop. Each sample wakes the process, and contains the time since the last one.
 * `event_loop_delay_seconds` replaces them.
 */
const SAMPLED_DELAYS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (of) => `nodejs_eventloop_lag_${of}_seconds`,
);
/** The longest timer. The client always starts to sample, so its interval is one that never ends. */
const NEVER_MS = 2 ** 31 - 1;

/** Creates the metrics of this process, together with the default metrics of Node. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const pace = { eventLoopMonitoringPrecision: NEVER_MS, eventLoopUtilizationTimeout: UTILIZATION_MS };
  collectDefaultMetrics({ register: registry, ...pace });
  for (const name of SAMPLED_DELAYS) registry.removeSingleMetric(name);
  const optionsOf = ({ name, help, labels, bucketsS = BUCKETS_S }: NamedMetric) => {
    return { name, help, labelNames: [...labels], buckets: [...bucketsS], registers: [registry] };
  };
  const counters = new Map(metricsOf('counter').map((row) => [row.name, new Counter(optionsOf(row))]));
  const gauges = new Map(metricsOf('gauge').map((row) => [row.name, new Gauge(optionsOf(row))]));
  // A gauge without labels begins with 0, also in a process that never reports it.
  for (const gauge of gauges.values()) gauge.remove({});
  const histograms = new Map(metricsOf('histogram').map((row) => [row.name, new Histogram(optionsOf(row))]));
  // The compiler has checked every name against the table from which these maps were made.
  return {
    count: (name, labels, by = 1) => counters.get(name)?.inc(labels, by),
    gauge: (name, value, labels) => {
      if (value === null) gauges.get(name)?.remove(labels);
      else gauges.get(name)?.set(labels, value);
    },
    observe: (name, seconds, labels) => histograms.get(name)?.observe(labels, seconds),
    text: () => registry.metrics(),
  };
}
