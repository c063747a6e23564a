// One day played by both policies: proven, measured, and written down when asked for.
import { join } from 'node:path';
import type { Day } from '../day/day.ts';
import { proveFeasible } from './check.ts';
import { measure, type Figures } from './metrics.ts';
import { playNearest } from './play/nearest.ts';
import type { Outcome, PlayOptions, Policy } from './play/outcome.ts';
import { playDay } from './play/play.ts';
import { writeSolution } from './solution-files.ts';

/** What became of a day: ours, and the yardstick beside it in the same run. */
export type Played = {
  readonly name: string;
  readonly matcher: Figures;
  readonly nearest: Figures;
  readonly tookMs: number;
};

/** @throws Error naming the day and the policy when an outcome breaks a rule or a policy fails */
export async function playBoth(name: string, day: Day, options: PlayOptions, out: string | null): Promise<Played> {
  const startedAt = performance.now();
  const outcome = playProven(`${name}, matcher`, playDay, day, options);
  const nearest = measure(playProven(`${name}, nearest`, playNearest, day, options));
  if (out !== null) await writeSolution(join(out, name), outcome);
  return { name, matcher: measure(outcome), nearest, tookMs: performance.now() - startedAt };
}

/** What a policy made of a day, proven. @throws Error that begins with `who` when it breaks a rule or fails */
export function playProven(who: string, policy: Policy, day: Day, options: PlayOptions): Outcome {
  try {
    const outcome = policy(day, options);
    proveFeasible(outcome);
    return outcome;
  } catch (cause) {
    // Among hundreds of days the message is worth nothing without the name of the one.
    throw new Error(`${who}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
