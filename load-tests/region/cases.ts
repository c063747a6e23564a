// Runs one case after the other on the same engines. The crowd only grows, and each case makes its own searches.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { openCore } from '../../src/core.ts';
import type { EngineUrls } from '../../src/process/open-engines.ts';
import type { KeptChain } from '../../src/dispatch/match/carry-over.ts';
import { prepareRun, readAnswer } from '../../src/dispatch/regions/run/plan.ts';
import { startMatcher, type Matcher } from '../../src/dispatch/regions/matcher.ts';
import { watchOffers } from '../../src/dispatch/regions/watch-offers.ts';
import type { RunInput } from '../../src/dispatch/regions/run/run-input.ts';
import { readRegion, type Memory } from '../../src/dispatch/regions/read-region.ts';
import { regionOf, regionAndNeighbours } from '../../src/domain/geo/geo.ts';
import type { CourierId } from '../../src/domain/ids.ts';
import type { Notices } from '../../src/ports/offers.ts';
import { defaultSettings } from '../../src/settings.ts';
import { spreadOf, type Spread } from '../statistics.ts';
import type { Fed } from './feed.ts';
import { addCouriers, addSearches, removeSearches, type Crowd } from './fill.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { QUIET } from '../quiet.ts';

/** All times in ms. */
export type CaseResult = {
  readonly couriers: number;
  readonly deliveries: number;
  /** The number of couriers that the matcher read. */
  readonly chosen: number;
  /** The first read and the first whole run of a process that has just taken over the region. Null: the run got no plan. */
  readonly firstReadMs: number;
  readonly firstRunMs: number | null;
  /** Runs, among them the first, that got no plan. They count only as reads. */
  readonly unplanned: number;
  readonly readMs: Spread;
  readonly runMs: Spread;
  /** The longest time that the event loop was blocked in each read, each whole run, and each second without a run. */
  readonly readStallMs: Spread;
  readonly runStallMs: Spread;
  readonly restStallMs: Spread;
};

type Case = { readonly couriers: number; readonly deliveries: number; readonly runs: number };

/** Somewhere in Berlin. */
const HOME = { lat: 52.52, lng: 13.405 };
const STALL_RESOLUTION_MS = 1;
const REST_MS = 1000;
/** The share of courier documents that change between two runs. Each courier changes every three minutes. */
const CHANGED_SHARE = 1 / 180;

const NOBODY_LISTENS: Notices = {
  offerNew: () => Promise.resolve(true),
  offerWithdrawn: () => {},
  isConnected: () => Promise.resolve(true),
  alarm: () => {},
  hint: () => {},
};

/** Starts the process that feeds positions, and returns the player of cases. */
export async function startCases(engines: EngineUrls, fixSeconds: number) {
  const region = regionOf(HOME, defaultSettings().dispatch.regionResolution);
  const crowd: Crowd = { couriers: [], places: [] };
  const feeder = fork(join(import.meta.dirname, 'feed.ts'), [engines.redisUrl, String(fixSeconds)]);
  const play = async (wanted: Case): Promise<CaseResult> => {
    // Each case has its own core, like a process that has not led this region.
    const core = await openCore(readConfig({}), engines, QUIET);
    await core.positions.start();
    const matcher = startMatcher(core.parts);
    try {
      const now = core.parts.clock.now();
      const from = crowd.couriers.length;
      await addCouriers(core.mongo, crowd, { count: wanted.couriers, region, now });
      await removeSearches(core.mongo);
      await addSearches(core.mongo, { count: wanted.deliveries, region, now });
      feed(feeder, crowd, from);
      // A process that takes a region over has heard everybody who is present.
      await pause(core.parts.settings.presence.leaseMs + fixSeconds * 1000);
      const ctx = { ...core.parts, notices: NOBODY_LISTENS, matcher };
      return await playRounds(ctx, region, wanted, (round) => changeSome(core.mongo, crowd, round));
    } finally {
      await matcher.stop();
      await core.positions.stop();
      await core.close();
    }
  };
  return { play, stop: () => Promise.resolve(void feeder.kill()) };
}

