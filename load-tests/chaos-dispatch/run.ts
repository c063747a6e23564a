// One run: deliveries, couriers and faults at the same time, watched by an independent reader and judged.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../random.ts';
import { createApi } from '../clients/api.ts';
import { onboardAll } from '../simulate/people/onboard.ts';
import { shareTime } from '../clients/service-time.ts';
import { staffSession } from '../clients/session.ts';
import { createAnswers } from './judge/answers.ts';
import { startCourier } from './people/courier.ts';
import { openKillableEngines, type KillableEngines } from '../engines/killable-engines.ts';
import { startFaults, type Fault, type Faults } from './faults/faults.ts';
import { watchLeaders, type Leaders } from './judge/leaders.ts';
import { createLedger, type Ledger } from './judge/ledger.ts';
import type { ChaosOptions } from './options.ts';
import { meetingPoints, placeNear, regionsAround } from './people/place.ts';
import { openReader, type Reader } from './judge/reader.ts';
import { makeReport, type ChaosReport } from './report.ts';
import { startServers, type Servers } from './faults/servers.ts';
import { startVendor, type Vendor } from './people/vendor.ts';
import { judgeRemains } from './judge/verdict.ts';
import { createCounts, type World } from './people/world.ts';

/** Values that a test sets: a running MongoDB, a few faults in order, and the machine ms between deliveries. */
export type Around = {
  readonly mongoUrl?: string;
  readonly plan?: readonly Fault[];
  readonly leastGapMs?: number;
};

/** The scale of service time: an offer lives 2.5 s and a search 90 s. Leases still live 3 s. */
const SCALE = 10;
/** The largest difference between the service clocks of two servers, like that of badly kept clocks; service ms. */
const SKEW_MS = 5000;
/** The number of couriers for each meeting point, which has three regions. */
const COURIERS_PER_POINT = 50;
const MOST_POINTS = 7;
/** Open deliveries for each courier. Couriers are scarce, so that leaders compete for them. */
const OPEN_PER_COURIER = 0.8;
const PROGRESS_MS = 10_000;
const LOOK_MS = 200;
/** After the last delivery has ended, open offers expire and are closed within this time; machine ms. */
const CLOSE_MS = 20_000;

type Stage = { readonly engines: KillableEngines; readonly servers: Servers; readonly dir: string };

/** Plays the run. Later problems are in the report. @throws if engines or servers do not start */
export async function runChaos(
  options: ChaosOptions,
  around: Around,
  say: (line: string) => void,
): Promise<ChaosReport> {
  const dir = await mkdtemp(join(tmpdir(), 'chaos-'));
  const engines = await openKillableEngines(dir, around.mongoUrl ?? null, say);
  let servers: Servers | null = null;
  let isGood = false;
  try {
    servers = await startServers({
      servers: options.servers,
      dir,
      mongoUrl: engines.mongoUrl,
      redisUrl: engines.redisUrl,
      scale: SCALE,
      skewMs: SKEW_MS,
      guard: (ref) => engines.guard(ref),
    });
    const report = await playOn({ engines, servers, dir }, options, around, say);
    isGood = report.problems.length === 0;
    return report;
  } finally {
    await servers?.stop();
    await engines.stop();
    if (isGood) await rm(dir, { recursive: true, force: true });
    else say(`logs are kept in ${dir}`);
  }
}

type Scene = {
  readonly world: World;
  readonly ledger: Ledger;
  readonly reader: Reader;
  readonly leaders: Leaders;
};

async function playOn(
  stage: Stage,
  options: ChaosOptions,
  around: Around,
  say: (line: string) => void,
): Promise<ChaosReport> {
  const startedAt = performance.now();
  const { scene, couriers } = await setScene(stage, options);
  const { world, ledger, reader, leaders } = scene;
  const deadline = startedAt + options.minutes * 60_000;
  const isOver = (): boolean => performance.now() > deadline;
  const plan = around.plan ?? null;
  const faults = startFaults({ ...stage, leaders, random: createRandom(options.seed + 1), counts: world.counts, plan });
  let isPlanDone = plan === null;
  void faults.done.then(() => (isPlanDone = true));
  const vendor = startVendor(world, {
    // While a plan of faults is not done, some deliveries must wait for a courier.
    isEnough: (created) => created >= options.deliveries && isPlanDone,
    mostOpen: Math.ceil(options.couriers * OPEN_PER_COURIER),
    leastGapMs: around.leastGapMs ?? 0,
    open: () => ledger.open(),
    isOver,
  });
  const progress = setInterval(() => say(progressLine(startedAt, options, scene, vendor)), PROGRESS_MS);
  try {
    await whenEnded(scene, vendor, faults, plan !== null, isOver);
    const unread = await reader.catchUp();
    const remains = await reader.remains();
    return makeReport({
      options,
      ledger,
      answers: world.answers,
      remains,
      promised: vendor.promised().length,
      findings: judgeRemains(remains, vendor.promised()),
      leaders: leaders.result(),
      counts: world.counts.all(),
      crashes: stage.servers.crashes,
      failedStarts: stage.servers.failedStarts(),
      unread,
      clock: { scale: SCALE, skewMs: SKEW_MS },
      streamFailure: reader.broken(),
      notCreated: Math.max(0, options.deliveries - vendor.promised().length),
      wallS: (performance.now() - startedAt) / 1000,
      wereLeadersHurt: Object.keys(world.counts.all()).some((what) => what.endsWith('a leader')),
    });
  } finally {
    clearInterval(progress);
    faults.stop();
    for (const courier of couriers) courier.stop();
    leaders.close();
    await reader.close();
  }
}

