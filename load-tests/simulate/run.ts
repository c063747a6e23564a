// One run: users play a day through the real server, and the run is judged.
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../src/settings.ts';
import { cutDay, readDay, type Day } from '../day/day.ts';
import { layOnGlobe } from '../day/globe.ts';
import { createRandom } from '../random.ts';
import { createApi } from '../clients/api.ts';
import { routesOf } from '../clients/routes.ts';
import { readDecisions } from './figures/decisions.ts';
import { readMoney } from './figures/read-money.ts';
import type { Cast } from './people/cast.ts';
import { workShift, type Registered } from './people/courier.ts';
import { onboardAll } from './people/onboard.ts';
import type { RunOptions } from './options.ts';
import { startReceiver } from './people/receiver.ts';
import { makeReport, type Report } from './report.ts';
import { startProgress } from './progress.ts';
import { shareTime } from '../clients/service-time.ts';
import { settingsOf } from '../servers/server-settings.ts';
import { staffSession } from '../clients/session.ts';
import type { Session } from '../../packages/client/src/credentials.ts';
import { openStage, type Stage, type Surroundings } from '../servers/stage.ts';
import { withStreets } from '../servers/streets.ts';
import { createTally, noteSurprise, type Tally } from './people/tally.ts';
import { killServers, type Trouble } from '../servers/trouble.ts';
import { readStatus, readTruth, type TrueDelivery } from './figures/truth.ts';
import { createUsageMeter } from '../servers/usage.ts';
import { placeOrders } from './people/vendor.ts';
import { TERMINAL } from './figures/verdict.ts';
import { startWatchers } from './people/watchers.ts';
import { straightWays, streetWays, type FindWay } from './people/ways.ts';
import { createCollections, createOrderBook, type World } from './people/world.ts';

const LOOK_MS = 2000;
const STATUS_POLL_MS = 10_000;
/** The time for couriers to come online before the first order: service time, and the least machine time. */
const LEAD_MS = 120_000;
const LEAST_LEAD_REAL_MS = 4000;
/** The longest time that a day continues after the last order. */
const AFTERMATH_MS = 2 * 3_600_000;

/** Plays the day. Later problems are in the report. @throws if engines, servers or Valhalla do not start */
export async function runDay(options: RunOptions, around: Surroundings, say: (line: string) => void): Promise<Report> {
  const { streets } = options;
  if (streets === null || around.streetsUrl !== undefined) return runOnStage(options, around, say);
  return withStreets(streets, say, (streetsUrl) => runOnStage(options, { ...around, streetsUrl }, say));
}

async function runOnStage(options: RunOptions, given: Surroundings, say: (line: string) => void): Promise<Report> {
  const around = { ...given, environment: { ...routerOf(given), ...given.environment } };
  const whole = await readDay(options.day);
  const fromMin = options.fromMin ?? whole.orders[0]?.placedMin ?? 0;
  const day = cutDay(whole, fromMin, options.toMin ?? Infinity);
  if (day.origin !== undefined && options.origin !== null)
    throw new Error('the day names its place: leave out --origin');
  if (day.orders.length === 0) throw new Error('no order of the day lies between --from and --to');
  const stage = await openStage(options, around, say);
  let keepFolder = true;
  const trouble = around.trouble ?? killServers(options);
  const play = { options, around, day, fromMin, settings: settingsFor(options, around), trouble };
  try {
    const report = await playOn(stage, play, say);
    keepFolder = report.problems.length > 0;
    return report;
  } finally {
    await stage.close(keepFolder);
    if (keepFolder && stage.dir !== null) say(`logs are kept in ${stage.dir}`);
  }
}

/** The variables by which servers find the routes of the streets. */
function routerOf({ streetsUrl: url }: Surroundings): Record<string, string> {
  return url === undefined ? {} : { TRAVEL_ROUTER_URL: url, TRAVEL_ROUTER_KIND: 'valhalla' };
}

type Play = {
  readonly options: RunOptions;
  readonly around: Surroundings;
  readonly day: Day;
  /** The minute of the day at which the run begins. */
  readonly fromMin: number;
  readonly settings: Settings;
  readonly trouble: Trouble;
};

/** The settings of the servers. A server that already runs is assumed to have the defaults. */
function settingsFor({ baseUrl, set, speed }: RunOptions, { environment }: Surroundings): Settings {
  if (baseUrl !== null) return settingsOf({});
  return settingsOf({ ...process.env, ...environment, ...set, CLOCK_SCALE: String(speed) });
}

