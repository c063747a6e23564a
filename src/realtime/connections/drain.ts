import type { Settings } from '../../settings.ts';
import type { Clock } from '../../ports/process.ts';
import type { Connections } from './connections.ts';
import { NAMESPACES } from '../protocol.ts';
import { socketsOf, type SocketServer } from '../sockets.ts';

/** Machine time between two slices. Longer ones would send the other servers bursts of handshakes. */
const SLICE_MS = 10;
/** The longest machine time of a stop if no other server can take the connections. A longer one would only keep clients waiting. */
const ALONE_MS = 1000;

type Pace = Pick<Settings['sockets'], 'drainPerS' | 'drainRealMs'>;

/**
 * The machine time, in ms, in which a server closes so many connections: at the rate of the settings, or faster if they are
 * many or if no other server runs.
 * @param servers how many servers run, this one included
 */
export function drainMs(connections: number, servers: number, { drainPerS, drainRealMs }: Pace): number {
  const mostMs = servers > 1 ? drainRealMs : Math.min(drainRealMs, ALONE_MS);
  return Math.min(mostMs, Math.ceil((connections / drainPerS) * 1000) + SLICE_MS);
}

/**
 * Hands over to the other servers: closes all connections, and waits until a balancer has noticed that this server stops. If no
 * other server runs, nobody could answer instead, so it does not wait.
 */
export async function leave(
  io: SocketServer,
  connections: Connections,
  clock: Clock,
  { sockets, http }: Pick<Settings, 'sockets' | 'http'>,
): Promise<void> {
  // Infinity if Redis does not say it.
  const servers = await io.of('/courier').adapter.serverCount();
  const noticed = servers > 1 ? clock.real.sleep(http.leaveRealMs) : null;
  await Promise.all([drain(io, connections, clock, sockets, servers), noticed]);
}

/**
 * Closes all connections at an even rate, so that the other servers can take them beside their work. It warns all clients
 * first. Those that follow the warning leave by themselves, at random moments. In each slice the server closes only the
 * connections that exceed the even rate, couriers first.
 * @param servers how many servers run, this one included
 */
export async function drain(
  io: SocketServer,
  connections: Connections,
  clock: Clock,
  pace: Pace,
  servers: number,
): Promise<void> {
  let open = socketsOf(io);
  const all = open.length;
  const withinMs = drainMs(all, servers, pace);
  for (const namespace of NAMESPACES) io.of(namespace).local.emit('drain', { within_ms: withinMs });
  const startedAt = clock.real.elapsed();
  const spanMs = Math.max(SLICE_MS, withinMs - SLICE_MS);
  while (open.length > 0) {
    // By time and not by slices, since a slice of a busy server takes longer.
    const passedMs = clock.real.elapsed() - startedAt + SLICE_MS;
    const mayStay = Math.floor(all * Math.max(0, 1 - passedMs / spanMs));
    open = open.filter(({ connected }) => connected);
    const tooMany = open.splice(0, Math.max(0, open.length - mayStay));
    for (const socket of tooMany) connections.close(socket, 'drain');
    await clock.real.sleep(SLICE_MS);
  }
}
