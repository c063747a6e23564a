// A Redis Cluster of three primaries, each with or without a replica.
import { LOOPBACK } from './ports.ts';
import { inMemory, openRedisNodes, type NodePorts, type RedisNode } from './redis-nodes.ts';
import { eventually, isCaughtUp } from './redis-replication.ts';

export type RedisCluster = {
  /** The addresses of the three first primaries, separated by commas. */
  readonly url: string;
  readonly nodes: readonly RedisNode[];
  /** The nodes that serve slots now. */
  primaries(): Promise<readonly RedisNode[]>;
  /** Makes a replica take over from its primary, which becomes its replica. Needs replicas. */
  failOver(primary: RedisNode): Promise<void>;
  /** Kills a primary. Resolves when its replica serves its slots. Needs replicas. */
  killPrimary(primary: RedisNode): Promise<void>;
  /** Starts a killed node again. Resolves when it is a part of the cluster again. */
  rejoin(node: RedisNode): Promise<void>;
  stop(): Promise<void>;
};

const PRIMARIES = 3;
const SLOTS = 16_384;
const NODE_TIMEOUT_MS = 2_000;

/**
 * Starts the nodes below `dir` and makes a cluster of them. Resolves when every node reports a complete cluster.
 * @param replicas the number of replicas of each primary
 */
export async function openRedisCluster(
  dir: string,
  say: (line: string) => void,
  replicas: 0 | 1 = 0,
): Promise<RedisCluster> {
  const all = await openRedisNodes(dir, say);
  try {
    const names = Array.from({ length: PRIMARIES * (1 + replicas) }, (_, i) => `n${i}`);
    const nodes = await Promise.all(names.map((name) => all.start(name, clusterArgs)));
    const firsts = nodes.slice(0, PRIMARIES);
    await found(nodes);
    await Promise.all(nodes.slice(PRIMARIES).map((node, i) => replicate(node, firsts[i])));
    await eventually('every node reports a complete cluster', () => every(nodes, isWhole));
    const isPrimary = async (node: RedisNode): Promise<boolean> =>
      node.isRunning() && (await roleOf(node)) === 'master';
    const primaries = async (): Promise<readonly RedisNode[]> => {
      const are = await Promise.all(nodes.map(isPrimary));
      return nodes.filter((_, i) => are[i] === true);
    };
    const whole = (): Promise<void> =>
      eventually('three primaries serve all slots', async () => {
        const running = nodes.filter((node) => node.isRunning());
        return (await primaries()).length === PRIMARIES && (await every(running, isWhole));
      });
    return {
      url: firsts.map(({ port }) => `redis://${LOOPBACK}:${port}`).join(','),
      nodes,
      primaries,
      failOver: async (primary) => {
        await eventually(`a replica of ${primary.name} takes over`, async () => {
          if ((await roleOf(primary)) === 'slave') return isCaughtUp(primary);
          // A primary learns of its replicas from their next messages, so there may be none yet.
          const replica = await findReplica(primary, nodes);
          await replica?.command('CLUSTER', 'FAILOVER');
          return false;
        });
        await whole();
      },
      killPrimary: async (primary) => {
        await primary.kill();
        await whole();
      },
      rejoin: async (node) => {
        await node.restart();
        await eventually('the node is a part of the cluster', () => isWhole(node));
        await whole();
      },
      stop: () => all.stop(),
    };
  } catch (error) {
    await all.stop();
    throw error;
  }
}

function clusterArgs(ports: NodePorts): string[] {
  const cluster = `--cluster-enabled yes --cluster-port ${ports.busPort} --cluster-node-timeout ${NODE_TIMEOUT_MS}`;
  return [...inMemory(ports), ...cluster.split(' ')];
}

/** Gives the slots to the first three nodes and introduces all to each other. */
async function found(nodes: readonly RedisNode[]): Promise<void> {
  const [first] = nodes;
  const info = String(await first?.command('CLUSTER', 'NODES'));
  const [, busPort = ''] = /@(\d+)/.exec(info) ?? [];
  for (const [i, node] of nodes.entries()) {
    await node.command('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i < PRIMARIES) await node.command('CLUSTER', 'ADDSLOTSRANGE', slotAt(i), slotAt(i + 1) - 1);
    if (i > 0) await node.command('CLUSTER', 'MEET', LOOPBACK, first?.port ?? 0, busPort);
  }
  await eventually('every node knows the others', () =>
    every(
      nodes,
      async (node) => (await linesOf(node)).every(({ isUp }) => isUp) && (await count(node)) === nodes.length,
    ),
  );
}

function slotAt(i: number): number {
  return Math.round((SLOTS * i) / PRIMARIES);
}

async function replicate(node: RedisNode, primary: RedisNode | undefined): Promise<void> {
  await node.command('CLUSTER', 'REPLICATE', String(await primary?.command('CLUSTER', 'MYID')));
  await eventually('the replica catches up', () => isCaughtUp(node));
}

async function every(nodes: readonly RedisNode[], check: (node: RedisNode) => Promise<boolean>): Promise<boolean> {
  return (await Promise.all(nodes.map(check))).every(Boolean);
}

async function isWhole(node: RedisNode): Promise<boolean> {
  const info = String(await node.command('CLUSTER', 'INFO'));
  return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
}

async function roleOf(node: RedisNode): Promise<string> {
  const role = await node.command('ROLE');
  return Array.isArray(role) ? String(role[0]) : '';
}

async function count(node: RedisNode): Promise<number> {
  return (await linesOf(node)).length;
}

/** The view that a node has of all nodes. */
async function linesOf(
  node: RedisNode,
): Promise<readonly { readonly id: string; readonly primaryId: string; readonly isUp: boolean }[]> {
  const lines = String(await node.command('CLUSTER', 'NODES'))
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [id = '', , flags = '', primaryId = ''] = line.split(' ');
    return { id, primaryId, isUp: !/fail|handshake|noaddr/.test(flags) };
  });
}

/** The running replica of a primary, as far as the primary knows. */
async function findReplica(primary: RedisNode, nodes: readonly RedisNode[]): Promise<RedisNode | undefined> {
  const primaryId = String(await primary.command('CLUSTER', 'MYID'));
  const replica = (await linesOf(primary)).find((line) => line.primaryId === primaryId);
  const ids = await Promise.all(nodes.map(async (node) => (node.isRunning() ? node.command('CLUSTER', 'MYID') : null)));
  return nodes.find((_, i) => replica !== undefined && ids[i] === replica.id);
}
