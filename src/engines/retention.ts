import type { Clock } from '../ports/process.ts';

/**
 * When the database may delete what is kept for so long, ms. It deletes by the machine's time: where service time runs
 * slower, the span is one of service time, so that nothing goes before its time in either.
 */
export function endsOn({ real, scale }: Pick<Clock, 'real' | 'scale'>, keptMs: number): Date {
  return new Date(real.now() + keptMs / Math.min(1, scale));
}
