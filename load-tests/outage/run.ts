// A server with a whole fleet whose Redis dies, and hangs, while couriers ping and a vendor changes deliveries.
import { setTimeout as pause } from 'node:timers/promises';
import { positionKeys } from '../../src/models/positions/position-store.ts';
import { createApi } from '../clients/api.ts';
import { inMemory, openRedisNodes, type RedisNode } from '../engines/redis-nodes.ts';
import { startCrowd, type Crowd } from '../fleet/start-crowd.ts';
import { sumOf } from '../fleet/server-metrics.ts';
import { homeOf, startCrewedFleet, type Where } from '../servers/crewed-fleet.ts';
import type { Fleet } from '../servers/fleet.ts';
import { leastKib, WITH_COLLECTOR } from '../servers/least-memory.ts';
import type { Member } from '../stored/crew.ts';
import { judge, type Outage, type OutageReport } from './report.ts';

export type OutageOptions = {
  readonly couriers: number;
  /** How long couriers ping during an outage, and before it. */
  readonly seconds: number;
};

/** A courier sends a ping each 4 s, as the app does. */
const PING_EVERY_S = 4;
/** Every hundredth courier carries a delivery, which somebody watches. */
const CARRYING = 0.01;
const CHANGES_PER_S = 20;
/** Redis comes back when the couriers have pinged for so long again. */
const BACK_AFTER_MS = 1000;
/** Afterwards they ping for so long that each of them has done it twice. */
const AFTER_S = 1 + 2 * PING_EVERY_S;
const LOOK_MS = 10;
const PATIENCE_MS = 15_000;
const BYTES_PER_MB = 2 ** 20;

/**
 * Plays both outages. Redis is one of its own. The caller stops the server.
 * @throws Error if a program does not start
 */
export async function runOutage(
  place: Omit<Where, 'redisUrl'>,
  { couriers, seconds }: OutageOptions,
  say: (line: string) => void,
): Promise<OutageReport> {
  const nodes = await openRedisNodes(place.dir, say);
  place.stopFirst(() => nodes.stop());
  const redis = await nodes.start('redis', inMemory);
  const where = { ...place, redisUrl: `redis://127.0.0.1:${redis.port}` };
  const carrying = Math.ceil(couriers * CARRYING);
  const { fleet, crew } = await startCrewedFleet(where, {
    servers: 1,
    couriers,
    carrying,
    environment: WITH_COLLECTOR,
  });
  const crowd = startCrowd();
  where.stopFirst(async () => crowd.end());
  const port = Number(new URL(fleet.addresses[0]!).port);
  await crowd.connect({
    couriers: crew.map(({ token }, index) => ({ port, token, home: homeOf(index) })),
    readers: crew.flatMap(({ load }) =>
      load === null ? [] : [{ port, token: load.trackingToken, deliveryId: load.deliveryId }],
    ),
  });
  say(`${couriers} couriers and ${carrying} readers are connected`);
  const scene: Scene = { fleet, crowd, crew, redis, prefix: where.prefix, seconds };
  const dead = await playOutage(scene, { begin: () => redis.kill(), end: () => redis.restart() });
  say('Redis was dead');
  const hung = await playOutage(scene, { begin: async () => redis.freeze(), end: async () => redis.thaw() });
  say('Redis hung');
  return judge({ dead, hung });
}

type Scene = {
  readonly fleet: Fleet;
  readonly crowd: Crowd;
  readonly crew: readonly Member[];
  readonly redis: RedisNode;
  readonly prefix: string;
  readonly seconds: number;
};

type Fault = { begin(): Promise<void>; end(): Promise<void> };

