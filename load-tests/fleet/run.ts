// Couriers who ping, readers who watch some of them, and events of what they carry, on several servers.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { createApi } from '../clients/api.ts';
import { createRandom } from '../random.ts';
import { CROWDED, homeOf, PING_EVERY_S, startCrewedFleet, type Where } from '../servers/crewed-fleet.ts';
import type { Fleet } from '../servers/fleet.ts';
import { leastKib, WITH_COLLECTOR } from '../servers/least-memory.ts';
import { settingsOf } from '../servers/server-settings.ts';
import { readProcess } from '../servers/usage.ts';
import { withCore } from '../stored/core.ts';
import type { Member } from '../stored/crew.ts';
import type { Seen } from './orders.ts';
import { judge, type Facts, type FleetReport, type Sample, type ServerFigures } from './report.ts';
import { p99Between, readState, type ServerState } from './server-metrics.ts';
import { startCrowd, type Crowd } from './start-crowd.ts';

export type FleetOptions = {
  readonly couriers: number;
  readonly readers: number;
  readonly servers: number;
  readonly seconds: number;
  /** Connections that are closed and opened again in a minute, percent. */
  readonly churn: number;
};

/** A server counts its sockets every 5 s. */
const SETTLE_MS = 6000;
const SAMPLE_MS = 5000;
/** Whatever is under way at the end reaches the readers in this time, ms. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 200;
const KIB_PER_MB = 1024;

/**
 * Plays the fleet on these engines. Missed limits are in the report. The caller stops the servers and clients.
 * @throws if a server or a client does not start
 */
export async function runFleet(where: Where, options: FleetOptions, say: (line: string) => void): Promise<FleetReport> {
  const { couriers, readers: carrying, servers } = options;
  const { fleet, crew } = await startCrewedFleet(where, {
    servers,
    couriers,
    carrying,
    environment: WITH_COLLECTOR,
  });
  say(`${couriers} couriers are stored, and ${servers} servers run`);
  const crowds = fleet.addresses.map(() => startCrowd());
  where.stopFirst(async () => crowds.forEach((crowd) => crowd.end()));
  return judge(await play({ where, fleet, crowds, crew, say }, options));
}

type Scene = {
  readonly where: Where;
  readonly fleet: Fleet;
  /** As many as servers. */
  readonly crowds: readonly Crowd[];
  readonly crew: readonly Member[];
  readonly say: (line: string) => void;
};

async function play(scene: Scene, options: FleetOptions): Promise<Facts> {
  const { fleet, crowds, say } = scene;
  const bare = await lookAt(fleet);
  await connect(scene);
  await pause(SETTLE_MS);
  const idle = await lookAt(fleet);
  say(`${idle.reduce((sum, { sockets }) => sum + sockets, 0)} connections are open`);
  const watching = watchMemory(fleet);
  const making = makeEvents(scene, options);
  const pingsPerS = options.couriers / PING_EVERY_S / crowds.length;
  const { seconds, churn } = options;
  const worked = await Promise.all(crowds.map((crowd) => crowd.work({ pingsPerS, seconds, churn })));
  await making;
  const used = watching.end();
  const loaded = await Promise.all(fleet.addresses.map(readState));
  const events = await countEvents(scene);
  await Promise.all(crowds.map((crowd) => crowd.leave()));
  await whenGone(fleet);
  const left = await lookAt(fleet);
  const servers = [...fleet.pids().keys()].map((name, index): ServerFigures => {
    const [before, during, after] = [bare[index]!, idle[index]!, left[index]!];
    return {
      name,
      connections: during.sockets,
      delayP99Ms: p99Between(during.delays, loaded[index]!.delays),
      ...used[index]!,
      bareMb: before.mb,
      idleMb: during.mb,
      leftMb: after.mb,
      left: { sockets: after.sockets, readers: after.readers, timers: Math.max(0, after.timers - before.timers) },
    };
  });
  const tickMs = settingsOf(CROWDED).positions.tickRealMs;
  return { seconds, tickMs, crowds: worked, servers, readers: options.readers, events };
}

/** The state of each server, and its memory without garbage. */
function lookAt(fleet: Fleet): Promise<(ServerState & { readonly mb: number })[]> {
  const running = [...fleet.pids().values()];
  return Promise.all(
    fleet.addresses.map(async (address, index) => {
      const mb = (await leastKib(running[index]!)) / KIB_PER_MB;
      return { ...(await readState(address)), mb };
    }),
  );
}

