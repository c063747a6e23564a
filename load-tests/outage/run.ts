// A server with a whole fleet whose Redis dies, and hangs, while couriers ping and a vendor changes deliveries.
import { setTimeout as pause } from 'node:timers/promises';
import type { CourierId } from '../../src/domain/ids.ts';
import { positionKeys } from '../../src/models/positions/position-store.ts';
import { decodePosition } from '../../src/models/positions/position-wire.ts';
import { createApi } from '../clients/api.ts';
import { inMemory, openRedisNodes, type RedisNode } from '../engines/redis-nodes.ts';
import { startCrowd, type Crowd } from '../fleet/start-crowd.ts';
import { sumOf } from '../fleet/server-metrics.ts';
import { homeOf, PING_EVERY_S, startCrewedFleet, type Where } from '../servers/crewed-fleet.ts';
import type { Fleet } from '../servers/fleet.ts';
import { leastKib, WITH_COLLECTOR } from '../servers/least-memory.ts';
import type { Member } from '../stored/crew.ts';
import { sum } from '../statistics.ts';
import { countOld, judge, type Failed, type Outage, type OutageReport } from './report.ts';

export type OutageOptions = {
  readonly couriers: number;
  /** How long couriers ping during an outage, and before it. */
  readonly seconds: number;
};

/** Every hundredth courier carries a delivery, which somebody watches. */
const CARRYING = 0.01;
const CHANGES_PER_S = 20;
/** Couriers ping for this long before Redis goes, and before it comes back. */
const TURN_AFTER_MS = 1000;
const NOTHING = (): Promise<void> => Promise.resolve();
/** The load around the moment in which Redis goes. */
const EDGE_S = PING_EVERY_S;
/** The load around the return. Each courier pings at least once after it. */
const AFTER_S = 1 + 3 * PING_EVERY_S;
const LOOK_MS = 50;
const PATIENCE_MS = 15_000;
const BYTES_PER_MB = 2 ** 20;

/**
 * Plays both outages, with a Redis of its own. The caller stops the server.
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

/** The counts of several loads, by code. */
function togetherOf(parts: readonly Failed[]): Failed {
  const codes = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries([...codes].map((code) => [code, sum(parts.map((part) => part[code] ?? 0))]));
}

type Fault = { begin(): Promise<void>; end(): Promise<void> };

async function playOutage(scene: Scene, fault: Fault): Promise<Outage> {
  const { fleet, crew, redis, prefix, seconds } = scene;
  const before = await load(scene, seconds, NOTHING);
  const beforeMb = await heapMb(fleet);
  const atBegin = await load(scene, EDGE_S, async () => {
    await fault.begin();
    await expectAway(redis);
  });
  const during = await load(scene, seconds, NOTHING);
  const duringMb = await heapMb(fleet);
  const atEnd = await load(scene, AFTER_S, () => bringBack(scene, fault));
  const { backAt, firstWriteMs } = atEnd.turned;
  const ids = crew.map(({ courierId }) => courierId);
  const all = [before, atBegin, during, atEnd];
  return {
    grownMb: duringMb - beforeMb,
    pings: {
      acked: during.pings.acked,
      refused: sum(all.map(({ pings }) => pings.refused)),
      unanswered: sum(all.map(({ pings }) => pings.unanswered)),
    },
    positions: { frames: during.pings.frames, p99Ms: during.pings.readerMs.p99 },
    changes: { waitsMs: during.changes.waitsMs, failed: togetherOf(all.map(({ changes }) => changes.failed)) },
    longestMs: { before: Math.max(...before.changes.waitsMs), atBegin: Math.max(...atBegin.changes.waitsMs) },
    firstWriteMs,
    old: countOld(ids, await receivedIn(redis, prefix), backAt),
  };
}

/** Has couriers ping and the vendor change deliveries for this long. The turn is taken a second after they begin. */
async function load<T>(scene: Scene, seconds: number, turn: () => Promise<T>) {
  const { crowd, crew } = scene;
  const over = new AbortController();
  const [pings, changes, turned] = await Promise.all([
    crowd.work({ pingsPerS: crew.length / PING_EVERY_S, seconds, churn: 0 }).finally(() => over.abort()),
    keepChanging(scene, over.signal),
    pause(TURN_AFTER_MS).then(turn),
  ]);
  return { pings, changes, turned };
}

/** @throws Error if Redis still answers, because then nothing was measured */
async function expectAway(redis: RedisNode): Promise<void> {
  const isThere = await redis.command('PING').then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error('Redis still answers, although it was taken away');
}

/** Ends the fault, and waits for the first position that is newer. */
async function bringBack(
  { redis, prefix }: Scene,
  fault: Fault,
): Promise<{ readonly backAt: number; readonly firstWriteMs: number }> {
  await fault.end();
  const backAt = Date.now();
  while (Date.now() < backAt + PATIENCE_MS) {
    const received = await receivedIn(redis, prefix);
    if ([...received.values()].some((at) => at >= backAt)) return { backAt, firstWriteMs: Date.now() - backAt };
    await pause(LOOK_MS);
  }
  return { backAt, firstWriteMs: Number.NaN };
}

/** The memory of the server's JavaScript without garbage, while no courier pings. */
async function heapMb(fleet: Fleet): Promise<number> {
  for (const pid of fleet.pids().values()) await leastKib(pid);
  const answer = await fetch(`${fleet.addresses[0]}/metrics`);
  const text = await answer.text();
  const [heap, external] = [sumOf(text, 'nodejs_heap_size_used_bytes'), sumOf(text, 'nodejs_external_memory_bytes')];
  if (!answer.ok || heap === 0 || external === 0)
    throw new Error(`GET /metrics answered ${answer.status} and told no memory`);
  return (heap + external) / BYTES_PER_MB;
}

/** Changes the deliveries in turn until the signal, as their vendor. Each try that fails is counted. */
async function keepChanging({ fleet, crew }: Scene, signal: AbortSignal): Promise<Outage['changes']> {
  const api = createApi(fleet.addresses);
  const ids = crew.flatMap(({ load }) => load?.deliveryId ?? []);
  const waitsMs: number[] = [];
  const change = async (number: number): Promise<void> => {
    const sentAt = performance.now();
    const body = { drop_off: [{ instructions: `Ring ${number} times` }] };
    try {
      await api.call('PATCH', `/deliveries/${ids[number % ids.length]}`, { token: fleet.facts.vendor.api_key, body });
      waitsMs.push(performance.now() - sentAt);
    } catch {
      // The client of the API has counted it.
    }
  };
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  while (!signal.aborted) {
    sent.push(change(sent.length));
    await pause(Math.max(0, startedAt + (sent.length * 1000) / CHANGES_PER_S - performance.now()));
  }
  await Promise.all(sent);
  return { waitsMs, failed: api.failures() };
}

/** When the server received the position of each courier that Redis has, epoch ms. The newest counts after a border. */
async function receivedIn(redis: RedisNode, prefix: string): Promise<Map<string, number>> {
  const received = new Map<string, number>();
  // A Redis that has lost its data has no list of regions yet.
  for (const key of (await redis.command('KEYS', positionKeys(prefix).positions('*'))) as string[]) {
    const ids = (await redis.command('HKEYS', key)) as CourierId[];
    const rows = ids.length === 0 ? [] : ((await redis.command('HMGET', key, ...ids)) as (string | null)[]);
    for (const [index, row] of rows.entries()) {
      const id = ids[index]!;
      if (row !== null) received.set(id, Math.max(decodePosition(id, row).receivedAt, received.get(id) ?? 0));
    }
  }
  return received;
}