async function playOutage(scene: Scene, fault: Fault): Promise<Outage> {
  const { fleet, crowd, crew, redis, prefix, seconds } = scene;
  const pingsPerS = crew.length / PING_EVERY_S;
  const work = (s: number) => crowd.work({ pingsPerS, seconds: s, churn: 0 });
  await work(seconds);
  const beforeMb = await heapMb(fleet);
  await fault.begin();
  const over = new AbortController();
  const [during, changes] = await Promise.all([
    work(seconds).finally(() => over.abort()),
    keepChanging(scene, over.signal),
  ]);
  const duringMb = await heapMb(fleet);
  const [after, { backAt, firstWriteMs }] = await Promise.all([work(AFTER_S), bringBack(scene, fault)]);
  return {
    grownMb: duringMb - beforeMb,
    pings: {
      acked: during.acked,
      refused: during.refused + after.refused,
      unanswered: during.unanswered + after.unanswered,
    },
    positions: { frames: during.frames, p99Ms: during.readerMs.p99 },
    changes,
    firstWriteMs,
    old: await countHeardBefore(redis, prefix, backAt),
  };
}

/** Ends the fault while couriers ping. */
async function bringBack(scene: Scene, fault: Fault): Promise<{ backAt: number; firstWriteMs: number }> {
  await pause(BACK_AFTER_MS);
  await fault.end();
  const backAt = Date.now();
  return { backAt, firstWriteMs: await firstWriteAfter(scene, backAt) };
}

/** The memory of the server's JavaScript without garbage, while no courier pings. */
async function heapMb(fleet: Fleet): Promise<number> {
  for (const pid of fleet.pids().values()) await leastKib(pid);
  const text = await (await fetch(`${fleet.addresses[0]}/metrics`)).text();
  const names = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'];
  return names.reduce((sum, name) => sum + sumOf(text, name), 0) / BYTES_PER_MB;
}

/** Changes the deliveries in turn until the signal, as their vendor. Each try that fails is counted. */
async function keepChanging({ fleet, crew }: Scene, signal: AbortSignal): Promise<Outage['changes']> {
  const api = createApi(fleet.addresses);
  const ids = crew.flatMap(({ load }) => load?.deliveryId ?? []);
  const waitsMs: number[] = [];
  let givenUp = 0;
  const change = async (number: number): Promise<void> => {
    const sentAt = performance.now();
    const body = { drop_off: [{ instructions: `Ring ${number} times` }] };
    try {
      await api.call('PATCH', `/deliveries/${ids[number % ids.length]}`, { token: fleet.facts.vendor.api_key, body });
      waitsMs.push(performance.now() - sentAt);
    } catch {
      givenUp += 1;
    }
  };
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  while (!signal.aborted) {
    sent.push(change(sent.length));
    await pause(Math.max(0, startedAt + (sent.length * 1000) / CHANGES_PER_S - performance.now()));
  }
  await Promise.all(sent);
  return { waitsMs, failed: api.retries() + givenUp };
}

/** How long after this time Redis knows a courier who was heard since. NaN if it takes too long. */
async function firstWriteAfter({ redis, prefix }: Scene, backAt: number): Promise<number> {
  while (Date.now() < backAt + PATIENCE_MS) {
    const newest = await Promise.all(
      (await seenKeys(redis, prefix)).map((key) => heardIn(redis, 'ZREVRANGE', key, 0, 0)),
    );
    if (newest.flat().some(([, at]) => at >= backAt)) return Date.now() - backAt;
    await pause(LOOK_MS);
  }
  return Number.NaN;
}

/** The couriers in Redis who were last heard before this time. One who has crossed a border is in two regions for a while. */
async function countHeardBefore(redis: RedisNode, prefix: string, at: number): Promise<number> {
  const heardAt = new Map<string, number>();
  for (const key of await seenKeys(redis, prefix))
    for (const [courier, one] of await heardIn(redis, 'ZRANGE', key, 0, -1))
      heardAt.set(courier, Math.max(one, heardAt.get(courier) ?? 0));
  return [...heardAt.values()].filter((one) => one < at).length;
}

/** The sets of when couriers were heard. A Redis that has lost its data has no list of regions yet. */
async function seenKeys(redis: RedisNode, prefix: string): Promise<string[]> {
  return (await redis.command('KEYS', positionKeys(prefix).seen('*'))) as string[];
}

/** A range of couriers, each with the time when they were last heard. */
async function heardIn(redis: RedisNode, ...range: readonly (string | number)[]): Promise<[string, number][]> {
  const pairs = (await redis.command(...range, 'WITHSCORES')) as [string, string][];
  return pairs.map(([courier, score]) => [courier, Number(score)]);
}
