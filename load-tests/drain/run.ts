// One run: a server with many connections gets SIGTERM, and its clients go on to another one.
import { setTimeout as pause } from 'node:timers/promises';
import { changeAll, createDeliveries, lastOf } from '../chaos-sockets/changes.ts';
import { readAsVendor } from '../chaos-sockets/readers.ts';
import { createApi } from '../clients/api.ts';
import { shareTime } from '../clients/service-time.ts';
import { drainMs } from '../../src/realtime/connections/drain.ts';
import { createRandom } from '../random.ts';
import { CROWDED, startCrewedFleet, type Where } from '../servers/crewed-fleet.ts';
import { settingsOf } from '../servers/server-settings.ts';
import type { Fleet } from '../servers/fleet.ts';
import { connectClients, type Clients } from './clients.ts';
import { judge, type DrainReport, type Facts } from './report.ts';

export type DrainOptions = {
  readonly clients: number;
  /** How many of them follow the warning, percent. */
  readonly following: number;
  /** How long events are measured before the stop. */
  readonly quietS: number;
};

const DELIVERIES = 20;
const CHANGES_PER_S = 20;
/** Clients come back, and events that are under way arrive, in this time. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 100;

/** Plays the stop on these engines. The caller stops the servers. @throws if a server or a client does not start */
export async function runDrain(where: Where, options: DrainOptions, say: (line: string) => void): Promise<DrainReport> {
  const { fleet, crew } = await startCrewedFleet(where, { servers: 2, couriers: options.clients, carrying: 0 });
  say(`${options.clients} couriers are stored, and two servers run`);
  const tokens = crew.map(({ token }) => token);
  return judge(await play({ where, fleet, tokens, say }, options));
}

type Scene = {
  readonly where: Where;
  readonly fleet: Fleet;
  readonly tokens: readonly string[];
  readonly say: (line: string) => void;
};

async function play({ where, fleet, tokens, say }: Scene, { following, quietS }: DrainOptions): Promise<Facts> {
  const [leaving, staying] = fleet.addresses as [string, string];
  const api = createApi([staying]);
  const around = { time: await shareTime(() => api.call('GET', '/healthz')), onServerError: () => undefined };
  const key = fleet.facts.vendor.api_key;
  const deliveryIds = await createDeliveries(api, fleet, DELIVERIES);
  const lags: { readonly at: number; readonly ms: number }[] = [];
  const survivor = await readAsVendor({ ...around, api }, key, 1, (ms) => lags.push({ at: performance.now(), ms }));
  const vendors = await readAsVendor({ ...around, api: createApi([leaving, staying]) }, key, 2, () => undefined);
  const ports = { first: Number(new URL(leaving).port), next: Number(new URL(staying).port) };
  const clients = await connectClients({ tokens, ports, following, random: createRandom(1) });
  say(`${tokens.length} clients are connected`);
  const stopMs = drainMs(tokens.length, fleet.addresses.length, settingsOf(CROWDED).sockets);
  const events = Math.round((quietS + (stopMs + PATIENCE_MS) / 1000) * CHANGES_PER_S);
  const changing = changeAll(api, key, deliveryIds, { events, rate: CHANGES_PER_S }, () => undefined);
  await pause(quietS * 1000);
  const { exitCode, stoppedAt, endedAt, backAt } = await stopFirst(fleet, clients);
  await changing;
  const last = await lastOf(where, deliveryIds);
  await eventually(() => vendors.count(last).lost === 0);
  const facts = {
    withinMs: clients.withinMs(),
    left: clients.left,
    exitCode,
    endedMs: endedAt - stoppedAt,
    quietLagMs: lags.filter(({ at }) => at < stoppedAt).map(({ ms }) => ms),
    stopLagMs: lags.filter(({ at }) => at >= stoppedAt && at < backAt).map(({ ms }) => ms),
    vendors: vendors.count(last),
  };
  for (const one of [survivor, vendors, clients]) one.close();
  return facts;
}

/** Stops the first server and waits for its clients. Moments of performance.now(). */
async function stopFirst(fleet: Fleet, { left }: Clients) {
  const stoppedAt = performance.now();
  const exitCode = await fleet.end(0);
  const endedAt = performance.now();
  await eventually(() => left.every(({ backAt }) => backAt !== null));
  return { exitCode, stoppedAt, endedAt, backAt: performance.now() };
}

/** Waits until it holds, but only for as long as clients may take to come back. */
async function eventually(holds: () => boolean): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until && !holds()) await pause(LOOK_MS);
}
