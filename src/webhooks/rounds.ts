import type { Context } from '../ports/context.ts';

/** Work that is done in rounds, one at a time. */
export type Rounds = {
  /** Starts a round, or one more after the present one. */
  readonly wake: () => void;
  /** Starts no more rounds; resolves when the present one has ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs `round` whenever it is woken. A round that fails is not repeated before the next wake: the database is away, and
 * everything is still there when it is back. Only the first failure in a row is logged.
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
