// Figures that describe many values. Without values, every figure is NaN.
import type { RecordableHistogram } from 'node:perf_hooks';

/** The number of values, and some of their quantiles. */
export type Spread = { readonly count: number; readonly p50: number; readonly p95: number; readonly max: number };

/** The usual quantiles, by the nearest rank. */
export function spreadOf(values: readonly number[]): Spread {
  return {
    count: values.length,
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    max: quantile(values, 1),
  };
}

/** The least value that this share of the values, 0 to 1, does not exceed: the nearest rank (Hyndman and Fan's type 1). */
export function quantile(values: readonly number[], share: number): number {
  return sorted(values)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;
}

/**
 * The value below which this share of the values lies, on a straight line between neighbours (Hyndman and Fan's type
 * 7). The evaluator of the published figures counts like this.
 */
export function interpolatedQuantile(values: readonly number[], share: number): number {
  const all = sorted(values);
  const place = share * (all.length - 1);
  const low = all[Math.floor(place)] ?? Number.NaN;
  const high = all[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Records a time of machine ms in µs, because a histogram takes whole numbers from 1. */
export function recordMs(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.max(1, Math.round(ms * 1000)));
}

/** A percentile of a histogram of µs, in ms with one decimal. 0 if the histogram is empty. */
export function percentileMs(histogram: RecordableHistogram, percentile: number): number {
  return histogram.count === 0 ? 0 : Math.round(histogram.percentile(percentile) / 100) / 10;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}
