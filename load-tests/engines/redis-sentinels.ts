// A primary and its replica that three sentinels watch.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOPBACK } from './ports.ts';
import { inMemory, openRedisNodes, type NodePorts, type RedisNode, type RedisNodes } from './redis-nodes.ts';
import { eventually, follow } from './redis-replication.ts';

export type RedisSentinels = {
  /** `redis+sentinel://` with all three sentinels and the name of the primary. */
  readonly url: string;
  readonly servers: readonly RedisNode[];
  readonly sentinels: readonly RedisNode[];
  /** The server that the sentinels call the primary. */
  primary(): Promise<RedisNode>;
  /** Makes the sentinels promote the replica. Resolves when they agree on it and the old primary follows it. */
  failOver(): Promise<void>;
  /** Kills the primary. Resolves when the sentinels have promoted the replica. */
  killPrimary(): Promise<void>;
  /** Starts a killed server again. Resolves when the sentinels have made it a replica. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
};

const NAME = 'dispatch';
/** After this long without an answer, a sentinel considers a server down. */
const DOWN_MS = 1_000;
const PERIOD_MS = 500;

/** Starts all five below `dir`. Resolves when every sentinel knows the others and the replica. */
export async function openRedisSentinels(dir: string, say: (line: string) => void): Promise<RedisSentinels> {
  const nodes = await openRedisNodes(dir, say);
  try {
    const servers = await Promise.all(['one', 'two'].map((name) => nodes.start(name, inMemory)));
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('two servers were started');
    await follow(second, first);
    const sentinels = await Promise.all(['s1', 's2', 's3'].map((name) => startSentinel(nodes, name, first.port)));
    await eventually('the sentinels know each other', () => allKnow(sentinels, 'num-slaves', '1'));
    await eventually('the sentinels see each other', () => allKnow(sentinels, 'num-other-sentinels', '2'));
    const [leader] = sentinels;
    if (leader === undefined) throw new Error('three sentinels were started');
    const primary = async (): Promise<RedisNode> => {
      const ports = await Promise.all(sentinels.map(primaryPort));
      const found = servers.find(({ port }) => ports.every((seen) => seen === port));
      if (found === undefined) throw new Error(`the sentinels do not agree: ${ports.join(', ')}`);
      return found;
    };
    return {
      url: `redis+sentinel://${sentinels.map(({ port }) => `${LOOPBACK}:${port}`).join(',')}/${NAME}`,
      servers,
      sentinels,
      primary,
      failOver: async () => {
        const old = await primary();
        await eventually('the sentinels have failed over', async () => {
          // Read before the primary: a failover that has ended since then shows there, and another one would undo it.
          const isUnderWay = (await fieldAt(leader, 'flags'))?.includes('failover_in_progress') ?? true;
          if ((await primary()) !== old) return true;
          // A sentinel gives up if it does not know a good replica yet.
          if (!isUnderWay) await leader.command('SENTINEL', 'FAILOVER', NAME);
          return false;
        });
        await isReplica(old, sentinels);
      },
      killPrimary: async () => {
        const old = await primary();
        await old.kill();
        await eventually('the sentinels agree on another primary', async () => (await primary()) !== old);
      },
      rejoin: async () => {
        for (const server of servers) {
          if (server.isRunning()) continue;
          await server.restart();
          await isReplica(server, sentinels);
        }
      },
      stop: () => nodes.stop(),
    };
  } catch (error) {
    await nodes.stop();
    throw error;
  }
}

async function startSentinel(nodes: RedisNodes, name: string, watchedPort: number): Promise<RedisNode> {
  const sentinel = await nodes.start(name, (ports) => sentinelArgs(ports, watchedPort));
  // By default, sentinels look at servers every ten seconds, and they make an old primary a replica after eight seconds
  // at the earliest.
  await sentinel.command('SENTINEL', 'DEBUG', 'info-period', PERIOD_MS, 'publish-period', PERIOD_MS);
  return sentinel;
}

async function sentinelArgs({ port, dir }: NodePorts, watchedPort: number): Promise<string[]> {
  const file = join(dir, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    `bind ${LOOPBACK}`,
    `dir ${dir}`,
    `sentinel monitor ${NAME} ${LOOPBACK} ${watchedPort} 2`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
    `sentinel failover-timeout ${NAME} ${5 * DOWN_MS}`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  return [file, '--sentinel'];
}

async function allKnow(sentinels: readonly RedisNode[], field: string, value: string): Promise<boolean> {
  const values = await Promise.all(sentinels.map((sentinel) => fieldAt(sentinel, field)));
  return values.every((found) => found === value);
}

/** The value of this field of the primary, as the sentinel sees it; null if absent. The answer is a flat list of names and values. */
async function fieldAt(sentinel: RedisNode, field: string): Promise<string | null> {
  const answer = await sentinel.command('SENTINEL', 'MASTER', NAME);
  return Array.isArray(answer) && answer.includes(field) ? String(answer[answer.indexOf(field) + 1]) : null;
}

async function primaryPort(sentinel: RedisNode): Promise<number> {
  const answer = await sentinel.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME);
  return Array.isArray(answer) ? Number(answer[1]) : 0;
}

async function isReplica(server: RedisNode, sentinels: readonly RedisNode[]): Promise<void> {
  await eventually(`${server.name} has become a replica`, async () => {
    const role = await server.command('ROLE');
    if (!Array.isArray(role)) return false;
    const [port] = await Promise.all(sentinels.map(primaryPort));
    if (role[0] === 'slave' && role[2] === port) return role[3] === 'connected';
    // The sentinels command the same, but they may take more than a minute to notice that they have to.
    if (port !== server.port) await server.command('REPLICAOF', LOOPBACK, Number(port));
    return false;
  });
  await eventually('the sentinels know the replica', () => allKnow(sentinels, 'num-slaves', '1'));
}
