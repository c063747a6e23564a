import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import type { VendorId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import { createResolver, resolveAtMost, type ResolveName, type ResolveNameFor } from './resolve-name.ts';

/**
 * The IPv6 range of public hosts. ipaddr.js names only the ranges of special use and calls all others `unicast`, even
 * unassigned ones. Through `::7f00:1` some systems reach 127.0.0.1.
 */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3');
/** Addresses in public ranges that are not on the internet: the metadata service of Azure, and unassigned space. */
const DENIED = ['168.63.129.16/32', '3ffe::/16'].map((range) => ipaddr.parseCIDR(range));
const PORTS = new Set(['', '443', '8443']);
/** Names of new registrations that one process resolves at a time, in total and for one account. */
const MOST_NEW = { all: 200, each: 5 };
const NOT_PUBLIC = 'must lead to the public internet';

/** The rules for addresses of receivers. `allowPrivate` is for development, where receivers run on the same machine. */
export type AddressRules = {
  readonly allowPrivate: boolean;
  /** Resolves names for tries of webhooks, which the places of a process limit. */
  readonly resolve: ResolveName;
  /** Resolves names for registrations, with limits so that they do not delay tries or other accounts. */
  readonly resolveNew: ResolveNameFor;
};

/** Creates the rules of one process. `nameServers` replace those of the machine. */
export function createReceiverRules(given: {
  readonly allowPrivate: boolean;
  readonly resolveRealMs: number;
  readonly nameServers?: readonly string[];
}): AddressRules {
  const resolve = createResolver(given.resolveRealMs, given.nameServers);
  return { allowPrivate: given.allowPrivate, resolve, resolveNew: resolveAtMost(MOST_NEW, resolve) };
}

/** Says whether an IP address is on the public internet. Mapped addresses are unwrapped first. */
export function isPublicAddress(address: string): boolean {
  const canonical = canonicalOf(address);
  if (canonical === null) return false;
  const parsed = ipaddr.process(canonical);
  if (parsed.kind() === 'ipv6' && !parsed.match(GIVEN_OUT)) return false;
  return (
    parsed.range() === 'unicast' &&
    !DENIED.some(([net, bits]) => net.kind() === parsed.kind() && parsed.match([net, bits]))
  );
}

/** The canonical form of an address, without dots in IPv6, because ipaddr.js misreads `::8.8.8.8`; null if invalid. */
function canonicalOf(address: string): string | null {
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : null;
  const url = URL.parse(`http://[${address}]`);
  return url === null ? null : hostOf(url);
}

/**
 * Checks a URL before it is registered. Returns the rule that it breaks, or null. A name is always refused in the same
 * words after `resolveRealMs`, whether it leads to a private network or does not exist. Neither the answer nor its time
 * reveals the names of a network.
 */
export async function judgeUrl(
  url: URL,
  vendorId: VendorId,
  { allowPrivate, resolveNew }: AddressRules,
  { clock, settings }: Pick<Context, 'clock' | 'settings'>,
): Promise<string | null> {
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  if (allowPrivate) return null;
  if (url.protocol !== 'https:') return 'must start with `https:`';
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443';
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : NOT_PUBLIC;
  const timeIsUp = clock.real.sleep(settings.webhooks.resolveRealMs);
  const found = await Promise.race([resolveNew(vendorId, host), timeIsUp.then(() => [])]);
  if (arePublic(found)) return null;
  await timeIsUp;
  return NOT_PUBLIC;
}

/**
 * A connector for undici that checks every address when it connects, because a name may resolve to another address
 * later. Literal addresses are checked here, and names in the look-up of the connection.
 */
export function guardedConnector({ allowPrivate, resolve }: AddressRules, timeoutMs: number): buildConnector.connector {
  if (allowPrivate) return buildConnector({ timeout: timeoutMs });
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(notPublic(host), null);
    else connect(options, callback);
  };
}

function guardedLookup(resolve: ResolveName): LookupFunction {
  return (name, { all }, callback) => {
    const tell = (found: readonly string[]): void => {
      const [first] = found;
      if (first === undefined || !arePublic(found)) return callback(notPublic(name), '', 0);
      if (all !== true) return callback(null, first, isIP(first));
      callback(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      );
    };
    resolve(name).then(tell, (error: Error) => callback(error, '', 0));
  };
}

function arePublic(addresses: readonly string[]): boolean {
  return addresses.length > 0 && addresses.every(isPublicAddress);
}

function notPublic(host: string): Error {
  return new Error(`${host} does not lead to the public internet`);
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