type Needs = Awaited<ReturnType<typeof openCore>>['parts'] & { readonly notices: Notices; readonly matcher: Matcher };

/** A read, and the run that it was part of, unless that got no plan. */
type Round = { readonly read: Timed<RunInput>; readonly planned: readonly Timed<unknown>[] };

/** Makes a first run and then several others. In the second between two runs, couriers move and change. */
async function playRounds(
  ctx: Needs,
  region: string,
  { deliveries, runs }: Case,
  change: (round: number) => Promise<void>,
): Promise<CaseResult> {
  const offers = watchOffers(ctx, () => {});
  const memory: Memory = { recent: new Map(), elsewhere: [], candidates: [] };
  const read = () => readRegion(ctx, region, offers, memory);
  let kept: readonly KeptChain[] = [];
  const run = async (round: number): Promise<Round> => {
    const whole = await timed(async () => {
      const reading = await timed(read);
      const prepared = prepareRun(reading.value, kept, round);
      // On a busy machine, a plan may take too long for the server. The read is measured anyway.
      const answer = await ctx.matcher.answer(prepared.request).catch(() => null);
      if (answer !== null) {
        readAnswer(reading.value, prepared, answer);
        kept = answer.kept;
      }
      return { reading, isPlanned: answer !== null };
    });
    const { reading, isPlanned } = whole.value;
    return { read: reading, planned: isPlanned ? [whole] : [] };
  };
  const first = await run(0);
  const later: Round[] = [];
  const rests: number[] = [];
  for (let round = 1; round <= runs; round += 1) {
    const rest = await timed(async () => {
      await change(round);
      await pause(REST_MS);
    });
    rests.push(rest.stallMs);
    later.push(await run(round));
  }
  const planned = later.flatMap((one) => one.planned);
  return {
    couriers: (await ctx.positions.listPresent(regionAndNeighbours(region))).length,
    deliveries,
    chosen: first.read.value.couriers.length,
    firstReadMs: first.read.ms,
    firstRunMs: first.planned[0]?.ms ?? null,
    unplanned: [first, ...later].filter((one) => one.planned.length === 0).length,
    readMs: spreadOf(later.map(({ read: one }) => one.ms)),
    runMs: spreadOf(planned.map(({ ms }) => ms)),
    readStallMs: spreadOf(later.map(({ read: one }) => one.stallMs)),
    runStallMs: spreadOf(planned.map(({ stallMs }) => stallMs)),
    restStallMs: spreadOf(rests),
  };
}

const FED_AT_ONCE = 10_000;

function feed(feeder: ChildProcess, { couriers, places }: Crowd, from: number): void {
  for (let start = from; start < couriers.length; start += FED_AT_ONCE) {
    const end = start + FED_AT_ONCE;
    const ids: CourierId[] = couriers.slice(start, end).map(({ id }) => id);
    feeder.send({ ids, places: places.slice(start, end) } satisfies Fed);
  }
}

/** Gives some couriers a new version, as commits do all the time. */
async function changeSome(
  mongo: Awaited<ReturnType<typeof openCore>>['mongo'],
  { couriers }: Crowd,
  round: number,
): Promise<void> {
  const count = Math.ceil(couriers.length * CHANGED_SHARE);
  const ids = Array.from({ length: count }, (_, i) => couriers[(round * count + i) % couriers.length]?.id ?? '');
  await mongo.collection(COURIERS).updateMany({ _id: { $in: ids } }, { $inc: { version: 1 } });
}

type Timed<T> = { readonly value: T; readonly ms: number; readonly stallMs: number };

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const loop = monitorEventLoopDelay({ resolution: STALL_RESOLUTION_MS });
  loop.enable();
  // Waits for one turn of the loop, so that the sampling timer runs before the work begins.
  await pause(STALL_RESOLUTION_MS);
  loop.reset();
  const startedAt = performance.now();
  const value = await work();
  const ms = performance.now() - startedAt;
  await pause(STALL_RESOLUTION_MS);
  loop.disable();
  return { value, ms, stallMs: loop.max / 1e6 };
}
