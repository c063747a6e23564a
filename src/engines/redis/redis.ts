import type { Log } from '../../ports/process.ts';
import { EngineAway } from '../engine-away.ts';
import { commandClient, PATIENCE, subscriber, type RedisClient } from './redis-clients.ts';
import { RedisOutage } from './redis-outage.ts';
import { parseRedisUrl } from './redis-url.ts';

export type AdapterPair = {
  readonly pub: RedisClient;
  readonly sub: RedisClient;
  /**
   * Says whether it uses sharded pub/sub, which servers know from 7.0 on. Not on a cluster: the client may lose such a
   * subscription for good when a node fails over.
   */
  readonly isSharded: boolean;
  /** Begins its channels. */
  readonly channels: string;
};

export type RedisConnections = {
  readonly commands: RedisClient;
  readonly subscriber: RedisClient;
  /** The Socket.IO adapter's own pair. */
  readonly adapter: AdapterPair;
  readonly version: string;
  /** Begins every key and channel. */
  readonly prefix: string;
  readonly outage: RedisOutage;
  /** Says whether every connection stands and, as far as was tried, writes are taken. */
  isReady(): boolean;
  close(): Promise<void>;
};

/** With the pauses between tries this is about 5 s for a server that refuses. */
const FIRST_TRIES = 12;

/**
 * Opens the process's connections to Redis.
 * @param url what `REDIS_URL` may be: one server, Sentinels, or a cluster
 * @param patience another one than a server has: for tests, on machines where a process may stand still for seconds
 * @throws EngineAway when Redis does not answer
 */
export async function connectRedis(
  url: string,
  keyPrefix: string,
  log: Log,
  patience = PATIENCE,
): Promise<RedisConnections> {
  const plan = parseRedisUrl(url);
  const outage = new RedisOutage(log);
  const onReplica = ({ message }: Error): void => outage.refuseWrites(message);
  const commands = commandClient(plan, patience, onReplica);
  const listening = subscriber(plan);
  const [pub, sub] = [commandClient(plan, patience, onReplica), subscriber(plan)];
  const all = [commands, listening, pub, sub];
  // The adapter drops the promises of its commands, and a dropped rejection would end the process.
  for (const client of [pub, sub]) forgiveDropped(client);
  for (const client of all) watch(client, outage);
  const close = async (): Promise<void> => {
    outage.close();
    for (const client of all) client.disconnect();
  };
  try {
    await Promise.all(all.map(connect));
    takeAlong(commands, [listening, pub, sub], outage);
    const version = /redis_version:(\S+)/.exec(await commands.info('server'))?.[1] ?? '0';
    const isSharded = plan.kind !== 'cluster' && Number.parseInt(version, 10) >= 7;
    return {
      commands,
      subscriber: listening,
      adapter: { pub, sub, isSharded, channels: `${keyPrefix}socket.io` },
      version,
      prefix: keyPrefix,
      outage,
      isReady: () => !outage.isOn() && all.every(({ status }) => status === 'ready'),
      close,
    };
  } catch (error) {
    // Whatever failed, no connection may stay behind and go on trying.
    await close();
    throw error;
  }
}

/** Waits for the first connection, through some tries: a Redis that is just starting is no failure yet. */
function connect(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    let tries = 0;
    const count = (): void => {
      tries += 1;
      if (tries === FIRST_TRIES) reject(new EngineAway('Redis does not answer. Is it running where REDIS_URL says?'));
    };
    client.once('ready', () => resolve());
    client.on('close', count);
    // With no Sentinel to ask there is not even a connection that could be closed.
    client.on('error', ({ message }: Error) => {
      if (message.startsWith('All sentinels are unreachable')) count();
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

function watch(client: RedisClient, outage: RedisOutage): void {
  let cause = 'the connection was closed';
  // Without a listener the client would print every error itself.
  client.on('error', (error: Error) => (cause = error.message));
  client.on('close', () => outage.lose(client, cause));
  client.on('ready', () => outage.regain(client));
}

/**
 * Has the other connections made again when the one of commands is: it notices that Redis has moved to another server, and
 * they, which may not write for hours, would stay with the old one, where nobody listens.
 */
function takeAlong(leader: RedisClient, others: readonly RedisClient[], outage: RedisOutage): void {
  // Before `watch` hears of it, so that the outage is not over in between.
  leader.prependListener('ready', () => {
    for (const client of others) {
      if (client.status !== 'ready') continue;
      outage.lose(client, 'Redis has moved');
      client.disconnect(true);
    }
  });
}
