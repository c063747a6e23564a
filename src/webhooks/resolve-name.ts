import { Resolver } from 'node:dns/promises';
import { Refusal } from '../domain/refusals.ts';

/** All addresses of a name; none when it has none or they did not come in time. Refuses `busy` above its bound. */
export type ResolveName = (name: string) => Promise<string[]>;

/** Names that one process asks about at a time. */
const MOST_AT_ONCE = 200;
const TRIES = 2;

/**
 * Resolves names by DNS alone. The operating system's look-up would do as well, but it takes one of the process's few
 * threads for as long as a name server is silent, and those threads also check passwords and read files.
 * @param timeoutMs machine time after which a silent name server counts as having no answer
 * @param nameServers other name servers than the machine's
 */
export function createResolver(timeoutMs: number, nameServers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES, maxTimeout: timeoutMs });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  let running = 0;
  return async (name) => {
    if (running >= MOST_AT_ONCE) throw new Refusal('busy');
    running += 1;
    try {
      const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    } finally {
      running -= 1;
    }
  };
}
