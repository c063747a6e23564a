import type { Context } from '../ports/context.ts';

/** Work in rounds, one round at a time. */
export type Rounds = {
  /** Starts a round, or one more after the current one. */
  readonly wake: () => void;
  /** Says whether the last round failed, and so whether the log still waits for a success. */
  readonly isFailing: () => boolean;
  /** Stops further rounds. Resolves when the current one has ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs `round` at each call of `wake`. A failed round is not repeated before the next call, because its work is still in
 * the database. Only the first failure in a row is logged.
 * @param restRealMs machine time after a round in which more work gathers for the next one
 */
export function createRounds(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  what: string,
  round: () => Promise<void>,
  restRealMs = 0,
): Rounds {
  let running: Promise<void> | null = null;
  let isAsked = false;
  let isFailing = false;
  let reported: { readonly error: unknown } | null = null;
  let isStopped = false;
  const run = async (): Promise<void> => {
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        await round();
        if (restRealMs > 0) await clock.real.sleep(restRealMs);
        if (reported !== null) log.warn(reported, `${what} go on`);
        isFailing = false;
        reported = null;
      }
    } catch (error) {
      isFailing = true;
      if (reported !== null || log.covers(error)) return;
      reported = { error };
      log.warn({ error }, `${what} wait for the database`);
    } finally {
      running = null;
    }
  };
  return {
    wake: () => {
      isAsked = true;
      if (!isStopped) running ??= run();
    },
    isFailing: () => isFailing,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
