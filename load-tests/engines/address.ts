import type { NetConnectOpts } from 'node:net';

/** Where a plain connection to the engine of this URL goes: to a Unix socket or to a TCP port. */
export function addressOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) };
  // MongoDB's driver takes the path of a socket in place of a host.
  const host = decodeURIComponent(hostname);
  return host.startsWith('/')
    ? { path: host }
    : { host, port: Number(port || (protocol === 'redis:' ? 6379 : 27_017)) };
}