/** Brings the couriers online at their corners, and starts the reader and the watch on leaders. */
async function setScene(
  { engines, servers }: Stage,
  options: ChaosOptions,
): Promise<{ scene: Scene; couriers: { stop(): void }[] }> {
  const random = createRandom(options.seed);
  let turn = 0;
  const newApi = () => {
    turn += 1;
    const first = turn % servers.addresses.length;
    return createApi([...servers.addresses.slice(first), ...servers.addresses.slice(0, first)]);
  };
  const api = newApi();
  const staff = staffSession(api, servers.facts.staff);
  const time = await shareTime(() => api.call('GET', '/healthz'));
  const count = Math.min(MOST_POINTS, Math.ceil(options.couriers / COURIERS_PER_POINT));
  const points = meetingPoints(servers.facts.center, count);
  const crew = await onboardAll(
    api,
    staff,
    Array.from({ length: options.couriers }, (_, index) => ({
      id: `${index + 1}`,
      at: { x: 0, y: 0 },
      onMin: 0,
      offMin: 0,
    })),
  );
  const crewAt = (at: number) => crew.filter((_, index) => index % points.length === at);
  const world: World = {
    addresses: servers.addresses,
    time,
    random,
    answers: createAnswers(),
    counts: createCounts(),
    vendorKey: servers.facts.vendor.api_key,
    staff,
    meetings: points.map((point, at) => ({ point, crew: crewAt(at).map(({ id }) => id) })),
    newApi,
  };
  const capacities = new Map<string, number>();
  const ledger = createLedger((id) => capacities.get(id) ?? 1);
  const regions = regionsAround(points);
  const reader = await openReader(engines.mongoUrl, ledger, (offer) => leaders.heard(offer));
  for (const { id, capacity } of (await reader.remains()).couriers) capacities.set(id, capacity);
  const leaders = watchLeaders({
    redisUrl: engines.redisUrl,
    regions,
    waiting: (region, olderThanMs) => reader.searching(region, time.now() - olderThanMs * SCALE),
  });
  const couriers = points.flatMap((point, at) =>
    crewAt(at).map((one) => startCourier(world, one, placeNear(point, random))),
  );
  for (const { id } of crew) {
    await api.call('PATCH', `/couriers/${id}/status`, { token: await staff.token(), body: { status: 'online' } });
  }
  return { scene: { world, ledger, reader, leaders }, couriers };
}

/** Waits until all deliveries have ended, the faults are over and no offer is open, or until the time runs out. */
async function whenEnded(
  { ledger, reader, leaders }: Scene,
  vendor: Vendor,
  faults: Faults,
  isPlanned: boolean,
  isOver: () => boolean,
): Promise<void> {
  await vendor.done;
  if (!isPlanned) faults.stop();
  await faults.done;
  while ((ledger.open() > 0 || !leaders.isSettled()) && !isOver()) await pause(LOOK_MS);
  const deadline = performance.now() + CLOSE_MS;
  while ((await reader.openOffers()) > 0 && performance.now() < deadline) await pause(LOOK_MS);
}

function progressLine(
  startedAt: number,
  { deliveries }: ChaosOptions,
  { world, ledger }: Scene,
  vendor: Vendor,
): string {
  const { offers, assigned, openOffers } = ledger.counts();
  const faults = Object.entries(world.counts.all()).filter(([what]) => what.startsWith('fault: '));
  const breaches = ledger.breaches().reduce((sum, { count }) => sum + count, 0);
  return [
    `${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    `created ${vendor.promised().length}/${deliveries}`,
    `open ${ledger.open()}`,
    `offers ${offers} (${openOffers} open)`,
    `assigned ${assigned}`,
    `faults ${faults.reduce((sum, [, count]) => sum + count, 0)}`,
    `breaches ${breaches}`,
  ].join('  ');
}
