import type { Server as HttpServer } from 'node:http';
import { createAdapter, createShardedAdapter } from '@socket.io/redis-adapter';
import { Server } from 'socket.io';
import { newId } from '../domain/ids.ts';
import { presentRefusal, Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import { startAdmin } from './namespaces/admin-socket.ts';
import { isOver } from './connections/auth.ts';
import { createCarried } from './positions/carried.ts';
import { connectedCouriers, startCourier } from './namespaces/courier-socket.ts';
import { Door } from './connections/door.ts';
import { drain } from './connections/drain.ts';
import { closeEnded } from './connections/ended.ts';
import { Holds } from './relay/holds.ts';
import type { Parts } from './namespaces/parts.ts';
import { createPositionFeed } from './positions/positions.ts';
import type { Namespace } from './protocol.ts';
import { Readers } from './positions/readers.ts';
import { Relay } from './relay/relay.ts';
import { createReplay } from './relay/replay.ts';
import { socketsOf, type SocketNamespace, type SocketServer } from './sockets.ts';
import { startTrack } from './namespaces/track-socket.ts';
import { startVendor } from './namespaces/vendor-socket.ts';

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

/** Each server's door, from its making to its start. */
const doors = new WeakMap<SocketServer, Door>();

/** The Socket.IO server on this HTTP server: WebSocket only. It lets nobody in before `startRealtime`. */
export function createIo(
  server: HttpServer,
  ctx: ConstructorParameters<typeof Door>[0],
  adapter: AdapterConnections | null,
): SocketServer {
  const door = new Door(ctx);
  const io: SocketServer = new Server(server, {
    transports: ['websocket'],
    perMessageDeflate: false,
    httpCompression: false,
    serveClient: false,
    maxHttpBufferSize: ctx.settings.sockets.maxFrameBytes,
    connectTimeout: 10_000,
    pingInterval: 10_000,
    pingTimeout: 7_000,
    allowRequest: (request, decide) => {
      const mayEnter = door.mayEnter(request, io.engine.clientsCount);
      decide(mayEnter ? null : 'busy', mayEnter);
    },
    ...(adapter === null ? {} : { adapter: makeAdapter(adapter) }),
  });
  door.watch(io);
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
  const door = doors.get(io);
  if (door === undefined) throw new Error('this server was not made by createIo');
  const parts = makeParts(ctx, io, door);
  const { relay, feed, carried } = parts;
  refuseRoot(io, door);
  startCourier(ctx, io, parts);
  startVendor(ctx, io, parts);
  startTrack(ctx, io, parts);
  startAdmin(ctx, io, parts);
  followCarried(ctx, parts);
  const stops = [await relay.start(), feed.start(), startSweeping(ctx, io, parts), closeEnded(ctx, io, door)];
  await carried.load();
  door.isOpen = true;
  return {
    drain: async () => {
      door.isOpen = false;
      await drain(io, door, ctx.clock, ctx.settings.sockets.drainRealMs);
    },
    close: async () => {
      door.isOpen = false;
      for (const stop of stops) stop();
      await io.close();
    },
    stats: () => statsOf(io, parts),
  };
}

function makeParts(ctx: Context, io: SocketServer, door: Door): Parts {
  const holds = new Holds(ctx.clock);
  const carried = createCarried(ctx);
  const readers = new Readers(ctx);
  return {
    door,
    holds,
    carried,
    readers,
    replay: createReplay(ctx, holds, door),
    relay: new Relay(ctx, io, holds, door),
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
function refuseRoot(io: SocketServer, door: Door): void {
  io.use((socket, next) => {
    const refusal = new Refusal('unauthorized', { detail: 'A client must join one of the namespaces.' });
    door.connectionOf(socket).refuse(refusal);
    const data = presentRefusal(refusal, newId('req'), '/');
    next(Object.assign(new Error(data.detail), { data }));
  });
}

function startSweeping(ctx: Context, io: SocketServer, { door, holds, readers }: Parts): () => void {
  return ctx.clock.real.every(ctx.settings.presence.leastRealLeaseMs / SWEEPS_PER_LEASE, () => {
    ctx.positions.touch(connectedCouriers(io));
    for (const socket of socketsOf(io)) if (isOver(ctx, socket.data.caller)) door.close(socket, 'ended');
    holds.sweep();
    readers.sweep();
    door.holders.sweep();
  });
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
