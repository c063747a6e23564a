// `npm run bench:analytics [-- options]` Measures analytics on many ended deliveries: whether the answers are right, how
// long they take, and how long the roll-ups take to be counted.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mongo as mongodb } from 'mongoose';
import { createClock } from '../src/clock.ts';
import { rebuildRollUps } from '../src/dispatch/analytics/rebuild-roll-ups.ts';
import { shiftDate } from '../src/domain/analytics/range.ts';
import { newId } from '../src/domain/ids.ts';
import { startEngines } from '../src/embedded/engines.ts';
import { connectMongo } from '../src/models/connect-mongo.ts';
import { createStores } from '../src/models/stores.ts';
import { asksForHelp } from '../src/process/command-line.ts';
import { defaultSettings } from '../src/settings.ts';
import { compare, type Ask } from './analytics/check.ts';
import { DAYS, fillEndings, someLocations, type People } from './analytics/endings.ts';
import { markCounted, openPlan, type Plan } from './analytics/plan.ts';
import { judge, lastLine, ROUTES, tableOf, type AnalyticsReport, type RouteTimes } from './analytics/report.ts';
import { createApi } from './clients/api.ts';
import { staffSession } from './clients/session.ts';
import { runPlay } from './command-line.ts';
import { wholeOf } from './numbers.ts';
import { createRandom } from './random.ts';
import { startFleet, type DemoFacts, type Fleet } from './servers/fleet.ts';
import { engineChildren, readProcess } from './servers/usage.ts';
import { spreadOf } from './statistics.ts';
import { QUIET } from './quiet.ts';

const USAGE = `npm run bench:analytics -- [options]

  --deliveries N  ended deliveries, half of them of one vendor (1000000)
  --vendors N     vendors (50), each with ten locations; the first has fifty
  --couriers N    couriers (1000)
  --requests N    requests to each route, one after the other (100)
  --dir DIR       keep the database there; a second run goes on filling it, or measures again (a temporary folder)
  --json FILE     write all figures there
  --help          this text

Starts its own engines and a server, stores the deliveries, and counts them with the code of
\`operator -- rebuild-analytics\` while the server runs. The bench fails if an answer differs from a count over the
deliveries, or if a p95 exceeds 300 ms for a vendor or 1000 ms for the platform.`;

type Options = {
  readonly deliveries: number;
  readonly vendors: number;
  readonly couriers: number;
  readonly requests: number;
  readonly dir: string | null;
  readonly json: string | null;
};

/** Reads the command line. @throws Error with a sentence for the user */
export function parseOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = { deliveries: text, vendors: text, couriers: text, requests: text, dir: text, json: text };
  const { values } = parseArgs({ args: [...args], options });
  return {
    deliveries: wholeOf('deliveries', values.deliveries, 1_000_000, 1000, 10_000_000),
    vendors: wholeOf('vendors', values.vendors, 50, 1, 1000),
    couriers: wholeOf('couriers', values.couriers, 1000, 1, 100_000),
    requests: wholeOf('requests', values.requests, 100, 10, 10_000),
    dir: values.dir ?? null,
    json: values.json ?? null,
  };
}

async function play(options: Options, say: (line: string) => void): Promise<AnalyticsReport> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'bench-analytics-')));
  await mkdir(dir, { recursive: true });
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const { mongoUrl, redisUrl } = engines;
  const fleet = await startFleet({ servers: 1, dir, mongoUrl, redisUrl, scale: 1, environment: {} });
  const stop = async (): Promise<void> => {
    await fleet.stop();
    await engines.stop();
    if (options.dir === null) await rm(dir, { recursive: true, force: true });
  };
  // If the bench is interrupted, it stops its server and its engines.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  const client = await mongodb.MongoClient.connect(mongoUrl);
  try {
    const { facts } = fleet;
    const api = createApi(fleet.addresses);
    const session = staffSession(api, facts.staff);
    const ask: Ask = async (path) => api.call('GET', path, { token: await session.token() });
    const db = client.db();
    const { plan, rebuildS } = await prepare(db, mongoUrl, facts, options, say);
    const times: RouteTimes[] = [];
    const wrong = await compareAll(db, ask, plan, say);
    for (const { name, by, pathOf } of ROUTES) {
      const path = pathOf(askedIn(plan));
      times.push({
        name,
        by,
        ...(await timesOf(
          () => ask(path),
          options.requests,
          () => cpuMsOf(fleet),
        )),
      });
      say(`measured ${name} of a ${by}`);
    }
    const rows = await db.collection('roll_ups').estimatedDocumentCount();
    const ratings = await db.collection('ratings').estimatedDocumentCount();
    return judge({ deliveries: options.deliveries, ratings, rows, rebuildS, times, wrong });
  } finally {
    await client.close();
    await stop();
  }
}