/**
 * Spreads the couriers over the servers, in a random order, so that the pings of those with a reader are spread over the whole
 * interval. A reader is on another server than the courier, if there are several.
 */
async function connect({ fleet, crowds, crew }: Scene): Promise<void> {
  const ports = fleet.addresses.map((address) => Number(new URL(address).port));
  const portOf = (index: number): number => ports[index % ports.length]!;
  await Promise.all(
    crowds.map(async (crowd, share) => {
      const random = createRandom(share);
      const own = [...crew.entries()]
        .flatMap((entry) => (entry[0] % crowds.length === share ? [{ entry, turn: random.next() }] : []))
        .toSorted((a, b) => a.turn - b.turn)
        .map(({ entry }) => entry);
      await crowd.connect({
        couriers: own.map(([index, { token }]) => ({ port: portOf(index), token, home: homeOf(index) })),
        readers: own.flatMap(([index, { load }]) =>
          load === null ? [] : [{ port: portOf(index + 1), token: load.trackingToken, deliveryId: load.deliveryId }],
        ),
      });
    }),
  );
}

/** Changes the note of each delivery once, evenly over the run, as its vendor. */
async function makeEvents({ fleet, crew }: Scene, { seconds }: FleetOptions): Promise<void> {
  const api = createApi(fleet.addresses);
  const loads = crew.flatMap(({ load }) => load ?? []);
  const everyMs = (seconds * 1000) / loads.length;
  const startedAt = performance.now();
  const changes = loads.map(async ({ deliveryId }, index) => {
    await pause(Math.max(0, startedAt + index * everyMs - performance.now()));
    const body = { drop_off: [{ instructions: `Ring twice (${index})` }] };
    await api.call('PATCH', `/deliveries/${deliveryId}`, { token: fleet.facts.vendor.api_key, body });
  });
  await Promise.all(changes);
}

/** Compares what the readers have with what is stored. Waits a little for events that are under way. */
async function countEvents({ where, crowds, crew }: Scene): Promise<Facts['events']> {
  const ids = crew.flatMap(({ load }) => (load === null ? [] : [load.deliveryId as DeliveryId]));
  const stored = await withCore(where, ({ parts }) => parts.deliveries.findMany(ids));
  const last = new Map<string, number>(stored.map(({ id, sequence }) => [id, sequence]));
  const dueOf = ({ deliveryId, base }: Seen): number => (last.get(deliveryId) ?? 0) - (base ?? 0);
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = (await Promise.all(crowds.map((crowd) => crowd.seen()))).flat();
    const due = seen.reduce((sum, one) => sum + dueOf(one), 0);
    const lost = seen.reduce((sum, one) => sum + Math.max(0, dueOf(one) - one.events), 0);
    const without = seen.filter((one) => dueOf(one) === 0).length;
    const delaysMs = seen.flatMap((one) => one.delaysMs);
    if (lost === 0 || performance.now() > until) return { due, lost, without, delaysMs };
    await pause(LOOK_MS);
  }
}

/** Waits until the servers have noticed that their clients have left, but not for ever. */
async function whenGone({ addresses }: Fleet): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const states = await Promise.all(addresses.map(readState));
    if (states.every(({ sockets }) => sockets === 0) || performance.now() > until) return;
    await pause(LOOK_MS);
  }
}

type Used = { readonly samples: readonly Sample[]; readonly cpuShare: number };

/** Samples the memory of the servers until the end. */
function watchMemory(fleet: Fleet): { end(): Used[] } {
  const startedAt = performance.now();
  const servers = [...fleet.pids().values()].map((pid) => ({
    pid,
    since: readProcess(pid)?.cpuS ?? 0,
    samples: [] as Sample[],
  }));
  const look = (): void => {
    const atS = (performance.now() - startedAt) / 1000;
    for (const { pid, samples } of servers) samples.push({ atS, mb: readProcess(pid)?.mb ?? 0 });
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      const wallS = (performance.now() - startedAt) / 1000;
      return servers.map(({ pid, since, samples }) => {
        return { samples, cpuShare: ((readProcess(pid)?.cpuS ?? 0) - since) / wallS };
      });
    },
  };
}
