/** A site of real server processes in one: each with its own sockets, positions and log, on shared engines. */
import { createServer } from 'node:http';
import { io as connect, type Socket } from 'socket.io-client';
import { afterAll, afterEach, onTestFinished } from 'vitest';
import { createAddressOf } from '../../src/process/caller-address.ts';
import { createClock } from '../../src/clock.ts';
import { makeChange, type Happening } from '../../src/dispatch/change-delivery.ts';
import { cardOf, type Courier } from '../../src/domain/couriers/courier.ts';
import type { EventData } from '../../src/domain/deliveries/events.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { newId, type SessionId } from '../../src/domain/ids.ts';
import { followCarried } from '../../src/models/deliveries/events/carried-deliveries.ts';
import { createLinks } from '../../src/models/deliveries/links.ts';
import { openDatabase } from '../database.ts';
import { createPositionIndex } from '../../src/models/positions/position-index.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { createVault } from '../../src/models/secrets/vault.ts';
import { createStores } from '../../src/models/stores.ts';
import type { Context } from '../../src/ports/context.ts';
import type { Clock } from '../../src/ports/process.ts';
import { createNotices } from '../../src/realtime/namespaces/offers.ts';
import type { Namespace } from '../../src/realtime/protocol.ts';
import { createIo, startRealtime, type Realtime } from '../../src/realtime/server.ts';
import { defaultSettings, type Settings } from '../../src/settings.ts';
import { aCourier, aDelivery, aVendor, aMoment } from '../builders.ts';
import { patient } from '../clock.ts';
import { patienceWith, testEngines } from '../engines.ts';
import { asVendor } from '../callers.ts';
import { keptBell, keptLog, keptMetrics, keptTravel } from '../kept-ports.ts';
import { until } from '../until.ts';
import { hear } from './client.ts';
import { handedOut } from './handed-out.ts';
import { commitAlone } from '../../src/models/commit/commit-alone.ts';
import { openPort } from '../open-port.ts';

export type Site = Awaited<ReturnType<typeof openSite>>;
export type Process = Awaited<ReturnType<Site['start']>>;

/** Machine timers run; a test may set the hands forward, or let them stand but for that until it is over. */
export type ShiftedClock = Clock & { shift(ms: number): void; stand(): void };

function shiftedClock(): ShiftedClock {
  const clock = createClock();
  let shiftMs = 0;
  let stoodAt: number | null = null;
  const elapsed = (): number => (stoodAt ?? performance.now()) + shiftMs;
  const now = (): number => Math.round(performance.timeOrigin + elapsed());
  const stand = (): void => {
    stoodAt = performance.now();
    onTestFinished(() => void (stoodAt = null));
  };
  const real = { ...clock.real, now, elapsed };
  return { ...clock, now, real, shift: (ms) => void (shiftMs += ms), stand };
}

