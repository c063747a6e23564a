// The stores and services of a server on a site's database, inside this process.
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import { prefixOf, type Site } from '../store/site.ts';
import { QUIET } from '../quiet.ts';

type Core = Awaited<ReturnType<typeof openCore>>;

/** Runs the task with the stores of the site's server, and closes them afterwards. */
export async function withCore<T>(site: Site, task: (core: Core) => Promise<T>): Promise<T> {
  const { mongoUrl, redisUrl } = site;
  const core = await openCore(readConfig({ REDIS_PREFIX: prefixOf(site.name) }), { mongoUrl, redisUrl }, QUIET);
  try {
    return await task(core);
  } finally {
    await core.close();
  }
}
