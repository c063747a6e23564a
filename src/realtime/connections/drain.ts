import type { Clock } from '../../ports/process.ts';
import type { Connections } from './connections.ts';
import { NAMESPACES } from '../protocol.ts';
import { socketsOf, type SocketServer } from '../sockets.ts';

/** Machine time between two slices. */
const SLICE_MS = 50;

/**
 * Closes all connections within this machine time. It warns all clients first. Then it closes the connections in even
 * slices, couriers first.
 */
export async function drain(io: SocketServer, connections: Connections, clock: Clock, withinMs: number): Promise<void> {
  for (const namespace of NAMESPACES) io.of(namespace).local.emit('drain', { within_ms: withinMs });
  const sockets = socketsOf(io);
  const slices = Math.max(1, Math.floor(withinMs / SLICE_MS) - 1);
  const perSlice = Math.max(1, Math.ceil(sockets.length / slices));
  for (let from = 0; from < sockets.length; from += perSlice) {
    for (const socket of sockets.slice(from, from + perSlice)) connections.close(socket, 'drain');
    await clock.real.sleep(SLICE_MS);
  }
}
