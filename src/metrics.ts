import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { metricsOf, type NamedMetric } from './domain/metrics.ts';
import type { Metrics } from './ports/process.ts';

/** Upper bounds of a histogram's buckets in seconds, if its row names no others. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A measurement of the event loop wakes the process. By default that happens 110 times a second, also at rest. */
export const EVENT_LOOP = { eventLoopMonitoringPrecision: 50, eventLoopUtilizationTimeout: 1000 } as const;

/** Creates the metrics of this process, together with the default metrics of Node. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, ...EVENT_LOOP });
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
