// One run: a vendor changes deliveries, and readers get the events, while servers and Redis are killed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../clients/api.ts';
import { shareTime } from '../clients/service-time.ts';
import { openKillableEngines, type KillableEngines } from '../engines/killable-engines.ts';
import { planFaults } from '../plan-faults.ts';
import { createRandom } from '../random.ts';
import { startFleet, type Fleet } from '../servers/fleet.ts';
import { changeAll, createDeliveries, lastOf } from './changes.ts';
import { startControl, type Control } from './control.ts';
import type { Fault, SocketsOptions } from './options.ts';
import { readAsVendor, readPages, type Kept } from './readers.ts';
import { judge, type Facts, type SocketsReport } from './report.ts';

/** How long a killed Redis stays away; machine time. */
const REDIS_DOWN_MS = 1000;
/** Events that are under way at the end reach the readers in this time. A beacon, which comes every 5 s, is part of the way. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 200;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Plays the run. Other problems are in the report. If the run is interrupted, it stops its servers and engines.
 * @param mongoUrl a running MongoDB; null starts one
 * @throws if engines or servers do not start or do not come back
 */
export async function runSockets(
  options: SocketsOptions,
  mongoUrl: string | null,
  say: (line: string) => void,
): Promise<SocketsReport> {
  const dir = await mkdtemp(join(tmpdir(), 'chaos-sockets-'));
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const one of started.splice(0).toReversed()) await one.stop();
  };
  const end = (): void => void stop().finally(() => process.exit(130));
  for (const name of SIGNALS) process.once(name, end);
  let isGood = false;
  try {
    const engines = await openKillableEngines(dir, mongoUrl, say);
    started.push(engines);
    const fleet = await startFleet({ servers: options.servers, dir, ...engines, scale: 1, environment: {} });
    started.push(fleet);
    const control = await startControl(engines.redisUrl, options.servers);
    started.push(control);
    const report = judge(await play({ engines, fleet, control, say }, options));
    isGood = report.problems.length === 0;
    return report;
  } finally {
    await stop();
    for (const name of SIGNALS) process.off(name, end);
    if (isGood) await rm(dir, { recursive: true, force: true });
    else say(`logs are kept in ${dir}`);
  }
}

type Stage = {
  readonly engines: KillableEngines;
  readonly fleet: Fleet;
  readonly control: Control;
  readonly say: (line: string) => void;
};

async function play(stage: Stage, options: SocketsOptions): Promise<Facts> {
  const { engines, fleet, control, say } = stage;
  const place = { ...engines, prefix: '' };
  const serverErrors: string[] = [];
  const onServerError = (what: string): void => void serverErrors.push(what);
  const api = createApi(fleet.addresses, onServerError);
  const time = await shareTime(() => api.call('GET', '/healthz'));
  const deliveryIds = await createDeliveries(api, fleet, options.deliveries);
  const first = await lastOf(place, deliveryIds);
  const around = { api, time, onServerError };
  const lagMs: number[] = [];
  const key = fleet.facts.vendor.api_key;
  const vendors = await readAsVendor(around, key, options.servers, (ms) => void lagMs.push(ms));
  const pages = await readPages(around, key, deliveryIds);
  say(`${deliveryIds.length} deliveries are there, and their readers are connected`);
  const startedAt = performance.now();
  const [changes, made] = await Promise.all([
    changeAll(api, key, deliveryIds, options, () => control.publish()),
    makeFaults(stage, options),
  ]);
  const last = await lastOf(place, deliveryIds);
  await whenRead([vendors, pages], last);
  const wallS = (performance.now() - startedAt) / 1000;
  vendors.close();
  pages.close();
  const logged = deliveryIds.reduce((sum, id) => sum + (last.get(id) ?? 0) - (first.get(id) ?? 0), 0);
  return {
    options,
    ...changes,
    logged,
    vendors: vendors.count(last),
    pages: pages.count(last),
    control: control.count(),
    lagMs,
    made,
    crashes: fleet.crashes,
    serverErrors,
    wallS,
  };
}

/** Makes the planned faults, each after the last one has healed. Faults that come too late are left out. */
async function makeFaults(
  { engines, fleet, control, say }: Stage,
  { events, rate, faults, seed, servers }: SocketsOptions,
): Promise<Facts['made']> {
  const lengthMs = (events * 1000) / rate;
  const random = createRandom(seed + 1);
  const startedAt = performance.now();
  let redisKills = 0;
  const strike: Record<Fault, () => Promise<unknown>> = {
    'server-kills': () => {
      const index = Math.floor(random.between(0, servers));
      return Promise.all([fleet.kill(index), control.kill(index)]);
    },
    'redis-kills': async () => {
      redisKills += 1;
      await engines.killRedis();
      await pause(REDIS_DOWN_MS);
      await engines.startRedis(redisKills % 2 === 1 ? 'as it was' : 'empty');
    },
  };
  const made: Facts['made'][number][] = [];
  for (const { fault, share } of planFaults(faults, seed)) {
    await pause(Math.max(0, startedAt + share * lengthMs - performance.now()));
    const from = performance.now();
    if (from - startedAt > lengthMs) break;
    await strike[fault]();
    const healedS = (performance.now() - from) / 1000;
    made.push({ fault, atS: (from - startedAt) / 1000, healedS });
    say(`${fault}, healed after ${healedS.toFixed(1)} s`);
  }
  return made;
}

/** Waits until every reader has every event, but only as long as events may be under way. */
async function whenRead(readers: readonly Kept[], last: ReadonlyMap<string, number>): Promise<void> {
  const startedAt = performance.now();
  const areThrough = (): boolean => readers.every((reader) => reader.count(last).lost === 0);
  while (performance.now() < startedAt + PATIENCE_MS && !areThrough()) await pause(LOOK_MS);
}
