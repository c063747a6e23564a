import { Cluster, Redis } from 'ioredis';
import { isFromReplica } from './redis-outage.ts';
import type { RedisPlan, ServerOptions } from './redis-url.ts';

/** One server or a cluster; both take the same commands. */
export type RedisClient = Redis | Cluster;

/** For how long Redis may leave a command unanswered, and say nothing at all while one waits. */
export type Patience = { readonly commandMs: number; readonly silentMs: number };
export const PATIENCE: Patience = { commandMs: 500, silentMs: 2_000 };

const SLOWEST_RETRY_MS = 500;
/** Tries of a command that meets a cluster in the middle of a failover, 100 ms apart. */
const MOST_REDIRECTIONS = 4;
/** How often the map of a cluster is read again, so that a client which rarely sends learns of a failover. */
const MAP_EVERY_MS = 2_000;

/** `protocol: 2` is understood by every server and gives the same replies. */
const EVERY = { protocol: 2, lazyConnect: true, connectTimeout: PATIENCE.silentMs } as const satisfies ServerOptions;

/** A subscription must wait until an outage is over; nothing else is queued here. */
const PATIENT = { ...EVERY, enableOfflineQueue: true, maxRetriesPerRequest: null } as const satisfies ServerOptions;

/**
 * A dead or hung Redis must be an error at once: the client's defaults queue every write of an outage and replay it
 * stale.
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
 * Opens no connection yet: the client of commands and of what is published. Lost connections are replaced by themselves,
 * and so is one that leads to a replica. A cluster's client needs no such help: its nodes say where a key has gone.
 */
export function commandClient(plan: RedisPlan, patience: Patience, onReplica: (error: Error) => void): RedisClient {
  if (plan.kind === 'cluster') return clientOf(plan, impatient(patience));
  let isLeaving = false;
  const reconnectOnError = (error: Error): boolean => {
    if (!isFromReplica(error)) return false;
    onReplica(error);
    // Of many commands that were under way one is enough.
    const isFirst = !isLeaving;
    isLeaving = true;
    return isFirst;
  };
  const client = clientOf(plan, { ...impatient(patience), reconnectOnError });
  client.on('close', () => (isLeaving = false));
  return client;
}

/**
 * The same for subscriptions. All nodes of a cluster pass messages on, so one plain connection to any of them will do. It
 * tells when it was away, which the client of a whole cluster does not.
 */
export function subscriber(plan: RedisPlan): RedisClient {
  if (plan.kind !== 'cluster') return clientOf(plan, PATIENT);
  const { nodes, options } = plan;
  const retryStrategy = (times: number): number => {
    // The client reads its address anew at each try.
    Object.assign(client.options, nodes[times % nodes.length]);
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
        // A primary that was replaced may still answer here, and takes writes that nobody else will see.
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
