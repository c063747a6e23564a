import type { Server as HttpServer } from 'node:http';
import { createAdapter, createShardedAdapter } from '@socket.io/redis-adapter';
import { Server } from 'socket.io';
import { newId } from '../domain/ids.ts';
import { presentRefusal, Refusal } from '../domain/refusals.ts';
import type { Context } from '../ports.ts';
import type { Settings } from '../settings.ts';
import { startAdmin } from './admin-socket.ts';
import { isOver } from './auth.ts';
import { createCarried } from './carried.ts';
import { connectedCouriers, startCourier } from './courier-socket.ts';
import { drain } from './drain.ts';
import { closeEnded } from './ended.ts';
import { Holds } from './holds.ts';
import type { Parts } from './parts.ts';
import { createPositionFeed } from './positions.ts';
import type { Namespace } from './protocol.ts';
import { Readers } from './readers.ts';
import { Relay } from './relay.ts';
import { createReplay } from './replay.ts';
import { socketsOf, type SocketNamespace, type SocketServer } from './sockets.ts';
import { startTrack } from './track-socket.ts';
import { startVendor } from './vendor-socket.ts';

/** Two connections to one Redis, made where Redis is known; `channels` begins every channel. */
export type AdapterConnections = {
  readonly pub: unknown;
  readonly sub: unknown;
  readonly isSharded: boolean;
  readonly channels: string;
};

export type RealtimeStats = {
  readonly sockets: Readonly<Record<Namespace, number>>;
  /** Connections that have joined and are still told what was before. */
  readonly entering: number;
  readonly catchingUp: number;
  readonly positions: { readonly readers: number; readonly stale: number; readonly frames: number };
};

export type Realtime = {
  /** Tells clients to go elsewhere and closes them in slices, couriers first; lets nobody in any more. */
  drain(): Promise<void>;
  close(): Promise<void>;
  stats(): RealtimeStats;
};

type MakeAdapter = (nsp: SocketNamespace) => SocketNamespace['adapter'];

/** How often sessions, presence and slow readers are looked at, machine time: half of the least presence lease. */
const SWEEPS_PER_LEASE = 2;

/** Whether a server lets connections in: not before it is ready, and not while it drains. */
const doors = new WeakMap<SocketServer, { isOpen: boolean }>();

/** The Socket.IO server on this HTTP server: WebSocket only. It lets nobody in before `startRealtime`. */
export function createIo(
  server: HttpServer,
  options: { readonly settings: Settings; readonly adapter: AdapterConnections | null },
): SocketServer {
  const { maxFrameBytes, mostPerProcess } = options.settings.sockets;
  const door = { isOpen: false };
  const io: SocketServer = new Server(server, {
    transports: ['websocket'],
    perMessageDeflate: false,
    httpCompression: false,
    serveClient: false,
    maxHttpBufferSize: maxFrameBytes,
    connectTimeout: 10_000,
    pingInterval: 10_000,
    pingTimeout: 7_000,
    allowRequest: (_request, decide) => {
      const mayEnter = door.isOpen && io.engine.clientsCount < mostPerProcess;
      decide(mayEnter ? null : 'busy', mayEnter);
    },
    ...(options.adapter === null ? {} : { adapter: makeAdapter(options.adapter) }),
  });
  doors.set(io, door);
  return io;
}

/**
 * What goes between processes is little and goes to all of them, so one channel per namespace is enough: rooms of their
 * own would cost Redis a subscription for each connection.
 */
function makeAdapter({ pub, sub, isSharded, channels }: AdapterConnections): MakeAdapter {
  const make: MakeAdapter = isSharded
    ? createShardedAdapter(pub, sub, { channelPrefix: channels, subscriptionMode: 'static' })
    : createAdapter(pub, sub, { key: channels });
  // Socket.IO calls it with `new`, which an arrow function does not bear.
  return function makePatient(nsp: SocketNamespace): SocketNamespace['adapter'] {
    const adapter = make(nsp);
    const count = adapter.serverCount.bind(adapter);
    // The library drops this promise, and a dropped rejection ends the process. With Redis away we are alone.
    adapter.serverCount = () => count().catch(() => 1);
    return adapter;
  };
}

/** Opens the four namespaces and starts following the log and the positions. */
export async function startRealtime(ctx: Context, io: SocketServer): Promise<Realtime> {
  const parts = makeParts(ctx, io);
  const { relay, feed, carried } = parts;
  refuseRoot(io);
  startCourier(ctx, io, parts);
  startVendor(ctx, io, parts);
  startTrack(ctx, io, parts);
  startAdmin(ctx, io, parts);
  followCarried(ctx, parts);
  const stops = [await relay.start(), feed.start(), startSweeping(ctx, io, parts), closeEnded(ctx, io)];
  await carried.load();
  setDoor(io, true);
  return {
    drain: async () => {
      setDoor(io, false);
      await drain(io, ctx.clock, ctx.settings.sockets.drainRealMs);
    },
    close: async () => {
      setDoor(io, false);
      for (const stop of stops) stop();
      await io.close();
    },
    stats: () => statsOf(io, parts),
  };
}

function makeParts(ctx: Context, io: SocketServer): Parts {
  const holds = new Holds(ctx.clock);
  const carried = createCarried(ctx);
  const readers = new Readers(ctx);
  return {
    holds,
    carried,
    readers,
    replay: createReplay(ctx, holds),
    relay: new Relay(ctx, io, holds),
    feed: createPositionFeed(ctx, carried, readers),
  };
}

function followCarried(ctx: Pick<Context, 'log'>, { relay, carried, feed }: Parts): void {
  relay.onEvent((event) => {
    const { before, after } = carried.apply(event);
    feed.change(before, after);
  });
  relay.onGap(() => {
    carried.load().then(
      (gone) => gone.forEach((one) => feed.change(one, null)),
      // The log goes on, and with each event its delivery is right again.
      (error: unknown) => ctx.log.error({ error: String(error) }, 'held deliveries could not be read after a gap'),
    );
  });
}

/** Nobody has business in the root namespace, and whoever sits there would never be asked who he is. */
function refuseRoot(io: SocketServer): void {
  io.use((_socket, next) => {
    const data = presentRefusal(
      new Refusal('unauthorized', { detail: 'A client must join one of the namespaces.' }),
      newId('req'),
      '/',
    );
    next(Object.assign(new Error(data.detail), { data }));
  });
}

function startSweeping(ctx: Context, io: SocketServer, { holds, readers }: Parts): () => void {
  return ctx.clock.real.every(ctx.settings.presence.leastRealLeaseMs / SWEEPS_PER_LEASE, () => {
    ctx.positions.touch(connectedCouriers(io));
    for (const socket of socketsOf(io)) if (isOver(ctx, socket.data.caller)) socket.conn.close();
    holds.sweep();
    readers.sweep();
  });
}

function setDoor(io: SocketServer, isOpen: boolean): void {
  const door = doors.get(io);
  if (door !== undefined) door.isOpen = isOpen;
}

function statsOf(io: SocketServer, { holds, readers, replay }: Parts): RealtimeStats {
  const count = (namespace: Namespace): number => io.of(namespace).sockets.size;
  return {
    sockets: {
      '/courier': count('/courier'),
      '/vendor': count('/vendor'),
      '/track': count('/track'),
      '/admin': count('/admin'),
    },
    entering: replay.entering(),
    catchingUp: holds.size,
    positions: readers.stats(),
  };
}
