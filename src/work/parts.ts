import type { Log } from '../ports/process.ts';
import { keepGoing } from './keep-going.ts';
import type { Turn } from './hold-lease.ts';

/** A part of a turn, with the name that the log has for it. */
export type Part = readonly [what: string, run: Turn];

/**
 * Makes one turn of several parts, which run one after the other. A part that fails is logged, and the parts after it run
 * all the same. The turn itself never throws.
 */
export function inParts(log: Log, parts: readonly Part[]): Turn {
  const own = parts.map(([what, run]) => ({ survive: keepGoing(log, what), run }));
  return async (ownsLease) => {
    for (const { survive, run } of own) if (ownsLease()) await survive(() => run(ownsLease));
  };
}
