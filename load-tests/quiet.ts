import type { Log, Metrics } from '../src/ports/process.ts';

/** A log that keeps and prints nothing. */
export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {}, audit: () => {}, covers: () => false };

/** Metrics that count nothing. */
export const UNCOUNTED: Metrics = {
  count: () => {},
  observe: () => {},
  gauge: () => {},
  text: () => Promise.resolve(''),
};
