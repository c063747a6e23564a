import type { Clock } from '../ports.ts';
import { NAMESPACES } from './protocol.ts';
import { socketsOf, type SocketServer } from './sockets.ts';

/** Machine time between two slices. */
const SLICE_MS = 50;

/**
 * Sends all clients elsewhere within this machine time: told first, then closed in even slices, couriers before the
 * others. The connection is closed, not the socket: after that a client comes again by itself.
 */
export async function drain(io: SocketServer, clock: Clock, withinMs: number): Promise<void> {
  for (const namespace of NAMESPACES) io.of(namespace).local.emit('drain', { within_ms: withinMs });
  const connections = socketsOf(io).map(({ conn }) => conn);
  const slices = Math.max(1, Math.floor(withinMs / SLICE_MS) - 1);
  const perSlice = Math.max(1, Math.ceil(connections.length / slices));
  for (let from = 0; from < connections.length; from += perSlice) {
    for (const connection of connections.slice(from, from + perSlice)) connection.close();
    await clock.real.sleep(SLICE_MS);
  }
}
