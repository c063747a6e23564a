import type { RedisOptions } from 'ioredis';

type Place = { readonly host: string; readonly port: number };

/** Options of a client, except the shape of replies, which belongs to the client's own type. */
export type ServerOptions = Omit<RedisOptions, 'replyMapping'>;

/** How Redis runs, by `REDIS_URL`. `options` hold the credentials, database and encryption of every server. */
export type RedisPlan =
  | { readonly kind: 'single'; readonly options: ServerOptions }
  | { readonly kind: 'sentinel'; readonly options: ServerOptions }
  | { readonly kind: 'cluster'; readonly nodes: readonly Place[]; readonly options: ServerOptions };

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
/** More than any installation lists. */
const MOST_ADDRESSES = 64;

const SHAPES =
  'must be redis://host:port, or rediss:// with TLS, or unix:///path of a socket; several redis:// addresses of one ' +
  'Redis Cluster, separated by commas; or redis+sentinel://host:port,host:port/name with the name of the primary';
/** Scheme, user information, hosts, path and query. A standard URL has one host, so its parser takes no list. */
const SENTINELS = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^/?]+)(?:\/(\d+))?(?:\?(.*))?$/;
const SENTINEL_QUERY = ['sentinel_username', 'sentinel_password'];

/**
 * Parses an address of Redis.
 * @throws Error that says what the address must look like; it never repeats the address, which may hold a password
 */
export function parseRedisUrl(text: string): RedisPlan {
  if (/^rediss?\+sentinel:/.test(text)) return parseSentinels(text);
  const addresses = text.split(',').map((address) => address.trim());
  if (addresses.length > MOST_ADDRESSES) throw new Error(`must list at most ${MOST_ADDRESSES} addresses`);
  if (addresses.length > 1) return parseCluster(addresses);
  const url = parseUrl(text.trim());
  // The client would take the path literally, with a `%20` for each space.
  if (url.protocol === 'unix:') return { kind: 'single', options: { path: decodeURIComponent(url.pathname) } };
  return { kind: 'single', options: { ...placeOf(url), ...serverOptions(url, databaseOf(url.pathname.slice(1))) } };
}

function parseCluster(addresses: readonly string[]): RedisPlan {
  const urls = addresses.map(parseUrl);
  const [first] = urls;
  if (first === undefined || urls.some(({ protocol }) => protocol === 'unix:')) throw new Error(SHAPES);
  const isUniform = urls.every(({ protocol }) => protocol === first.protocol);
  if (!isUniform) throw new Error('must begin every address of a cluster with redis://, or every one with rediss://');
  if (urls.some(({ pathname }) => databaseOf(pathname.slice(1)) !== 0)) {
    throw new Error('must not name a database: a Redis Cluster has database 0 only');
  }
  return { kind: 'cluster', nodes: urls.map(placeOf), options: serverOptions(first, 0) };
}

function parseSentinels(text: string): RedisPlan {
  const [, scheme, user = '', hosts = '', name = '', database, query] = SENTINELS.exec(text) ?? [];
  if (scheme === undefined) throw new Error(SHAPES);
  const sentinels = hosts.split(',').map((host) => placeOf(parseUrl(`redis://${host}`), SENTINEL_PORT));
  const given = new URLSearchParams(query ?? '');
  const stranger = [...given.keys()].find((key) => !SENTINEL_QUERY.includes(key));
  if (stranger !== undefined) throw new Error(`may have no parameters but ${SENTINEL_QUERY.join(' and ')}`);
  const [sentinelUsername, sentinelPassword] = SENTINEL_QUERY.map((key) => given.get(key));
  const url = parseUrl(`${scheme}://${user === '' ? '' : `${user}@`}any`);
  return {
    kind: 'sentinel',
    options: {
      sentinels,
      name: decode(name),
      ...serverOptions(url, databaseOf(database ?? '')),
      ...(sentinelUsername == null ? {} : { sentinelUsername }),
      ...(sentinelPassword == null ? {} : { sentinelPassword }),
      ...(scheme === 'rediss' ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  const isKnown = url !== null && ['redis:', 'rediss:', 'unix:'].includes(url.protocol);
  if (!isKnown || (url.protocol === 'unix:' ? url.pathname === '' : url.hostname === '')) throw new Error(SHAPES);
  if (url.search !== '') throw new Error('must not have parameters after a question mark');
  return url;
}

function placeOf({ hostname, port }: URL, defaultPort = REDIS_PORT): Place {
  // An IPv6 address has brackets, which only a URL needs.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? defaultPort : Number(port) };
}

function databaseOf(text: string): number {
  if (!/^\d{0,6}$/.test(text)) throw new Error('must name the database by its number');
  return Number(text);
}

function serverOptions({ protocol, username, password }: URL, db: number): ServerOptions {
  return {
    db,
    ...(username === '' ? {} : { username: decode(username) }),
    ...(password === '' ? {} : { password: decode(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must write a % in a user name, password or name as %25');
  }
}
