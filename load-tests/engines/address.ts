import type { NetConnectOpts } from 'node:net';

/** The address for a plain connection to the engine of this URL: a Unix socket or a TCP port. */
export function addressOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'unix:') return { path: decodeURIComponent(pathname) };
  // MongoDB's driver accepts the path of a socket in place of a host.
  const host = decodeURIComponent(hostname);
  return host.startsWith('/')
    ? { path: host }
    : { host, port: Number(port || (protocol === 'redis:' ? 6379 : 27_017)) };
}

/** The URL of the same MongoDB with another database. */
export function withDatabase(url: string, name: string): string {
  const [, hosts = '', options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${hosts}/${name}${options}`;
}
