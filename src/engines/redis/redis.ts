import type { Clock, Log } from '../../ports/process.ts';
import { EngineAway } from '../engine-away.ts';
import { Outage, quietDuring } from '../outage.ts';
import { commandClient, PATIENCE, subscriber, type RedisClient } from './redis-clients.ts';
import { REDIS } from './redis-away.ts';
import { parseRedisUrl } from './redis-url.ts';
import { loadScript } from './script.ts';

export type AdapterPair = {
  readonly pub: RedisClient;
  readonly sub: RedisClient;
  /**
   * Says whether it uses sharded pub/sub, which servers know since 7.0. A cluster does not use it: if a node fails
   * over, the client may lose such a subscription for good.
   */
  readonly isSharded: boolean;
  /** The prefix of its channels. */
  readonly channels: string;
};

export type RedisConnections = {
  readonly commands: RedisClient;
  readonly subscriber: RedisClient;
  /** The Socket.IO adapter's own pair. */
  readonly adapter: AdapterPair;
  readonly version: string;
  /** The prefix of every key and channel. */
  readonly prefix: string;
  readonly outage: Outage;
  /** The log of the process. It is quiet about errors that come from an outage of Redis. */
  readonly log: Log;
  /** The clock of Redis, epoch ms. On a cluster all processes read that of the same node. */
  now(): Promise<number>;
  /** Says whether every connection is open and, as far as tried, writes succeed. */
  isReady(): boolean;
  close(): Promise<void>;
};

/** Writes as a whole, which Redis may refuse over an open connection. */
export const WRITES = 'writes';

const readClock = loadScript('read-clock');

/** With the pauses between tries this takes about 5 s if a server refuses connections. */
const FIRST_TRIES = 12;
/** A try without an answer takes 2 s, as long as several that are refused. */
const SILENT_TRIES = 4;
const SILENCE = 'connect ETIMEDOUT';

/**
 * Opens the process's connections to Redis.
 * @param url the value of `REDIS_URL`: one server, Sentinels, or a cluster
 * @param patience differs from a server's only in tests, on machines where a process may stall for seconds
 * @throws EngineAway if Redis does not answer, refuses the connection or is a replica
 */
export async function connectRedis(
  url: string,
  keyPrefix: string,
  needs: { readonly log: Log; readonly clock: Pick<Clock, 'real'> },
  patience = PATIENCE,
): Promise<RedisConnections> {
  const plan = parseRedisUrl(url);
  const outage = new Outage(REDIS, needs);
  const onReplica = ({ message }: Error): void => outage.lose(WRITES, message);
  const commands = commandClient(plan, patience, onReplica);
  const listening = subscriber(plan);
  const [pub, sub] = [commandClient(plan, patience, onReplica), subscriber(plan)];
  const all = [commands, listening, pub, sub];
  // The adapter ignores the promises of its commands, and an unhandled rejection would end the process.
  for (const client of [pub, sub]) forgiveDropped(client);
  for (const client of all) watch(client, outage);
  const close = async (): Promise<void> => {
    outage.close();
    for (const client of all) client.disconnect();
  };
  try {
    await Promise.all(all.map((client) => connect(client, plan.options.tls !== undefined)));
    takeAlong(commands, [listening, pub, sub], outage);
    const about = readInfo(await commands.info());
    if (about['role'] === 'slave') throw new EngineAway(REPLICA_GIVEN);
    warnOfEviction(about, needs.log);
    const version = about['redis_version'] ?? '0';
    const isSharded = plan.kind !== 'cluster' && Number.parseInt(version, 10) >= 7;
    return {
      commands,
      subscriber: listening,
      adapter: { pub, sub, isSharded, channels: `${keyPrefix}socket.io` },
      version,
      prefix: keyPrefix,
      outage,
      log: quietDuring(outage, needs.log),
      now: async () => {
        const [seconds, micros] = (await readClock(commands, [`${keyPrefix}clock`], [])) as [string, string];
        return Number(seconds) * 1000 + Number(micros) / 1000;
      },
      isReady: () => !outage.isOn() && all.every(({ status }) => status === 'ready'),
      close,
    };
  } catch (error) {
    // After any failure, no connection may stay behind and keep trying.
    await close();
    throw error;
  }
}

