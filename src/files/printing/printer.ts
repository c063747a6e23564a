import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Printed, Printer } from '../../ports/files.ts';
import type { Clock, Log } from '../../ports/process.ts';
import type { FromPrinter, ToPrinter } from './printer-worker.ts';

type Needs = { readonly clock: Pick<Clock, 'real'>; readonly log: Log };
type Waiting = { readonly resolve: (printed: Printed) => void; readonly reject: (error: Error) => void };

/** Papers that wait for the worker. The last one of them waits for a few seconds. */
const MOST_WAITING = 100;
/** Machine time after which a worker without an answer counts as stuck: a hundred times what a long invoice takes. */
const STUCK_MS = 30_000;

/**
 * Starts the printer: one worker thread, so that no request waits while a document is drawn. The thread starts with the
 * first paper. If it fails, its papers are lost, and the next one starts another thread.
 */
export function startPrinter({ clock, log }: Needs): Printer & { stop(): Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isStopped = false;
  const giveUp = (failed: Worker, error: Error): void => {
    // A worker that was given up earlier took its papers with it.
    if (worker !== failed) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    void failed.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('printer-worker.ts', import.meta.url));
    started.on('message', (message: FromPrinter) => {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ('pdf' in message) one?.resolve({ pdf: message.pdf, sha256: hashOf(message.pdf) });
      else one?.reject(new Error(message.error));
    });
    started.on('error', (error: Error) => {
      log.error({ error }, 'the printer has failed');
      giveUp(started, error);
    });
    started.on('exit', () => giveUp(started, new Error('the printer has ended')));
    // This thread does not keep an otherwise finished process alive.
    started.unref();
    return started;
  };
  return {
    print: async (paper) => {
      if (isStopped) throw new Error('the printer is stopped');
      if (waiting.size >= MOST_WAITING) throw new Refusal('busy');
      worker ??= start();
      const [used, id] = [worker, (lastId += 1)];
      const printed = new Promise<Printed>((resolve, reject) => waiting.set(id, { resolve, reject }));
      used.postMessage({ id, paper } satisfies ToPrinter);
      const watch = clock.real.after(STUCK_MS, () => giveUp(used, new Error('the printer is stuck')));
      return printed.finally(watch);
    },
    stop: async () => {
      isStopped = true;
      await worker?.terminate();
    },
  };
}

function hashOf(pdf: Uint8Array): string {
  return createHash('sha256').update(pdf).digest('hex');
}