/** Stores what is missing and counts it. Returns the plan of the database, and how long its rebuild took in seconds. */
async function prepare(
  db: mongodb.Db,
  mongoUrl: string,
  facts: DemoFacts,
  options: Options,
  say: (line: string) => void,
): Promise<{ readonly plan: Plan; readonly rebuildS: number }> {
  const { deliveries } = options;
  const plan = await openPlan(db, () => ({ people: peopleOf(options, facts), now: Date.now(), counted: null }), facts);
  const random = createRandom(1 + (await db.collection('deliveries').estimatedDocumentCount()));
  const ratings = await fillEndings(db, plan.people, deliveries, { random: () => random.next(), now: plan.now, say });
  say(`${ratings} ratings stored; the server counts them while the roll-ups are rebuilt`);
  const rebuildS = plan.counted?.deliveries === deliveries ? plan.counted.inS : await rebuild(mongoUrl, say);
  await markCounted(db, { deliveries, inS: rebuildS });
  while ((await db.collection('ratings').countDocuments({ state: 'due' }, { limit: 1 })) > 0) await pause(500);
  return { plan, rebuildS };
}

/** Compares two weeks of the largest vendor, of a small one and of the platform. Returns the differences. */
async function compareAll(db: mongodb.Db, ask: Ask, plan: Plan, say: (line: string) => void): Promise<string[]> {
  const today = lastDateOf(plan);
  const { vendors } = plan.people;
  const wrong: string[] = [];
  for (const [first, end] of [[-6, 1] as const, [-60, -53] as const]) {
    const range = { from: shiftDate(today, first), to: shiftDate(today, end) };
    for (const owner of [vendors[0]?.id ?? null, vendors.at(-1)?.id ?? null, null]) {
      wrong.push(...(await compare(db, ask, owner, range)));
      say(`compared ${owner ?? 'the platform'} from ${range.from}`);
    }
  }
  return wrong;
}

/** The longest range, and the largest vendor with one of its locations. */
function askedIn(plan: Plan): { span: string; vendorId: string; locationId: string } {
  const today = lastDateOf(plan);
  const [vendor] = plan.people.vendors;
  const span = `date_range=${shiftDate(today, 1 - DAYS)}/${shiftDate(today, 1)}&live_mode=false`;
  return { span, vendorId: vendor?.id ?? '', locationId: vendor?.locations[0] ?? '' };
}

function lastDateOf({ now }: Plan): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The demo's vendor is the first one, and its couriers are not used. */
function peopleOf({ vendors, couriers }: Options, facts: DemoFacts): People {
  const first = { id: facts.vendor.id as `ven_${string}`, locations: someLocations(50) };
  const others = Array.from({ length: vendors - 1 }, () => ({ id: newId('ven'), locations: someLocations(10) }));
  return { vendors: [first, ...others], couriers: Array.from({ length: couriers }, () => newId('cou')) };
}

/** Counts everything with the code of the operator's command. Returns the seconds that it took. */
async function rebuild(mongoUrl: string, say: (line: string) => void): Promise<number> {
  const mongo = await connectMongo(mongoUrl, QUIET);
  const [clock, settings] = [createClock(), defaultSettings()];
  const stores = createStores(mongo, clock, settings);
  const startedAt = performance.now();
  await rebuildRollUps({ clock, settings, ...stores }, (count) => {
    if (count % 100_000 === 0) say(`${count} deliveries counted`);
  });
  await mongo.close();
  return (performance.now() - startedAt) / 1000;
}

const WARM_UPS = 5;

async function timesOf(
  ask: () => Promise<unknown>,
  requests: number,
  cpuMs: () => number,
): Promise<Omit<RouteTimes, 'name' | 'by'>> {
  const tookMs: number[] = [];
  for (let sent = 0; sent < WARM_UPS; sent += 1) await ask();
  const cpuBefore = cpuMs();
  for (let sent = 0; sent < requests; sent += 1) {
    const startedAt = performance.now();
    await ask();
    tookMs.push(performance.now() - startedAt);
  }
  const { p50, p95 } = spreadOf(tookMs);
  return { min: Math.min(...tookMs), p50, p95, cpu: (cpuMs() - cpuBefore) / requests };
}

/** CPU of the server and of MongoDB so far, ms. NaN on a system without /proc. */
function cpuMsOf(fleet: Pick<Fleet, 'pids'>): number {
  const engines = [...engineChildren()].filter(([name]) => name.startsWith('mongod'));
  const pids = [...fleet.pids().values(), ...engines.map(([, pid]) => pid)];
  return pids.reduce((total, pid) => total + (readProcess(pid)?.cpuS ?? Number.NaN) * 1000, 0);
}

if (import.meta.main) {
  const parse = (args: readonly string[]): Options | null => (asksForHelp(args) ? null : parseOptions(args));
  await runPlay({ usage: USAGE, parse, play, tableOf, lastLine });
  // The drivers' connections would keep the process alive.
  process.exit();
}
