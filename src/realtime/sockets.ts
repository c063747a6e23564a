/** The types of this server's sockets. */
import type { Namespace as IoNamespace, Server, Socket } from 'socket.io';
import type { Caller } from '../domain/access.ts';
import type { CourierId, DeliveryId, SessionId } from '../domain/ids.ts';
import { NAMESPACES, type ServerToClient } from './protocol.ts';

/** Messages of clients have an unknown type until `handle.ts` has parsed them. */
type Inbound = Record<string, (...given: unknown[]) => void>;

/**
 * A courier has joined on some process. All others must close their connections of this courier, except those of a later
 * login. A process of the release before does not name the login.
 */
export type Joined = { readonly courierId: CourierId; readonly socketId: string; readonly sessionId?: SessionId };

type BetweenServers = { 'courier.joined': (joined: Joined) => void };

/** The callers who may connect. There is no namespace for internal services. */
export type SocketCaller = Exclude<Caller, { type: 'internal' }>;

export type SocketData = {
  caller: SocketCaller;
  /** The newest sequence number that the client has, by delivery. */
  lastSeq: ReadonlyMap<DeliveryId, number>;
  /** Machine time in ms. */
  joinedAt: number;
};

export type SocketServer = Server<Inbound, ServerToClient, BetweenServers, SocketData>;
export type SocketNamespace = IoNamespace<Inbound, ServerToClient, BetweenServers, SocketData>;
export type ClientSocket = Socket<Inbound, ServerToClient, BetweenServers, SocketData>;

/** An Engine.IO connection, on which a client joins one namespace or several. */
export type RawConnection = ClientSocket['conn'];

/**
 * Drops the request, its headers and the token, which would otherwise stay in memory as long as the connection. Call it
 * after the middleware of the namespace has read them.
 */
export function forgetHandshake(socket: ClientSocket): void {
  const connection: { request: unknown } = socket.conn;
  connection.request = null;
  socket.handshake.auth = {};
  socket.handshake.headers = {};
}

/** The connections of this process in a room. */
export function socketsIn(nsp: SocketNamespace, room: string): ClientSocket[] {
  const ids = [...(nsp.adapter.rooms.get(room) ?? [])];
  return ids.flatMap((id) => nsp.sockets.get(id) ?? []);
}

/** All connections of this process, couriers first. */
export function socketsOf(io: SocketServer): ClientSocket[] {
  return NAMESPACES.flatMap((namespace) => [...io.of(namespace).sockets.values()]);
}