const REPLICA_GIVEN =
  'REDIS_URL names a replica of Redis, which takes no writes. Name its primary, or the Sentinels that know it.';

/** The facts that Redis tells about itself, by name. */
function readInfo(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+):(.*?)\r?$/gmu)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Warns if Redis drops keys when its memory is full: a lease could then have two owners. */
function warnOfEviction({ maxmemory, maxmemory_policy: policy }: ReturnType<typeof readInfo>, log: Log): void {
  if (maxmemory === '0' || policy === 'noeviction') return;
  log.warn(
    { maxmemory, policy },
    'Redis may drop leases when its memory is full: set its maxmemory-policy to noeviction',
  );
}

/** Waits for the first connection, for some tries. A Redis that is just starting is not a failure yet. */
function connect(client: RedisClient, isEncrypted: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let tries = 0;
    let cause: Error | null = null;
    const count = (): void => {
      tries += cause?.message === SILENCE ? SILENT_TRIES : 1;
      if (tries >= FIRST_TRIES) reject(new EngineAway(explainAbsence(cause, isEncrypted)));
    };
    client.once('ready', () => resolve());
    client.on('close', count);
    client.on('error', (error: Error) => {
      cause = error;
      // If no Sentinel answers, there is not even a connection to close.
      if (error.message.startsWith('All sentinels are unreachable')) count();
    });
    // The outage log reports a failed first try. The client tries again by itself.
    client.connect().catch(() => undefined);
  });
}

/** The person who started the process reads this sentence. Redis itself sends a `ReplyError`. */
function explainAbsence(cause: Error | null, isEncrypted: boolean): string {
  if (cause?.name === 'ReplyError')
    return `Redis refuses the connection: ${cause.message} Check user and password in REDIS_URL.`;
  const why = cause === null ? '.' : `: ${cause.message}.`;
  const how = isEncrypted ? ', and with TLS, as rediss:// requires' : '';
  return `Redis does not answer${why} Is it running where REDIS_URL says${how}?`;
}

function forgiveDropped(client: RedisClient): void {
  const send = client.sendCommand.bind(client) as (...given: unknown[]) => unknown;
  client.sendCommand = (...given: unknown[]) => {
    const sent = send(...given);
    // Marks a rejection as handled. A caller who awaits the promise still receives it.
    if (sent instanceof Promise) sent.catch(() => undefined);
    return sent;
  };
}

function watch(client: RedisClient, outage: Outage): void {
  let cause = 'the connection was closed';
  // Without a listener the client would print every error itself.
  client.on('error', (error: Error) => (cause = error.message));
  client.on('close', () => outage.lose(client, cause));
  client.on('ready', () => outage.regain(client));
  const again = (): void => {
    if (!outage.isClosed()) client.connect().catch(() => undefined);
  };
  // If a Sentinel announces a failover while the client is connecting, ioredis gives this client up for good.
  client.on('end', again);
  // It also gives up a cluster whose last connection ends while it looks up the names of the nodes, and emits no `end` then.
  client.on('close', () => setImmediate(() => void (client.status === 'close' && again())));
}

/**
 * Makes the other connections again if the connection of commands was made again. That one notices that Redis has moved
 * to another server. The others may not write for hours and would stay with the old server, where nobody listens.
 */
function takeAlong(leader: RedisClient, others: readonly RedisClient[], outage: Outage): void {
  // This runs before `watch` sees the event, so that the outage is not over in between.
  leader.prependListener('ready', () => {
    for (const client of others) {
      if (client.status !== 'ready') continue;
      outage.lose(client, 'Redis has moved');
      client.disconnect(true);
    }
  });
}
