import type { Context } from '../ports/context.ts';

/** Work in rounds, one round at a time. */
export type Rounds = {
  /** Starts a round, or one more after the current one. */
  readonly wake: () => void;
  /** Stops further rounds. Resolves when the current one has ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs `round` at each call of `wake`. A failed round is not repeated before the next call, because its work is still in
 * the database. Only the first failure in a row is logged.
 */
export function createRounds({ log }: Pick<Context, 'log'>, what: string, round: () => Promise<void>): Rounds {
  let running: Promise<void> | null = null;
  let isAsked = false;
  let isFailing = false;
  let isStopped = false;
  const run = async (): Promise<void> => {
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        await round();
        if (isFailing) log.info({}, `${what} go on`);
        isFailing = false;
      }
    } catch (error) {
      if (!isFailing) log.warn({ error: String(error) }, `${what} wait for the database`);
      isFailing = true;
    } finally {
      running = null;
    }
  };
  return {
    wake: () => {
      isAsked = true;
      if (!isStopped) running ??= run();
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
