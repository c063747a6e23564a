// Plays a day with both policies, proves and measures the outcomes, and writes the matcher's solution if requested.
import { join } from 'node:path';
import type { Day } from '../day/day.ts';
import { proveFeasible } from './check.ts';
import { measure, type Figures } from './metrics.ts';
import { playNearest } from './play/nearest.ts';
import type { Outcome, PlayOptions, Policy } from './play/outcome.ts';
import { playDay } from './play/play.ts';
import { writeSolution } from './solution-files.ts';

/** The figures of a day: those of the matcher, and those of the yardstick from the same run. */
export type Played = {
  readonly name: string;
  readonly matcher: Figures;
  readonly nearest: Figures;
  readonly tookMs: number;
};

/** @throws Error with the day and the policy if an outcome breaks a rule or a policy fails */
export async function playBoth(name: string, day: Day, options: PlayOptions, out: string | null): Promise<Played> {
  const startedAt = performance.now();
  const outcome = playProven(`${name}, matcher`, playDay, day, options);
  const nearest = measure(playProven(`${name}, nearest`, playNearest, day, options));
  if (out !== null) await writeSolution(join(out, name), outcome);
  return { name, matcher: measure(outcome), nearest, tookMs: performance.now() - startedAt };
}

/**
 * Plays a day with a policy and proves the outcome.
 * @throws Error that begins with `who` if it breaks a rule or fails
 */
export function playProven(who: string, policy: Policy, day: Day, options: PlayOptions): Outcome {
  try {
    const outcome = policy(day, options);
    proveFeasible(outcome);
    return outcome;
  } catch (cause) {
    // With hundreds of days, the message is useless without the name of the day.
    throw new Error(`${who}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
