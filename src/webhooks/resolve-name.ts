import { Resolver } from 'node:dns/promises';
import type { VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';

/** Returns all addresses of a name; an empty list if it has none or they did not arrive in time. */
export type ResolveName = (name: string) => Promise<string[]>;

const TRIES = 2;

/**
 * Resolves names only by DNS. The look-up of the operating system blocks a thread while a name server is silent. The
 * process has few threads, and they also check passwords and read files.
 * @param timeoutMs machine time after which a silent name server counts as an empty answer
 * @param nameServers name servers that replace those of the machine
 */
export function createResolver(timeoutMs: number, nameServers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES, maxTimeout: timeoutMs });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  return async (name) => {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  };
}

/** Resolves a name for an account. */
export type ResolveNameFor = (vendorId: VendorId, name: string) => Promise<string[]>;

/** Limits how many names are resolved at a time, in total and for one account. Refuses `busy` above the limits. */
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