async function playOn(stage: Stage, play: Play, say: (line: string) => void): Promise<Report> {
  const { options, around, day, fromMin, settings, trouble } = play;
  const startedAt = performance.now();
  const { world, crew, staff } = await prepare(stage, play);
  const cast = await castOthers(world, options);
  const meter = createUsageMeter();
  const look = setInterval(() => meter.look(stage.pids()), LOOK_MS);
  const progress = startProgress(cast, day, say, around.isBeside !== true);
  let isOver = false;
  let isDone = false;
  try {
    const lastAt = world.toService(Math.max(...day.orders.map(({ placedMin }) => placedMin)));
    const scene = { time: world.time, lastAt, isOver: () => isOver };
    const healed = stage.fleet === null ? Promise.resolve([]) : trouble({ fleet: stage.fleet, ...scene });
    // An error of the trouble is thrown below, when the day is over.
    healed.catch(() => undefined);
    const shifts = crew.map((one) => workShift(world, one, () => isDone).catch(noteFailure(world)));
    const refused = await placeOrders(world, day.orders, `day-${Date.now()}`);
    await whenEnded(cast, lastAt + AFTERMATH_MS);
    isOver = true;
    const enginesAway = await healed;
    const played = { from: world.toService(fromMin), to: world.time.now() };
    const truth = await readTruth(world);
    await settle(cast, truth);
    meter.look(stage.pids());
    isDone = true;
    await Promise.all(shifts);
    // By now, the decisions of the last runs are written as well.
    const deliveryIds = truth.map(({ deliveryId }) => deliveryId);
    const decisions = await readDecisions(world.api, staff, deliveryIds);
    const money = stage.mongoUrl === null ? null : await readMoney(stage.mongoUrl, deliveryIds);
    return makeReport({
      options,
      day,
      cast,
      truth,
      crew,
      decisions,
      money,
      settings,
      played,
      refused,
      usage: meter.result(),
      enginesAway,
      kills: stage.fleet?.outages ?? [],
      crashes: stage.fleet?.crashes ?? [],
      startedAt,
    });
  } finally {
    isOver = true;
    isDone = true;
    clearInterval(look);
    progress.stop();
    cast.watchers.close();
    await cast.receiver.close();
  }
}

/** Starts all participants except the couriers: the vendor's webhook receiver and the readers of sockets. */
async function castOthers(world: World, { recipients }: RunOptions): Promise<Cast> {
  const receiver = await startReceiver();
  const { secret } = await world.api.call<{ secret: string }>('POST', '/webhooks', {
    token: world.vendor.key,
    body: { url: receiver.url, events: ['*'] },
  });
  receiver.trust(secret);
  return { world, receiver, watchers: startWatchers(world, recipients) };
}

/** Onboards the couriers and sets the clock, so that the day's first minute is a little ahead. */
async function prepare(
  stage: Stage,
  { options, around, day, fromMin }: Play,
): Promise<{ world: World; crew: Registered[]; staff: Session }> {
  const tally = createTally();
  const api = createApi(stage.addresses, tally.onServerError);
  const time = await shareTime(() => api.call('GET', '/healthz'));
  const staff = staffSession(api, stage.facts.staff);
  const crew = await onboardAll(api, staff, day.couriers);
  const zero = time.now() + Math.max(LEAD_MS, LEAST_LEAD_REAL_MS * time.scale);
  const world: World = {
    api,
    time,
    tally,
    random: createRandom(options.seed),
    parameters: day.parameters,
    place: layOnGlobe(day, options.origin ?? stage.facts.center),
    findWay: waysOf(day, options, around.streetsUrl, tally),
    asksForQuotes: around.streetsUrl !== undefined,
    // Shifts that started before the first order start with the run.
    toService: (minute) => zero + (minute - fromMin) * 60_000,
    orders: createOrderBook(),
    vendor: { key: stage.facts.vendor.api_key },
    acceptance: options.acceptance,
    collected: createCollections(tally),
  };
  return { world, crew, staff };
}

function waysOf({ parameters }: Day, { seed }: RunOptions, streetsUrl: string | undefined, tally: Tally): FindWay {
  const straight = straightWays(parameters.metresPerMin);
  if (streetsUrl === undefined) return straight;
  return streetWays(routesOf(streetsUrl), seed, (...leg) => {
    noteSurprise(tally, 'no way along streets');
    return straight(...leg);
  });
}

/**
 * Waits until every delivery has ended, or the time has run out. The vendor's socket reports the ends, and REST is
 * asked regularly.
 */
async function whenEnded({ world, watchers }: Cast, until: number): Promise<void> {
  const ended = new Set<string>();
  let askAt = performance.now() + STATUS_POLL_MS;
  for (;;) {
    const open = world.orders
      .all()
      .filter(({ deliveryId }) => !watchers.ended.has(deliveryId) && !ended.has(deliveryId));
    if (open.length === 0 || world.time.now() > until) return;
    if (performance.now() > askAt) {
      for (const { deliveryId } of open) {
        if (TERMINAL.includes(await readStatus(world, deliveryId))) ended.add(deliveryId);
      }
      askAt = performance.now() + STATUS_POLL_MS;
    }
    await pause(200);
  }
}

const SETTLE_MS = 30_000;
/** Beacons come every 5 s. After the next one, a socket has asked for the events that it missed. */
const BEACON_MS = 6000;

/** Waits for webhooks in flight and for readers who have to ask for events. */
async function settle({ receiver }: Cast, truth: readonly TrueDelivery[]): Promise<void> {
  const eventIds = truth.flatMap(({ events }) => events.map(({ id }) => id));
  const started = performance.now();
  const areThrough = (): boolean => eventIds.every((id) => receiver.events.has(id));
  while (performance.now() < started + SETTLE_MS && (!areThrough() || performance.now() < started + BEACON_MS)) {
    await pause(100);
  }
}

function noteFailure({ tally }: World): (error: unknown) => void {
  return (error) => noteSurprise(tally, `a courier gave up: ${error instanceof Error ? error.message : String(error)}`);
}
