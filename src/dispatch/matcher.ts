import { Worker } from 'node:worker_threads';
import type { Context } from '../ports.ts';
import type { RunAnswer, RunRequest } from './match/answer.ts';
import type { FromWorker, ToWorker } from './match/worker.ts';

type Needs = Pick<Context, 'clock' | 'log' | 'metrics'>;

/** Answers runs outside the thread of the sockets. */
export type Matcher = {
  /** Answers one run, after those that were asked before it. @throws Error when the worker failed or took too long */
  answer(request: RunRequest): Promise<RunAnswer>;
  stop(): Promise<void>;
};

type Waiting = { readonly resolve: (answer: RunAnswer) => void; readonly reject: (error: Error) => void };

/** Machine time after which a worker counts as stuck: a hundred times what a run may search. */
const STUCK_MS = 10_000;

/**
 * Starts the matcher: one worker thread for all regions that this process leads. A worker that dies takes the runs it was
 * asked for with it, each region tries again with its next run, and the next request starts another worker.
 */
export function startMatcher({ clock, log, metrics }: Needs): Matcher {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let asked = 0;
  let isStopped = false;

  const giveUp = (failed: Worker, error: Error): void => {
    // One that was given up before took its runs with it: those that wait now are another's.
    if (worker !== failed) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const hear = (message: FromWorker): void => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) return one?.reject(new Error(message.error));
    metrics.observe('dispatch_plan_seconds', message.tookMs / 1000);
    one?.resolve(message.answer);
  };
  const start = (): Worker => {
    const started = new Worker(new URL('match/worker.ts', import.meta.url));
    started.on('message', hear);
    started.on('error', (error: Error) => {
      log.error({ error }, 'the matcher has failed');
      giveUp(started, error);
    });
    started.on('exit', () => giveUp(started, new Error('the matcher has ended')));
    // A process that has nothing else left to do may end.
    started.unref();
    return started;
  };

  const answer = async (request: RunRequest): Promise<RunAnswer> => {
    if (isStopped) throw new Error('the matcher is stopped');
    worker ??= start();
    const used = worker;
    const id = (asked += 1);
    const answered = new Promise<RunAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    const stopWatch = clock.real.after(STUCK_MS, () => {
      log.error({ stuckMs: STUCK_MS }, 'the matcher is stuck and is started again');
      giveUp(used, new Error('the matcher is stuck'));
      void used.terminate();
    });
    used.postMessage({ id, request } satisfies ToWorker);
    return answered.finally(stopWatch);
  };

  return {
    answer,
    stop: async () => {
      isStopped = true;
      await worker?.terminate();
    },
  };
}
