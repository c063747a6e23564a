import assert from 'node:assert';
import { parentPort } from 'node:worker_threads';
import type { Paper } from '../../domain/files/paper.ts';
import { drawPaper } from './draw-paper.ts';

/** The messages to the printer's worker, and its replies. */
export type ToPrinter = { readonly id: number; readonly paper: Paper };
export type FromPrinter = { readonly id: number } & ({ readonly pdf: Uint8Array } | { readonly error: string });

assert(parentPort !== null, 'this file is the entry of a worker thread');
const port = parentPort;

port.on('message', ({ id, paper }: ToPrinter) => {
  const reply = (message: FromPrinter): void => port.postMessage(message);
  drawPaper(paper).then(
    (pdf) => reply({ id, pdf }),
    // A paper that cannot be drawn must not end the worker that draws the others.
    (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
