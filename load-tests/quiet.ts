import type { Log } from '../src/ports/process.ts';

/** A log that keeps and prints nothing. */
export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {}, audit: () => {} };