export async function openSite(name: string, change: (settings: Settings) => void = () => undefined) {
  const engines = testEngines(name);
  const log = keptLog();
  const clock = shiftedClock();
  const settings = structuredClone(defaultSettings());
  Object.assign(settings.sockets, { beaconRealMs: 3_600_000, drainPerS: 1, drainRealMs: 300 });
  Object.assign(settings.positions, { tickRealMs: 20 });
  settings.offers.ackRealMs = 30_000;
  // No balancer has to notice that a process stops.
  settings.http.leaveRealMs = 0;
  change(settings);
  const mongo = await openDatabase(name, log);
  const stores = createStores(mongo, patient(clock), settings);
  const passed = new Set<string>();
  const stopPassing = await stores.eventLog.follow(
    ({ id }) => void passed.add(id),
    () => undefined,
  );
  const credentials = handedOut(clock);
  const links = createLinks({ linkKey: 'a key for tests', deliveries: stores.deliveries, clock, settings });
  const ends = new Set<() => Promise<void>>();
  const started = new Set<Realtime>();
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    for (const end of ends) await end();
    stopPassing();
  });

  /** One more server process. `over` puts other parts into its context; `redisUrl` may lead over a proxy. */
  const start = async (over: (ctx: Context) => Partial<Context> = () => ({}), redisUrl = engines.redisUrl) => {
    const redis = await connectRedis(redisUrl, engines.keyPrefix, { log, clock }, patienceWith(redisUrl));
    const metrics = keptMetrics();
    const positions = createPositionIndex({ redis, clock, settings, metrics, log });
    await positions.start();
    const server = createServer();
    const url = await openPort(server);
    const addressOf = createAddressOf(settings.http.trustedProxies);
    const io = createIo(server, { settings, clock, log, metrics, addressOf }, redis.adapter);
    const base = {
      settings,
      addressOf,
      clock,
      log,
      metrics,
      ...stores,
      commit: commitAlone(stores.commit),
      positions,
      phones: new Map(),
      bell: keptBell(),
      travel: keptTravel(),
      credentials,
      links,
      vault: createVault(Buffer.alloc(32, 7)),
    };
    const notices = createNotices(io, base);
    // The parts that no socket message reaches.
    const rest = {} as Omit<Context, keyof typeof base | 'notices'>;
    const plain: Context = { ...base, ...rest, notices };
    const changed: Context = { ...plain, ...over(plain) };
    const carried = await followCarried({ ...changed, mongo });
    const ctx: Context = { ...changed, carried };
    const realtime = await startRealtime(ctx, io);
    started.add(realtime);
    const stop = async (): Promise<void> => {
      ends.delete(stop);
      started.delete(realtime);
      await realtime.close();
      await carried.stop();
      await positions.stop();
      await redis.close();
    };
    ends.add(stop);
    return { io, ctx, realtime, url, redis, metrics, stop };
  };

  /** A real client, connected already unless it is refused. */
  const join = (process: { url: string }, namespace: Namespace | '/', auth: object) => {
    const socket = connect(`${process.url}${namespace}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth,
    });
    sockets.push(socket);
    return hear(socket, () => until(() => [...started].every((realtime) => realtime.stats().entering === 0)));
  };

  /** The stream has told every process of these events. */
  const hasPassed = (events: readonly { readonly id: string }[]): boolean => events.every(({ id }) => passed.has(id));

  return { ...stores, log, clock, settings, credentials, links, mongo, engines, start, join, hasPassed };
}

const SYSTEM = { type: 'system', id: null } as const;

/** A delivery of a stored vendor, with its first event. */
export async function bear(site: Site, over: Parameters<typeof aDelivery>[0] = {}): Promise<Delivery> {
  const vendor = aVendor(over.vendorId === undefined ? {} : { id: over.vendorId });
  if ((await site.vendors.find(vendor.id)) === null) await site.vendors.add(vendor);
  const now = site.clock.now();
  const times = { createdAt: now, updatedAt: now, searchingAt: now, ...over.times };
  const born = aDelivery({ ...over, vendorId: vendor.id, links: site.links.make(over.dropOffs?.length ?? 1), times });
  const change = makeChange(null, born, [{ type: 'delivery.created', actor: SYSTEM }], aMoment(now));
  await commit(site, change);
  return change.after;
}

/** One more event of a delivery; the delivery as it is then. */
export async function advance(
  site: Site,
  before: Delivery,
  type: Happening['type'] = 'delivery.updated',
  sets: Partial<Delivery> = {},
  details: Partial<EventData> = {},
): Promise<Delivery> {
  const happening = { type, actor: SYSTEM, ...details } as Happening;
  const change = makeChange(before, { ...before, ...sets }, [happening], aMoment(site.clock.now()));
  await commit(site, change);
  return change.after;
}

/** The courier has it from now on. */
export async function assign(site: Site, before: Delivery, courier: Courier): Promise<Delivery> {
  const sets = { state: 'assigned', courierId: courier.id, courier: cardOf(courier) } as const;
  const at = site.clock.now();
  const happening: Happening = { type: 'courier.assigned', actor: SYSTEM, courier: sets.courier };
  const change = makeChange(before, { ...before, ...sets }, [happening], aMoment(at));
  const { version } = await site.couriers.get(courier.id);
  await commit(site, {
    ...change,
    effects: [{ kind: 'take_courier', courierId: courier.id, version, deliveryId: before.id }],
  });
  return change.after;
}

export async function storeCourier(site: Site, over: Partial<Courier> = {}): Promise<Courier> {
  const courier = aCourier(over);
  await site.couriers.add(courier, null);
  return courier;
}

async function commit(site: Site, change: Parameters<Site['commit']>[0]): Promise<void> {
  const result = await site.commit(change);
  if (!result.ok) throw new Error(`the commit was ${result.why}`);
  // A client that joins between a commit and its event gets another snapshot, which may also cover the next event.
  await until(() => site.hasPassed(change.events));
}

/** Tokens of each kind of caller, an hour long. */
export function tokensOf(site: Site) {
  const expiresAt = (): number => site.clock.real.now() + 3_600_000;
  return {
    vendor: ({ vendorId, liveMode }: Pick<Delivery, 'vendorId' | 'liveMode'>): string =>
      site.credentials.give(asVendor({ vendorId, liveMode })),
    courier: (
      { id, liveMode }: Pick<Courier, 'id' | 'liveMode'>,
      over: { expiresAt?: number; sessionId?: SessionId } = {},
    ): string =>
      site.credentials.give({
        type: 'courier',
        courierId: id,
        liveMode,
        sessionId: newId('ses'),
        expiresAt: expiresAt(),
        ...over,
      }),
    staff: (roles: ('dispatcher' | 'support')[] = ['dispatcher']): string =>
      site.credentials.give({
        type: 'staff',
        staffId: newId('stf'),
        roles,
        sessionId: newId('ses'),
        expiresAt: expiresAt(),
      }),
    /** The token of the recipient of this drop-off. */
    recipient: ({ links }: Pick<Delivery, 'links'>, stop = 1): string => site.links.tokenOf(links[stop - 1]!.id),
  };
}
