// The map of dispatchers: positions that another process publishes, and dispatchers who watch their cells.
import { cellToChildren, cellToLatLng, latLngToCell } from 'h3-js';
import { setTimeout as pause } from 'node:timers/promises';
import { createClock } from '../../src/clock.ts';
import { newId, type CourierId } from '../../src/domain/ids.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { createPositionIndex } from '../../src/models/positions/position-index.ts';
import { defaultSettings } from '../../src/settings.ts';
import { openSocketIo, textFrame, type FrameClient } from '../clients/swarm.ts';
import { forEachOf } from '../pings/contenders.ts';
import { cpuNs } from '../pings/pinned.ts';
import { QUIET, UNCOUNTED } from '../quiet.ts';
import { createRandom } from '../random.ts';
import type { Place } from '../stored/core.ts';
import type { Target } from './rooms.ts';

/** The CPU time of a position on a process without a reader of it, and of a position for one dispatcher, µs. */
export type MapCosts = {
  readonly bystanderUs: number;
  /** One dispatcher for each cell. */
  readonly aloneUs: number;
  /** Many dispatchers for each cell. */
  readonly sharedUs: number;
  /** Positions of a frame, on average. */
  readonly perFrame: number;
};

export type MapOptions = {
  /** Cells with one dispatcher each. A quarter of them have `dispatchers` each in the second case. */
  readonly cells: number;
  readonly dispatchers: number;
  readonly seconds: number;
};

/** Couriers of a cell, who all move in each tick. */
export const PER_CELL = 20;
/** The most cells of a map: those of one region, so that one process publishes them together. */
export const MOST_CELLS = 49;
const SHARED = 0.25;
/** The couriers drive in circles of this radius around the middle of their cell, and this far between two fixes, metres. */
const RADIUS_M = 300;
const STEP_M = 40;
const HOME = { lat: 50.11, lng: 8.68 };
const REGION_RESOLUTION = 5;
const CELL_RESOLUTION = 7;
const AT_ONCE = 20;
const SETTLE_MS = 1000;
const WATCH_ID = 1;

/** `startsAt` is the angle of the first place, radians. */
type Courier = { readonly id: CourierId; readonly home: Coordinates; readonly startsAt: number };

export type Feed = {
  readonly cells: readonly string[];
  /** Moves all couriers of the first cells in each tick, for this time. Returns how many positions were published. */
  publish(cells: number, seconds: number): Promise<number>;
  stop(): Promise<void>;
};

/** Starts to share positions with the servers on these engines, as another server would. */
export async function startFeed({ redisUrl, prefix }: Place): Promise<Feed> {
  const settings = defaultSettings();
  const clock = createClock();
  const redis = await connectRedis(redisUrl, prefix, { log: QUIET, clock: createClock() });
  const index = createPositionIndex({ redis, clock, settings, metrics: UNCOUNTED, log: QUIET });
  await index.start();
  const random = createRandom(5);
  const region = latLngToCell(HOME.lat, HOME.lng, REGION_RESOLUTION);
  const cells = cellToChildren(region, CELL_RESOLUTION);
  const couriers = cells.map((cell) =>
    Array.from({ length: PER_CELL }, () => aCourier(cell, random.between(0, 2 * Math.PI))),
  );
  let seq = 0;
  const move = (count: number): number => {
    seq += 1;
    const at = clock.now();
    for (const { id, home, startsAt } of couriers.slice(0, count).flat()) {
      const angle = startsAt + (seq * STEP_M) / RADIUS_M;
      const place = offsetBy(home, RADIUS_M * Math.cos(angle), RADIUS_M * Math.sin(angle));
      index.put({ courierId: id, ...place, seq, at, receivedAt: at, accuracyM: 8, speedMps: 10, headingDeg: 90 });
    }
    return count * PER_CELL;
  };
  return {
    cells,
    publish: async (count, seconds) => {
      let published = 0;
      const { tickRealMs } = settings.positions;
      const timer = setInterval(() => (published += move(count)), tickRealMs);
      await pause(seconds * 1000);
      clearInterval(timer);
      return published;
    },
    stop: async () => {
      await index.stop();
      await redis.close();
    },
  };
}

function aCourier(cell: string, startsAt: number): Courier {
  const [lat, lng] = cellToLatLng(cell);
  return { id: newId('cou'), home: { lat, lng }, startsAt };
}

/** Measures the map in its cases. Dispatchers come before a case and leave after it. */
export async function measureMap(
  server: Target & { readonly staffToken: string },
  feed: Feed,
  { cells, dispatchers, seconds }: MapOptions,
): Promise<MapCosts> {
  const few = Math.max(1, Math.round(cells * SHARED));
  const restMs = await cpuMs(server.pid, () => pause(seconds * 1000));
  const measure = async (count: number) => {
    const counts = { published: 0 };
    const ms = await cpuMs(server.pid, async () => {
      counts.published = await feed.publish(count, seconds);
    });
    return { ms, ...counts };
  };
  const [many, fewer] = [await measure(cells), await measure(few)];
  const watched = async (count: number, each: number) => {
    const ears = { items: 0, frames: 0 };
    const open = await openDispatchers(server, feed.cells.slice(0, count), each, ears);
    Object.assign(ears, { items: 0, frames: 0 });
    const { ms } = await measure(count);
    for (const one of open) one.close();
    await pause(SETTLE_MS);
    return { ms, ...ears };
  };
  const alone = await watched(cells, 1);
  const shared = await watched(few, dispatchers);
  return {
    bystanderUs: ((many.ms - restMs) * 1000) / many.published,
    aloneUs: ((alone.ms - many.ms) * 1000) / alone.items,
    sharedUs: ((shared.ms - fewer.ms) * 1000) / shared.items,
    perFrame: (alone.items + shared.items) / (alone.frames + shared.frames),
  };
}

async function cpuMs(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuNs(pid);
  await work();
  return (cpuNs(pid) - before) / 1e6;
}

/** Opens so many dispatchers for each cell, and waits until each of them watches it. */
async function openDispatchers(
  { port, staffToken }: { readonly port: number; readonly staffToken: string },
  cells: readonly string[],
  each: number,
  ears: { items: number; frames: number },
): Promise<FrameClient[]> {
  const open: FrameClient[] = [];
  await forEachOf(cells.length * each, AT_ONCE, async (number) => {
    const { promise: watching, resolve } = Promise.withResolvers<void>();
    const client = await openSocketIo({
      port,
      namespace: '/admin',
      auth: { token: staffToken },
      onEvent: (json) => {
        if (!json.startsWith('["positions"')) return;
        ears.frames += 1;
        ears.items += json.split('["cou_').length - 1;
      },
      onAck: () => resolve(),
    });
    open.push(client);
    const cell = cells[Math.floor(number / each)];
    client.send(textFrame(`42/admin,${WATCH_ID}${JSON.stringify(['watch', { cells: [cell] }])}`));
    await watching;
  });
  await pause(SETTLE_MS);
  return open;
}
