// `npm run bench:nearest [-- options]` Measures how long the search for the nearest couriers takes, and whether it is exact.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createClock } from '../src/clock.ts';
import type { Position } from '../src/domain/couriers/position.ts';
import { distanceM, offsetBy, type Coordinates } from '../src/domain/geo/geo.ts';
import { newId, type CourierId } from '../src/domain/ids.ts';
import { connectRedis, type RedisConnections } from '../src/engines/redis/redis.ts';
import { createPositionIndex } from '../src/models/positions/position-index.ts';
import type { Near, PositionIndex } from '../src/ports/dispatch/positions.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { defaultSettings } from '../src/settings.ts';
import { lastLineOf, runPlay } from './command-line.ts';
import { withOwnEngines } from './engines/own-engines.ts';
import { wholeOf } from './numbers.ts';
import { countRedis } from './pings/redis-info.ts';
import { QUIET, UNCOUNTED } from './quiet.ts';
import { createRandom, type Random } from './random.ts';
import { spreadOf, type Spread } from './statistics.ts';

const USAGE = `npm run bench:nearest -- [options]

  --couriers N  couriers of a city (100000)
  --searches N  searches in each city (300)
  --json FILE   write all figures there
  --help        this text

Starts its own engines and fills two cities, one of 40 km and one of 12 km on each side. One courier in ten is wanted. The
bench looks for the 20 nearest of them within 5 km of random places: in the index of Redis, as a process does that does not hear
the couriers, and in memory, as the leader of a region does. The bench fails if a result differs from that of a look at every
courier, if the searches in Redis are too slow, or if a search in memory costs over 0.3 of one in Redis.`;

type Options = { readonly couriers: number; readonly searches: number; readonly json: string | null };

/** The side of a city in km, and the most that 95 % of the searches may take, ms. */
const CITIES = [
  { km: 40, mostMs: 20 },
  { km: 12, mostMs: 40 },
] as const;
const CENTER = { lat: 52.52, lng: 13.405 };
const MOST_M = 5000;
const ENOUGH = 20;
const ONE_IN = 10;
/** The most that a search in memory may cost, as a share of the CPU time of one in Redis, both processes counted. */
const MOST_SHARE = 0.3;
/** Longer than the bench takes, so that every courier stays present. */
const LEASE_MS = 3_600_000;

export type City = {
  readonly km: number;
  /** The limit of the p95, ms. */
  readonly mostMs: number;
  readonly ms: Spread;
  /** CPU time of a search in Redis and of one in memory, µs. */
  readonly redisUs: number;
  readonly memoryUs: number;
  /** Searches of either kind whose result was wrong. */
  readonly wrong: number;
};
type Report = { readonly cities: readonly City[]; readonly problems: readonly string[] };

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { couriers: text, searches: text, json: text } });
  return {
    couriers: wholeOf('couriers', values.couriers, 100_000, 1, 1_000_000),
    searches: wholeOf('searches', values.searches, 300, 1, 100_000),
    json: values.json ?? null,
  };
}

/** Fills each city and searches in it. */
export async function measure(
  redisUrl: string,
  { couriers, searches }: Pick<Options, 'couriers' | 'searches'>,
  say: (line: string) => void,
): Promise<Report> {
  const cities: City[] = [];
  for (const { km, mostMs } of CITIES) {
    const redis = await connectRedis(redisUrl, `nearest-${km}:`, { log: QUIET, clock: createClock() });
    try {
      cities.push(await searchCity(redis, redisUrl, { km, mostMs, couriers, searches }));
      say(`${km} km: searched`);
    } finally {
      await redis.close();
    }
  }
  return { cities, problems: cities.flatMap(problemsOf) };
}

async function searchCity(
  redis: RedisConnections,
  redisUrl: string,
  { km, mostMs, couriers, searches }: Pick<Options, 'couriers' | 'searches'> & Pick<City, 'km' | 'mostMs'>,
): Promise<City> {
  const random = createRandom(km);
  const somewhere = (): Coordinates => placeIn(random, km);
  const defaults = defaultSettings();
  const settings = { ...defaults, presence: { ...defaults.presence, leaseMs: LEASE_MS } };
  const clock = createClock();
  const index = createPositionIndex({ redis, clock, settings, metrics: UNCOUNTED, log: QUIET });
  await index.start();
  const all = Array.from({ length: couriers }, () => positionAt(somewhere(), clock.now()));
  for (const position of all) index.put(position);
  const isFilled = async (): Promise<boolean> =>
    (await redis.commands.hlen(`${redis.prefix}whereabouts`)) === couriers &&
    (await index.find(all.at(-1)!.courierId)) !== null;
  while (!(await isFilled())) await clock.real.sleep(100);
  const wanted = all.filter((_, at) => at % ONE_IN === 0);
  const places = Array.from({ length: searches }, somewhere);
  const right = places.map((place) => lookAtAll(wanted, place));
  const ids = new Set(wanted.map(({ courierId }) => courierId));
  const times: number[] = [];
  const inRedis = await costOf(redisUrl, places, async (place) => {
    const began = performance.now();
    const found = await searchRedis(index, ids, place);
    times.push(performance.now() - began);
    return found;
  });
  const inMemory = await costOf(redisUrl, places, (place) => searchMemory(index, ids, place));
  await index.stop();
  const wrong = [inRedis, inMemory].flatMap(({ found }) => found.filter((near, at) => !isEqual(near, right[at] ?? [])));
  return { km, mostMs, ms: spreadOf(times), redisUs: inRedis.us, memoryUs: inMemory.us, wrong: wrong.length };
}

