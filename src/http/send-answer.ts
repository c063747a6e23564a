import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { begin } from '../work/begin.ts';
import type { Answer } from './endpoint.ts';

/** Sends an answer. Its body is JSON, a text, bytes, or texts that are read one after the other. */
export async function sendAnswer(
  res: Response,
  { body, status, headers }: Answer<unknown>,
  usualStatus: number,
): Promise<void> {
  // A refusal of the first read must still be answered, so nothing is set before it.
  const parts = isParted(body) ? await begin(body) : null;
  // An `ETag` is the version that `If-Match` names. Arrival times, stages, fees and links change without a new version, and express
  // would answer 304 for them.
  delete res.req.headers['if-none-match'];
  res.status(status ?? usualStatus).set({ 'Cache-Control': 'no-store', ...headers });
  if (parts !== null) await sendParts(res, parts);
  else if (body === undefined) res.end();
  else if (body instanceof Uint8Array) res.send(Buffer.from(body));
  else if (typeof body === 'string') res.send(body);
  else res.json(body);
}

function isParted(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Sends parts one after the other, of which the first is already read. A caller who reads slowly slows down the reads. One who
 * goes away ends them after the part that is being read, and nobody is left to answer.
 */
export async function sendParts(res: Response, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (res.req.method === 'HEAD') {
    // Parts that were begun must be ended.
    for await (const _ of parts) break;
    res.end();
    return;
  }
  await pipeline(parts, res).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
}

/** Says whether the caller went away. Node puts a read that fails afterwards beside this error. */
function isGone(error: unknown): boolean {
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return all.some((one) => one instanceof Error && 'code' in one && one.code === 'ERR_STREAM_PREMATURE_CLOSE');
}
