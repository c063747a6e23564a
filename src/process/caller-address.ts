import ipaddr from 'ipaddr.js';
import type { AddressOf, CallerAddress } from '../ports/process.ts';

/** Bits of an IPv6 address that name a network. A customer usually controls all addresses in it. */
const NETWORK_BITS = 64;
/** Longest part of an invalid address in a header that a log line or a limit keeps. */
const MOST_CHARACTERS = 64;

/** An address followed by a port. Some proxies add the port, which differs for each connection. */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([^\]]+)\](?::\d+)?)$/u;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/**
 * Finds the address of the caller. That is the address of the connection, unless it is a trusted proxy. In that case it
 * is the last address in `X-Forwarded-For` that is not a trusted proxy, because a caller can invent earlier ones.
 * @param trustedProxies addresses and ranges, separated by commas
 */
export function createAddressOf(trustedProxies: string): AddressOf {
  const ranges = trustedProxies.split(',').flatMap((text) => (text.trim() === '' ? [] : [rangeOf(text.trim())]));
  const isTrusted = (hop: string): boolean => {
    const address = parse(hop);
    return address !== null && ranges.some((range) => isIn(address, range));
  };
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    if (!isTrusted(peer)) return present(peer);
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const hops = [
      peer,
      ...forwarded
        .map((hop) => withoutPort(hop.trim()))
        .filter((hop) => hop !== '')
        .toReversed(),
    ];
    return present(hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? peer);
  };
}

function rangeOf(text: string): Range {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function withoutPort(hop: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(hop) ?? [];
  return ipv4 ?? ipv6 ?? hop;
}

function parse(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function present(text: string): CallerAddress {
  const address = parse(text);
  if (address === null) {
    const unread = text.slice(0, MOST_CHARACTERS) || 'unknown';
    return { address: unread, network: unread };
  }
  if (address.kind() === 'ipv4') return { address: address.toString(), network: address.toString() };
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${NETWORK_BITS}`);
  return { address: address.toString(), network: `${network.toString()}/${NETWORK_BITS}` };
}
