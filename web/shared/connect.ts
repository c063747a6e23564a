import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '../../src/realtime/protocol.ts';
import type { Problem } from './wire.ts';

/** `joining` until the first connection, then `live` or `lost`. */
export type Connection = 'joining' | 'live' | 'lost';

export type Wiring = {
  /** Called at every attempt, so that the token is current. */
  readonly auth: () => Record<string, unknown>;
  readonly onConnection: (connection: Connection) => void;
  /** Called after a refusal. Says whether to try again; it may get another token first. */
  readonly onRefused: (problem: Problem) => Promise<boolean>;
};

const AGAIN_MS = 2000;
const LONGEST_WAIT_MS = 5000;
/** Timeout of an attempt to connect. Another attempt follows. */
const ATTEMPT_MS = 8000;

/**
 * Joins a namespace over WebSocket and reconnects after a lost connection. After a refusal, `onRefused` decides whether
 * to try again.
 */
export function connect<ToServer extends object>(
  namespace: '/track' | '/admin',
  { auth, onConnection, onRefused }: Wiring,
): Socket<ServerToClient, ToServer> {
  const socket: Socket<ServerToClient, ToServer> = io(namespace, {
    transports: ['websocket'],
    timeout: ATTEMPT_MS,
    reconnectionDelay: 500,
    reconnectionDelayMax: LONGEST_WAIT_MS,
    auth: (give: (auth: object) => void) => give(auth()),
  });
  socket.on('connect', () => onConnection('live'));
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    onConnection('lost');
    // The client reconnects by itself unless the server closed this namespace on purpose.
    if (!socket.active) setTimeout(() => socket.connect(), AGAIN_MS);
  });
  socket.on('connect_error', (error: Error & { data?: Problem }) => {
    onConnection('lost');
    if (socket.active) return;
    // Only a refusal with a problem can be final.
    const again = error.data === undefined ? Promise.resolve(true) : onRefused(error.data);
    again.then(
      (isAgain) => isAgain && setTimeout(() => socket.connect(), AGAIN_MS),
      () => setTimeout(() => socket.connect(), LONGEST_WAIT_MS),
    );
  });
  return socket;
}
