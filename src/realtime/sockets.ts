/** The types of this server's sockets. */
import type { Namespace as IoNamespace, Server, Socket } from 'socket.io';
import type { Caller } from '../domain/access.ts';
import type { CourierId, DeliveryId } from '../domain/ids.ts';
import { NAMESPACES, type ServerToClient } from './protocol.ts';

/** What clients send is unknown until `handle.ts` has parsed it. */
type Inbound = Record<string, (...given: unknown[]) => void>;

/** A courier has joined somewhere: other connections of the same courier are to be closed. */
export type Joined = { readonly courierId: CourierId; readonly socketId: string };

type BetweenServers = { 'courier.joined': (joined: Joined) => void };

/** Who may hold a socket: an internal service has no namespace. */
export type SocketCaller = Exclude<Caller, { type: 'internal' }>;

export type SocketData = {
  caller: SocketCaller;
  /** The newest sequence the client has, by delivery. */
  lastSeq: ReadonlyMap<DeliveryId, number>;
  /** Machine time in ms. */
  joinedAt: number;
};

export type SocketServer = Server<Inbound, ServerToClient, BetweenServers, SocketData>;
export type SocketNamespace = IoNamespace<Inbound, ServerToClient, BetweenServers, SocketData>;
export type ClientSocket = Socket<Inbound, ServerToClient, BetweenServers, SocketData>;

/**
 * Lets go of what the handshake held once it has been read: the request, its headers and the token would stay in memory
 * as long as the connection. Not earlier: the namespaces' middleware reads them.
 */
export function forgetHandshake(socket: ClientSocket): void {
  const connection: { request: unknown } = socket.conn;
  connection.request = null;
  socket.handshake.auth = {};
  socket.handshake.headers = {};
}

/** This process's connections in a room. */
export function socketsIn(nsp: SocketNamespace, room: string): ClientSocket[] {
  const ids = [...(nsp.adapter.rooms.get(room) ?? [])];
  return ids.flatMap((id) => nsp.sockets.get(id) ?? []);
}

/** All of this process's connections, couriers first. */
export function socketsOf(io: SocketServer): ClientSocket[] {
  return NAMESPACES.flatMap((namespace) => [...io.of(namespace).sockets.values()]);
}
