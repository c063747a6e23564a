import { Worker } from 'node:worker_threads';
import type { Context } from '../../ports/context.ts';
import type { Clock, Stop } from '../../ports/process.ts';
import type { RunAnswer, RunRequest } from '../match/answer.ts';
import type { FromWorker, ToWorker } from './matcher-worker.ts';

type Needs = Pick<Context, 'clock' | 'log' | 'metrics'>;

/** Answers runs outside the thread of the sockets. */
export type Matcher = {
  /**
   * Answers one run, after the runs that were requested before it.
   * @throws Error if the worker failed or fell silent
   */
  answer(request: RunRequest): Promise<RunAnswer>;
  stop(): Promise<void>;
};

type Waiting = { readonly resolve: (answer: RunAnswer) => void; readonly reject: (error: Error) => void };

/**
 * Machine time without an answer after which a busy worker counts as stuck. It is 200 times what a run searches by
 * default, and twice the highest setting. The number of waiting runs does not matter.
 */
const STUCK_MS = 10_000;

/**
 * Starts the matcher: one worker thread for all regions that this process leads. A worker that dies loses its requested
 * runs. Each region tries again with its next run, and the next request starts another worker.
 */
export function startMatcher({ clock, log, metrics }: Needs): Matcher {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isStopped = false;

  const silence = watchSilence(clock, () => {
    const stuck = worker;
    if (stuck === null) return;
    log.error({ stuckMs: STUCK_MS, waiting: waiting.size }, 'the matcher is stuck and restarts');
    giveUp(stuck, new Error('the matcher is stuck'));
    void stuck.terminate();
  });
  const giveUp = (failed: Worker, error: Error): void => {
    // A worker given up earlier took its runs with it. The waiting ones belong to another worker.
    if (worker !== failed) return;
    worker = null;
    silence.end();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const hear = (from: Worker, message: FromWorker): void => {
    // A late message of a worker that was given up. Its runs are lost, and another worker is watched now.
    if (worker !== from) return;
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) silence.end();
    else silence.begin();
    if ('error' in message) return one?.reject(new Error(message.error));
    metrics.observe('dispatch_plan_seconds', message.tookMs / 1000, {});
    one?.resolve(message.answer);
  };

  const answer = async (request: RunRequest): Promise<RunAnswer> => {
    if (isStopped) throw new Error('the matcher is stopped');
    worker ??= startWorker(log, hear, giveUp);
    const id = (lastId += 1);
    worker.postMessage({ id, request } satisfies ToWorker);
    const answered = new Promise<RunAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    if (waiting.size === 1) silence.begin();
    return answered;
  };

  return {
    answer,
    stop: async () => {
      isStopped = true;
      await worker?.terminate();
    },
  };
}

function startWorker(
  log: Needs['log'],
  hear: (from: Worker, message: FromWorker) => void,
  giveUp: (failed: Worker, error: Error) => void,
): Worker {
  const started = new Worker(new URL('matcher-worker.ts', import.meta.url));
  started.on('message', (message: FromWorker) => hear(started, message));
  started.on('error', (error: Error) => {
    log.error({ error }, 'the matcher has failed');
    giveUp(started, error);
  });
  started.on('exit', () => giveUp(started, new Error('the matcher has ended')));
  // This thread does not keep an otherwise finished process alive.
  started.unref();
  return started;
}

/** Calls back after this much silence since the last `begin`, unless `end` was called since. */
function watchSilence({ real }: Pick<Clock, 'real'>, onSilence: () => void): { begin(): void; end(): void } {
  let stop: Stop = () => undefined;
  return {
    begin: () => {
      stop();
      stop = real.after(STUCK_MS, onSilence);
    },
    end: () => stop(),
  };
}
