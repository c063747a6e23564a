import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import type { StoredRun } from '../../domain/offers/decision.ts';
import { idSchema } from '../../domain/ids.ts';
import { hashOf } from './decision-store.ts';
import { pack, unpack } from './pack.ts';

/** The largest expanded size of a file: a request and an answer of the largest stored size, and some room. */
const MOST_FILE_BYTES = 33_554_432;

const compress = promisify(gzip);
const expand = promisify(gunzip);

const FileContent = z.strictObject({
  object: z.literal('dispatch_run'),
  id: idSchema('run'),
  region: z.string(),
  fence: z.number(),
  at: z.number(),
  tookMs: z.number(),
  rounds: z.number().int().min(0),
  seed: z.number(),
  inputsHash: z.string(),
  request: z.record(z.string(), z.unknown()),
  answer: z.record(z.string(), z.unknown()),
});

/** A logged run as a file that another machine can replay. */
export function writeRunFile(run: StoredRun): Promise<Buffer> {
  return compress(pack({ object: 'dispatch_run', ...run }));
}

/**
 * Reads the run in such a file.
 * @throws Error if the file is not a run, or its inputs are not the logged ones
 */
export async function readRunFile(bytes: Uint8Array): Promise<StoredRun> {
  const { object: _, ...run } = FileContent.parse(unpack(await expand(bytes, { maxOutputLength: MOST_FILE_BYTES })));
  if (hashOf(pack(run.request)) !== run.inputsHash) throw new Error('The inputs in this file are not the logged ones.');
  return run;
}
