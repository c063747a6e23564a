import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Answer } from './endpoint.ts';

/** Sends an answer. Its body is JSON, a text, bytes, or texts that are read one after the other. */
export async function sendAnswer(
  res: Response,
  { body, status, headers }: Answer<unknown>,
  usualStatus: number,
): Promise<void> {
  // A refusal of the first read must still be answered, so nothing is set before it.
  const parts = isParted(body) ? await begin(body) : null;
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

/** The same texts, of which the first is already read. */
async function begin(body: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const rest = body[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
}

/** A caller who reads slowly slows down the reads. One who goes away ends them, and nobody is left to answer. */
async function sendParts(res: Response, parts: AsyncIterable<string>): Promise<void> {
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  await pipeline(Readable.from(parts, { objectMode: true, highWaterMark: 1 }), res).catch((error: unknown) => {
    if (isGone(error)) return;
    throw error;
  });
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