/** Runs the searches. Returns their results, and the CPU time of one in this process and in Redis, µs. */
async function costOf(
  redisUrl: string,
  places: readonly Coordinates[],
  search: (place: Coordinates) => Promise<readonly Near[]> | readonly Near[],
): Promise<{ readonly found: readonly (readonly Near[])[]; readonly us: number }> {
  const [before, since] = [await countRedis(redisUrl), process.cpuUsage()];
  const found: (readonly Near[])[] = [];
  for (const place of places) found.push(await search(place));
  const { user, system } = process.cpuUsage(since);
  const redisUs = ((await countRedis(redisUrl)).cpuS - before.cpuS) * 1e6;
  return { found, us: (user + system + redisUs) / places.length };
}

async function searchRedis(
  index: PositionIndex,
  ids: ReadonlySet<CourierId>,
  place: Coordinates,
): Promise<readonly Near[]> {
  const choose = (asked: readonly CourierId[]) => Promise.resolve(new Set(asked.filter((id) => ids.has(id))));
  const found = await index.nearest(place, { mostM: MOST_M, enough: ENOUGH, choose });
  if (found === null) throw new Error('Redis did not answer');
  return found;
}

/** The nearest couriers in memory: all within a ring are known when the next one has been read. */
function searchMemory(index: PositionIndex, ids: ReadonlySet<CourierId>, place: Coordinates): readonly Near[] {
  const near: Near[] = [];
  let certainM = 0;
  for (const { withinM, positions } of index.around(place, MOST_M)) {
    for (const position of positions) {
      if (ids.has(position.courierId)) near.push({ courierId: position.courierId, awayM: distanceM(position, place) });
    }
    if (near.filter(({ awayM }) => awayM <= certainM).length >= ENOUGH) break;
    certainM = withinM;
  }
  return near.sort((a, b) => a.awayM - b.awayM).slice(0, ENOUGH);
}

function lookAtAll(wanted: readonly Position[], place: Coordinates): readonly Near[] {
  const near = wanted.map((position) => ({ courierId: position.courierId, awayM: distanceM(position, place) }));
  return near
    .filter(({ awayM }) => awayM <= MOST_M)
    .sort((a, b) => a.awayM - b.awayM)
    .slice(0, ENOUGH);
}

/** Says whether the distances are the same within 1 m. Couriers who are equally far may change places. */
function isEqual(found: readonly Near[], right: readonly Near[]): boolean {
  return (
    found.length === right.length && found.every(({ awayM }, at) => Math.abs(awayM - (right[at]?.awayM ?? NaN)) < 1)
  );
}

/** Names the limits that a city missed, and how many of its searches were wrong. */
export function problemsOf({ km, mostMs, ms, redisUs, memoryUs, wrong }: City): string[] {
  return [
    ...(wrong > 0 ? [`${wrong} searches in the city of ${km} km were wrong`] : []),
    ...(ms.p95 > mostMs ? [`${km} km: p95 ${ms.p95.toFixed(1)} ms, at most ${mostMs} ms wanted`] : []),
    ...(memoryUs > MOST_SHARE * redisUs
      ? [`${km} km: memory costs ${(memoryUs / redisUs).toFixed(2)} of Redis, at most ${MOST_SHARE} wanted`]
      : []),
  ];
}

function placeIn(random: Random, km: number): Coordinates {
  const side = (): number => (random.next() - 0.5) * km * 1000;
  return offsetBy(CENTER, side(), side());
}

function positionAt(place: Coordinates, at: number): Position {
  return { courierId: newId('cou'), ...place, seq: 1, at, receivedAt: at, accuracyM: 5, speedMps: 0, headingDeg: 0 };
}

function tableOf({ cities }: Report): string[] {
  const head = 'city     p50 ms  p95 ms  max ms   CPU in Redis µs   CPU in memory µs   share   wrong';
  const rows = cities.map(({ km, ms, redisUs, memoryUs, wrong }) =>
    [
      `${km} km`.padEnd(8),
      ...[ms.p50, ms.p95, ms.max].map((each) => each.toFixed(1).padStart(6)),
      redisUs.toFixed(0).padStart(15),
      memoryUs.toFixed(0).padStart(17),
      (memoryUs / redisUs).toFixed(2).padStart(8),
      String(wrong).padStart(6),
    ].join('  '),
  );
  return [head, ...rows];
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  const play = (options: Options, say: (line: string) => void): Promise<Report> =>
    withOwnEngines('bench-nearest-', ({ redisUrl }) => measure(redisUrl, options, say));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine: ({ problems }) => lastLineOf(problems) });
  process.exit();
}
