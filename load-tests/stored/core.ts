// The stores and services of a server on its engines, inside this process.
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import { QUIET } from '../quiet.ts';

export type Core = Awaited<ReturnType<typeof openCore>>;

/** The engines of a server. `prefix` begins its keys in Redis. */
export type Place = { readonly mongoUrl: string; readonly redisUrl: string; readonly prefix: string };

/** Runs the task with the stores of the server on these engines, and closes them afterwards. */
export async function withCore<T>(place: Place, task: (core: Core) => Promise<T>): Promise<T> {
  const { mongoUrl, redisUrl, prefix } = place;
  const core = await openCore(readConfig({ REDIS_PREFIX: prefix }), { mongoUrl, redisUrl }, QUIET);
  try {
    return await task(core);
  } finally {
    await core.close();
  }
}
