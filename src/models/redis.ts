import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../ports.ts';
import { EngineAway } from './engine-away.ts';

/** One server or a cluster; both take the same commands. */
export type RedisClient = Redis | Cluster;

export type RedisConnections = {
  readonly commands: RedisClient;
  readonly subscriber: RedisClient;
  /** The Socket.IO adapter's own pair: it subscribes whenever a room is born. */
  readonly adapterPub: RedisClient;
  readonly adapterSub: RedisClient;
  readonly version: string;
  /** Says whether the server knows sharded pub/sub (7.0 and newer). */
  readonly isSharded: boolean;
  /** Begins every key and channel. */
  readonly prefix: string;
  isReady(): boolean;
  close(): Promise<void>;
};

/** With the pauses between tries this is about 5 s for a server that refuses. */
const FIRST_TRIES = 12;
const SLOWEST_RETRY_MS = 500;
/** For how long Redis may leave a command unanswered, and say nothing at all while one waits. */
type Patience = { readonly commandMs: number; readonly silentMs: number };
const PATIENCE: Patience = { commandMs: 500, silentMs: 2_000 };

/**
 * A dead or hung Redis must be an error at once: the client's defaults queue every write of an outage and replay it
 * stale. `protocol: 2` is understood by every server and gives the same replies.
 */
const IMPATIENT = {
  protocol: 2,
  lazyConnect: true,
  enableOfflineQueue: false,
  commandTimeout: PATIENCE.commandMs,
  socketTimeout: PATIENCE.silentMs,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false,
  connectTimeout: PATIENCE.silentMs,
  retryStrategy: slower,
} as const satisfies RedisOptions;

/** Who subscribes at any time must wait out an outage; nothing but subscriptions is queued here. */
const PATIENT = {
  protocol: 2,
  lazyConnect: true,
  enableOfflineQueue: true,
  maxRetriesPerRequest: null,
  connectTimeout: PATIENCE.silentMs,
  retryStrategy: slower,
} as const satisfies RedisOptions;

/**
 * Opens the process's connections to Redis.
 * @param url one `redis://`, `rediss://` or `unix://` address, or several of one cluster, separated by commas
 * @param patience another one than a server has: for tests, on machines where a process may stand still for seconds
 * @throws EngineAway when Redis does not answer
 */
export async function connectRedis(
  url: string,
  keyPrefix: string,
  log: Log,
  { commandMs, silentMs } = PATIENCE,
): Promise<RedisConnections> {
  const impatient = { ...IMPATIENT, commandTimeout: commandMs, socketTimeout: silentMs };
  const commands = connection(url, impatient);
  const subscriber = connection(url, PATIENT);
  const adapterPub = connection(url, impatient);
  const adapterSub = connection(url, PATIENT);
  const all = [commands, subscriber, adapterPub, adapterSub];
  // The adapter drops the promises of its commands, and a dropped rejection would end the process.
  for (const client of [adapterPub, adapterSub]) forgiveDropped(client);
  const endTelling = tellOutages(all, log);
  const close = async (): Promise<void> => {
    endTelling();
    for (const client of all) client.disconnect();
  };
  try {
    await Promise.all(all.map(connect));
    const version = /redis_version:(\S+)/.exec(await commands.info('server'))?.[1] ?? '0';
    return {
      commands,
      subscriber,
      adapterPub,
      adapterSub,
      version,
      isSharded: Number.parseInt(version, 10) >= 7,
      prefix: keyPrefix,
      isReady: () => all.every(({ status }) => status === 'ready'),
      close,
    };
  } catch (error) {
    // Whatever failed, no connection may stay behind and go on trying.
    await close();
    throw error;
  }
}

function connection(url: string, options: typeof IMPATIENT | typeof PATIENT): RedisClient {
  // The client would take the path as it is written, with a `%20` for each space.
  if (url.startsWith('unix:')) return new Redis({ ...options, path: decodeURIComponent(new URL(url).pathname) });
  const nodes = url.split(',').map((address) => address.trim());
  if (nodes.length === 1) return new Redis(url, options);
  const { username, password, protocol } = new URL(nodes[0] ?? '');
  return new Cluster(nodes, {
    lazyConnect: true,
    enableOfflineQueue: options.enableOfflineQueue,
    shardedSubscribers: true,
    clusterRetryStrategy: slower,
    redisOptions: {
      ...options,
      ...(password === '' ? {} : { username, password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

function slower(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), SLOWEST_RETRY_MS);
}

/** Waits for the first connection, through some tries: a Redis that is just starting is no failure yet. */
function connect(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    let tries = 0;
    client.once('ready', () => resolve());
    client.on('close', () => {
      tries += 1;
      if (tries === FIRST_TRIES) reject(new EngineAway('Redis does not answer. Is it running where REDIS_URL says?'));
    });
    // A failed first try is logged as an outage; the client tries again by itself.
    client.connect().catch(() => undefined);
  });
}

function forgiveDropped(client: RedisClient): void {
  const send = client.sendCommand.bind(client) as (...given: unknown[]) => unknown;
  client.sendCommand = (...given: unknown[]) => {
    const sent = send(...given);
    // Marks a rejection as seen; whoever does look at the promise still gets it.
    if (sent instanceof Promise) sent.catch(() => undefined);
    return sent;
  };
}

/** One line when Redis is lost and one when all of it is back, however often the clients try. Gives what ends it. */
function tellOutages(clients: readonly RedisClient[], log: Log): () => void {
  const lost = new Set<RedisClient>();
  let cause = 'the connection was closed';
  let isClosing = false;
  for (const client of clients) {
    // Without a listener the client would print every error itself.
    client.on('error', (error: Error) => (cause = error.message));
    client.on('close', () => {
      if (lost.size === 0 && !isClosing) log.warn({ cause }, 'Redis is away');
      lost.add(client);
    });
    client.on('ready', () => {
      if (lost.delete(client) && lost.size === 0) log.info({}, 'Redis is back');
    });
  }
  return () => {
    isClosing = true;
  };
}
