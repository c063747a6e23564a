import type { Clock } from '../ports/process.ts';

/**
 * When the database may delete a row that is kept for this long, ms. The database deletes by machine time. If service
 * time runs slower, the span is one of service time, so that nothing is deleted too early in either.
 */
export function endsOn({ real, scale }: Pick<Clock, 'real' | 'scale'>, keptMs: number): Date {
  return new Date(real.now() + keptMs / Math.min(1, scale));
}

/** The database deletes a row some time after its `endsOn`; a row without that date stays. */
export const ENDING = { key: { endsOn: 1 }, expireAfterSeconds: 0 } as const;
