// A primary and its replica behind one address, as managed Redis services offer them.
import type { NetConnectOpts } from 'node:net';
import { LOOPBACK } from './ports.ts';
import { inMemory, openRedisNodes, type RedisNode } from './redis-nodes.ts';
import { eventually, follow, isCaughtUp } from './redis-replication.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const placeOf = ({ port }: RedisNode): NetConnectOpts => ({ host: LOOPBACK, port });

export type RedisPair = {
  /** The address, which leads to the primary. */
  readonly url: string;
  readonly proxy: TcpProxy;
  primary(): RedisNode;
  replica(): RedisNode;
  /**
   * Makes the replica the primary, and the old primary its replica if it still runs. The address leads new connections
   * to the promoted node. Open ones stay with the old primary, which now refuses writes with READONLY.
   */
  promote(): Promise<void>;
  /** Cuts replication. The replica keeps its data and misses all later writes until it is promoted. */
  partReplica(): Promise<void>;
  /** Starts a killed old primary again as an empty replica. Resolves when it has caught up. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the pair below `dir`. Resolves when the replica has caught up. */
export async function openRedisPair(dir: string, say: (line: string) => void): Promise<RedisPair> {
  const nodes = await openRedisNodes(dir, say);
  try {
    const [first, second] = await Promise.all([nodes.start('one', inMemory), nodes.start('two', inMemory)]);
    await follow(second, first);
    const proxy = await openTcpProxy(placeOf(first));
    let [primary, replica] = [first, second];
    return {
      url: `redis://${LOOPBACK}:${proxy.port}`,
      proxy,
      primary: () => primary,
      replica: () => replica,
      promote: async () => {
        [primary, replica] = [replica, primary];
        await primary.command('REPLICAOF', 'NO', 'ONE');
        proxy.point(placeOf(primary));
        if (replica.isRunning()) await replica.command('REPLICAOF', LOOPBACK, primary.port);
      },
      // No process listens on port 1.
      partReplica: async () => void (await replica.command('REPLICAOF', LOOPBACK, 1)),
      rejoin: async () => {
        await replica.restart();
        await replica.command('REPLICAOF', LOOPBACK, primary.port);
        await eventually('the replica catches up', () => isCaughtUp(replica));
      },
      stop: async () => {
        proxy.close();
        await nodes.stop();
      },
    };
  } catch (error) {
    await nodes.stop();
    throw error;
  }
}
