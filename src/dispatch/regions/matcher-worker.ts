import assert from 'node:assert';
import { parentPort } from 'node:worker_threads';
import { answerRun, type RunAnswer, type RunRequest } from '../match/answer.ts';

/** The messages to the matcher's worker, and its replies. */
export type ToWorker = { readonly id: number; readonly request: RunRequest };
export type FromWorker = { readonly id: number } & (
  | { readonly answer: RunAnswer; readonly tookMs: number }
  | { readonly error: string }
);

assert(parentPort !== null, 'this file is the entry of a worker thread');
const port = parentPort;

port.on('message', ({ id, request }: ToWorker) => {
  const beganAt = performance.now();
  const endsAt = beganAt + request.rules.search.realMs;
  const reply = (message: FromWorker): void => port.postMessage(message);
  try {
    const answer = answerRun(request, () => performance.now() >= endsAt);
    reply({ id, answer, tookMs: performance.now() - beganAt });
  } catch (error) {
    // One region's failed run must not end the worker that plans the others.
    reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
