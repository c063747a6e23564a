import { Cluster, Redis, type Command } from 'ioredis';
import { isFromReplica } from './redis-away.ts';
import type { RedisPlan, ServerOptions } from './redis-url.ts';

/** One server or a cluster. Both take the same commands. */
export type RedisClient = Redis | Cluster;

/** How long Redis may leave a command unanswered, and how long it may stay silent while a command waits. */
export type Patience = { readonly commandMs: number; readonly silentMs: number };
export const PATIENCE: Patience = { commandMs: 500, silentMs: 2_000 };

/** With a tick after it, positions are written within a second after Redis returns. */
const SLOWEST_RETRY_MS = 500;
/** The message of ioredis for a command without an answer. */
const TIMED_OUT = 'Command timed out';
/** How often a command is tried again in the middle of a cluster's failover, 100 ms apart. */
const MOST_REDIRECTIONS = 4;
/** How often the map of a cluster is read again, so that a client which rarely sends learns about a failover. */
const MAP_EVERY_MS = 2_000;

/** Every server understands `protocol: 2` and gives the same replies. */
const EVERY = { protocol: 2, lazyConnect: true, connectTimeout: PATIENCE.silentMs } as const satisfies ServerOptions;

/** A subscription must wait until an outage is over. Nothing else is queued here. */
const PATIENT = { ...EVERY, enableOfflineQueue: true, maxRetriesPerRequest: null } as const satisfies ServerOptions;

/**
 * A dead or hanging Redis must be an error at once. By default the client queues every write of an outage and replays
 * it stale.
 */
function impatient({ commandMs, silentMs }: Patience) {
  return {
    ...EVERY,
    enableOfflineQueue: false,
    commandTimeout: commandMs,
    socketTimeout: silentMs,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
  } as const satisfies ServerOptions;
}

/**
 * Makes the client for commands and publishing, without a connection yet. It replaces lost connections by itself, and
 * also one that leads to a replica. The client of a cluster needs no such help: the nodes say where a key has moved.
 */
export function commandClient(plan: RedisPlan, patience: Patience, onReplica: (error: Error) => void): RedisClient {
  if (plan.kind === 'cluster') return readFirst(clientOf(plan, impatient(patience)));
  let isLeaving = false;
  const reconnectOnError = (error: Error): boolean => {
    if (!isFromReplica(error)) return false;
    onReplica(error);
    // One report is enough for many commands in progress.
    const isFirst = !isLeaving;
    isLeaving = true;
    return isFirst;
  };
  const client = clientOf(plan, { ...impatient(patience), reconnectOnError });
  client.on('close', () => (isLeaving = false));
  return readFirst(client);
}

type Send = (command: Command, ...more: unknown[]) => unknown;

/**
 * Lets a command of this client time out only after the sockets were read. After a stall of the process, the timer of
 * ioredis runs before that, and would reject a command whose answer has come.
 */
function readFirst<C extends RedisClient>(client: C): C {
  const send = client.sendCommand.bind(client) as Send;
  client.sendCommand = ((command, ...more) => {
    const { reject } = command;
    command.reject = (error) => {
      if (error.message !== TIMED_OUT) reject(error);
      else setImmediate(() => command.isSettled || reject(error));
    };
    return send(command, ...more);
  }) as Send as C['sendCommand'];
  return client;
}

/**
 * The same for subscriptions. All nodes of a cluster pass messages on, so one plain connection to any node is enough.
 * It reports outages, which the client of a whole cluster does not.
 */
export function subscriber(plan: RedisPlan): RedisClient {
  if (plan.kind !== 'cluster') return clientOf(plan, PATIENT);
  const { nodes, options } = plan;
  let tries = 0;
  const retryStrategy = (times: number): number => {
    // `times` begins again with each connection, so a node to which one can connect, but which is deaf, would be chosen again.
    tries += 1;
    // The client reads its address again at each try.
    Object.assign(client.options, nodes[tries % nodes.length]);
    return slower(times);
  };
  const client: Redis = new Redis({ ...options, ...PATIENT, ...nodes[0], retryStrategy });
  return client;
}

function clientOf(plan: RedisPlan, own: ServerOptions): RedisClient {
  switch (plan.kind) {
    case 'single':
      return new Redis({ ...plan.options, ...own, retryStrategy: slower });
    case 'sentinel':
      return new Redis({
        ...plan.options,
        ...own,
        retryStrategy: slower,
        sentinelRetryStrategy: slower,
        sentinelCommandTimeout: PATIENCE.silentMs,
        // A replaced primary may still answer here and take writes that no other server will see.
        failoverDetector: true,
      });
    case 'cluster':
      return new Cluster([...plan.nodes], {
        lazyConnect: true,
        enableOfflineQueue: own.enableOfflineQueue ?? true,
        clusterRetryStrategy: slower,
        maxRedirections: MOST_REDIRECTIONS,
        slotsRefreshInterval: MAP_EVERY_MS,
        redisOptions: { ...plan.options, ...own },
      });
  }
}

function slower(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), SLOWEST_RETRY_MS);
}
