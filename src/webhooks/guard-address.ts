import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/** Public by its range, yet the metadata service of a cloud. */
const DENIED = new Set(['168.63.129.16']);
const PORTS = new Set(['', '443', '8443']);

/** What a receiver's address may be; `allowPrivate` is for development, where receivers run on the same machine. */
export type AddressRules = { readonly allowPrivate: boolean };

/** Says whether an IP address is one of the public internet; mapped and translated forms are unwrapped first. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !DENIED.has(parsed.toString());
}

/** Judges a URL before it is registered: the reason it may not receive webhooks, or null. */
export async function judgeUrl(url: URL, { allowPrivate }: AddressRules): Promise<string | null> {
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  if (allowPrivate) return null;
  if (url.protocol !== 'https:') return 'must start with `https:`';
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443';
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolveAll(host) : [host];
  if (addresses.length === 0) return 'must lead to the public internet';
  return addresses.every(isPublicAddress) ? null : 'must lead to the public internet';
}

/**
 * A connector for undici that checks every address at the moment of connecting, so that a name which resolves to
 * something else later gains nothing: literals here, names in the look-up that the connection itself uses.
 */
export function guardedConnector({ allowPrivate }: AddressRules, timeoutMs: number): buildConnector.connector {
  if (allowPrivate) return buildConnector({ timeout: timeoutMs });
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(new Error(`${host} is not a public address`), null);
    else connect(options, callback);
  };
}

const guardedLookup: LookupFunction = (name, options, callback) => {
  resolveName(name, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const first = addresses[0];
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error(`${name} is not on the public internet`), '', 0);
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function resolveAll(name: string): Promise<string[]> {
  return new Promise((resolve) => {
    // A name that does not resolve has no address: the caller says so in its own words.
    resolveName(name, { all: true }, (error, found) =>
      resolve(error === null ? found.map(({ address }) => address) : []),
    );
  });
}
