import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import type { VendorId } from '../domain/ids.ts';
import type { Context } from '../ports/context.ts';
import { createResolver, resolveAtMost, type ResolveName, type ResolveNameFor } from './resolve-name.ts';

/**
 * The IPv6 space that is given out for hosts. ipaddr.js names the ranges of special use, and calls all others `unicast`,
 * also those that nobody has: through `::7f00:1` some systems reach 127.0.0.1.
 */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, yet not the internet: the metadata service of Azure, and space that was given back. */
const DENIED = ['168.63.129.16/32', '3ffe::/16'].map((range) => ipaddr.parseCIDR(range));
const PORTS = new Set(['', '443', '8443']);
/** Names of new registrations that one process asks about at a time, in all and for one account. */
const MOST_NEW = { all: 200, each: 5 };
const NOT_PUBLIC = 'must lead to the public internet';

/** What a receiver's address may be; `allowPrivate` is for development, where receivers run on the same machine. */
export type AddressRules = {
  readonly allowPrivate: boolean;
  /** For the tries of webhooks, which the places of a process bound. */
  readonly resolve: ResolveName;
  /** For registrations, of which an account may make many at once: they take nothing from tries and other accounts. */
  readonly resolveNew: ResolveNameFor;
};

/** The rules of one process. `nameServers` are others than the machine's. */
export function createReceiverRules(given: {
  readonly allowPrivate: boolean;
  readonly resolveRealMs: number;
  readonly nameServers?: readonly string[];
}): AddressRules {
  const resolve = createResolver(given.resolveRealMs, given.nameServers);
  return { allowPrivate: given.allowPrivate, resolve, resolveNew: resolveAtMost(MOST_NEW, resolve) };
}

/** Says whether an IP address is one of the public internet; mapped ones are unwrapped first. */
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

/** The one spelling of an address, without dots in IPv6, where ipaddr.js takes `::8.8.8.8` for a mapped one; else null. */
function canonicalOf(address: string): string | null {
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : null;
  const url = URL.parse(`http://[${address}]`);
  return url === null ? null : hostOf(url);
}

/**
 * Judges a URL before it is registered: what it must be and is not, or null. A name that is refused is refused after
 * `resolveRealMs` in the same words, whether it leads into a private network or nowhere: neither answer nor time tells
 * which names a network has.
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
 * A connector for undici that checks every address at the moment of connecting, so that a name which resolves to
 * something else later gains nothing: literals here, names in the look-up that the connection itself uses.
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
