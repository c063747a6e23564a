import type { Server as HttpServer } from 'node:http';
import { createAdapter, createShardedAdapter } from '@socket.io/redis-adapter';
import { Server } from 'socket.io';
import { newId } from '../domain/ids.ts';
import { presentRefusal } from '../domain/refusals/present-refusal.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Context } from '../ports/context.ts';
import { startAdmin } from './namespaces/admin-socket.ts';
import { startCourier } from './namespaces/courier-socket.ts';
import { Connections } from './connections/connections.ts';
import { leave } from './connections/drain.ts';
import { leanServer } from './connections/lean-websocket.ts';
import { closeRevoked } from './connections/revoked.ts';
import { Holds } from './relay/holds.ts';
import type { Parts } from './namespaces/parts.ts';
import { createPositionFeed } from './positions/positions.ts';
import type { Namespace } from './protocol.ts';
import { Readers } from './positions/readers.ts';
import { Relay } from './relay/relay.ts';
import { createReplay } from './relay/replay.ts';
import type { SocketNamespace, SocketServer } from './sockets.ts';
import { startTrack } from './namespaces/track-socket.ts';
import { startVendor } from './namespaces/vendor-socket.ts';

/** Two connections to one Redis. `channels` is the prefix of every channel. */
export type AdapterConnections = {
  readonly pub: unknown;
  readonly sub: unknown;
  readonly isSharded: boolean;
  readonly channels: string;
};

export type RealtimeStats = {
  readonly sockets: Readonly<Record<Namespace, number>>;
  /** Connections that have joined and have not received all past events yet. */
  readonly entering: number;
  readonly catchingUp: number;
  readonly positions: { readonly readers: number; readonly stale: number; readonly frames: number };
};

export type Realtime = {
  /**
   * Asks clients to connect elsewhere and closes them in slices, couriers first. Refuses new connections. Resolves when
   * balancers have also had the time to notice that this server stops.
   */
  leave(): Promise<void>;
  close(): Promise<void>;
  stats(): RealtimeStats;
};

type MakeAdapter = (nsp: SocketNamespace) => SocketNamespace['adapter'];

/** Machine time between two looks for ended tokens and slow readers. */
const SWEEP_EVERY_MS = 1000;

/** The connections of each server, from its creation to its start. */
const connectionsOf = new WeakMap<SocketServer, Connections>();

/** Creates the Socket.IO server on this HTTP server, WebSocket only. It refuses connections until `startRealtime`. */
export function createIo(
  server: HttpServer,
  ctx: ConstructorParameters<typeof Connections>[0],
  adapter: AdapterConnections | null,
): SocketServer {
  const connections = new Connections(ctx);
  const wsEngine = leanServer(ctx.log);
  const io: SocketServer = new Server(server, {
    transports: ['websocket'],
    perMessageDeflate: false,
    ...(wsEngine === null ? {} : { wsEngine }),
    httpCompression: false,
    serveClient: false,
    maxHttpBufferSize: ctx.settings.sockets.maxFrameBytes,
    connectTimeout: 10_000,
    pingInterval: 10_000,
    pingTimeout: 7_000,
    allowRequest: (request, decide) => {
      const mayEnter = connections.mayEnter(request, io.engine.clientsCount);
      decide(mayEnter ? null : 'busy', mayEnter);
    },
    ...(adapter === null ? {} : { adapter: makeAdapter(adapter, ctx.settings.offers.ackRealMs) }),
  });
  connections.watch(io);
  connectionsOf.set(io, connections);
  return io;
}

/**
 * Creates the adapter with one channel per namespace. Processes exchange few messages, and all of them need each one. A
 * channel per room would cost a Redis subscription for each connection.
 */
function makeAdapter({ pub, sub, isSharded, channels }: AdapterConnections, answerMs: number): MakeAdapter {
  const make: MakeAdapter = isSharded
    ? createShardedAdapter(pub, sub, { channelPrefix: channels, subscriptionMode: 'static' })
    : createAdapter(pub, sub, { key: channels, requestsTimeout: answerMs });
  // Socket.IO calls it with `new`, so it cannot be an arrow function.
  return function makePatient(nsp: SocketNamespace): SocketNamespace['adapter'] {
    const adapter = make(nsp);
    const count = adapter.serverCount.bind(adapter);
    // The library ignores this promise, and an unhandled rejection ends the process. If nobody can count, the library must
    // wait until its time is over, because other processes may still answer.
    adapter.serverCount = () => count().catch(() => Infinity);
    return adapter;
  };
}

/** Opens the four namespaces and starts following the log and the positions. */
export async function startRealtime(ctx: Context, io: SocketServer): Promise<Realtime> {
  const connections = connectionsOf.get(io);
  if (connections === undefined) throw new Error('this server was not made by createIo');
  const parts = makeParts(ctx, io, connections);
  const { relay, feed } = parts;
  refuseRoot(io, connections);
  startCourier(ctx, io, parts);
  startVendor(ctx, io, parts);
  startTrack(ctx, io, parts);
  startAdmin(ctx, io, parts);
  const stops = [await relay.start(), feed.start(), startSweeping(ctx, parts), closeRevoked(ctx, io, connections)];
  connections.isOpen = true;
  return {
    leave: async () => {
      connections.isOpen = false;
      await leave(io, connections, ctx.clock, ctx.settings);
    },
    close: async () => {
      connections.isOpen = false;
      for (const stop of stops) stop();
      await io.close();
    },
    stats: () => statsOf(io, parts),
  };
}

function makeParts(ctx: Context, io: SocketServer, connections: Connections): Parts {
  const holds = new Holds(ctx.clock);
  const readers = new Readers(ctx, connections);
  return {
    connections,
    holds,
    readers,
    replay: createReplay(ctx, holds, connections),
    relay: new Relay(ctx, io, holds, connections),
    feed: createPositionFeed(ctx, readers),
  };
}

/** Refuses the root namespace, because a client in it would never have to authenticate. */
function refuseRoot(io: SocketServer, connections: Connections): void {
  io.use((socket, next) => {
    const refusal = new Refusal('unauthorized', { detail: 'A client must join one of the namespaces.' });
    connections.connectionOf(socket).refuse(refusal);
    const data = presentRefusal(refusal, newId('req'), '/');
    next(Object.assign(new Error(data.detail), { data }));
  });
}

function startSweeping({ clock }: Context, { connections, holds, readers }: Parts): () => void {
  return clock.real.every(SWEEP_EVERY_MS, () => {
    for (const socket of connections.ends.take()) connections.close(socket, 'ended');
    holds.sweep();
    readers.sweep();
    connections.holders.sweep();
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
