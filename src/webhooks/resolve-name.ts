import { Resolver } from 'node:dns/promises';
import type { VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';

/** All addresses of a name; none when it has none or they did not come in time. */
export type ResolveName = (name: string) => Promise<string[]>;

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
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}

/** The same on behalf of an account. */
export type ResolveNameFor = (vendorId: VendorId, name: string) => Promise<string[]>;

/** The same, for at most so many names at a time, in all and of one account. Refuses `busy` above that. */
export function resolveAtMost(most: { all: number; each: number }, resolve: ResolveName): ResolveNameFor {
  const running = new Map<VendorId, number>();
  let all = 0;
  const count = (vendorId: VendorId, change: 1 | -1): void => {
    all += change;
    const own = (running.get(vendorId) ?? 0) + change;
    if (own === 0) running.delete(vendorId);
    else running.set(vendorId, own);
  };
  return async (vendorId, name) => {
    if (all >= most.all || (running.get(vendorId) ?? 0) >= most.each) throw new Refusal('busy');
    count(vendorId, 1);
    try {
      return await resolve(name);
    } finally {
      count(vendorId, -1);
    }
  };
}
