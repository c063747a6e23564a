// The Redis of a run, in one of three highly available setups.
import { openRedisCluster } from '../engines/redis-cluster.ts';
import { openRedisPair } from '../engines/redis-pair.ts';
import { openRedisSentinels } from '../engines/redis-sentinels.ts';
import type { Random } from '../random.ts';

export type FailingRedis = {
  readonly url: string;
  /** Makes a replica take over from a primary, which continues as its replica. Resolves when both are well. */
  failOver(): Promise<void>;
  /** Kills a primary and makes its replica take over. Resolves when the killed one is back as a replica. */
  killPrimary(): Promise<void>;
  stop(): Promise<void>;
};

const OPENERS = { pair: openPair, sentinel: openSentinels, cluster: openCluster } as const;
export type RedisKind = keyof typeof OPENERS;
export const REDIS_KINDS = Object.keys(OPENERS) as RedisKind[];

type Opening = { readonly dir: string; readonly say: (line: string) => void; readonly random: Random };

/** Starts it below `dir`. @throws EngineError with a sentence for the user */
export function openFailingRedis(kind: RedisKind, opening: Opening): Promise<FailingRedis> {
  return OPENERS[kind](opening);
}

async function openPair({ dir, say }: Opening): Promise<FailingRedis> {
  const pair = await openRedisPair(dir, say);
  return {
    url: pair.url,
    failOver: () => pair.promote(),
    killPrimary: async () => {
      await pair.primary().kill();
      await pair.promote();
      await pair.rejoin();
    },
    stop: () => pair.stop(),
  };
}

async function openSentinels({ dir, say }: Opening): Promise<FailingRedis> {
  const sentinels = await openRedisSentinels(dir, say);
  return {
    url: sentinels.url,
    failOver: () => sentinels.failOver(),
    killPrimary: async () => {
      await sentinels.killPrimary();
      await sentinels.rejoin();
    },
    stop: () => sentinels.stop(),
  };
}

async function openCluster({ dir, say, random }: Opening): Promise<FailingRedis> {
  const cluster = await openRedisCluster(dir, say, 1);
  const anyPrimary = async () => random.pick(await cluster.primaries(), () => 1);
  return {
    url: cluster.url,
    failOver: async () => cluster.failOver(await anyPrimary()),
    killPrimary: async () => {
      const primary = await anyPrimary();
      await cluster.killPrimary(primary);
      await cluster.rejoin(primary);
    },
    stop: () => cluster.stop(),
  };
}
