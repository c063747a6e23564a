import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '../../src/realtime/protocol.ts';
import type { Problem } from './wire.ts';

/** `joining` until the first connection, then `live` or `lost`. */
export type Connection = 'joining' | 'live' | 'lost';

export type Wiring = {
  /** Asked for at every attempt, so that it is never an old one. */
  readonly auth: () => Record<string, unknown>;
  readonly onConnection: (connection: Connection) => void;
  /** The server said no. Whether trying again makes sense; it may take its time, to get another token first. */
  readonly onRefused: (problem: Problem) => Promise<boolean>;
};

const AGAIN_MS = 2000;
const LONGEST_WAIT_MS = 5000;
/** An attempt that hears nothing for this long is given up, and another one made. */
const ATTEMPT_MS = 8000;

/**
 * Joins a namespace over WebSocket and stays joined: lost connections come back by themselves, refused ones as
 * `onRefused` decides.
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
    // The client comes back by itself unless the server closed this namespace on purpose.
    if (!socket.active) setTimeout(() => socket.connect(), AGAIN_MS);
  });
  socket.on('connect_error', (error: Error & { data?: Problem }) => {
    onConnection('lost');
    if (socket.active || error.data === undefined) return;
    onRefused(error.data).then(
      (isAgain) => isAgain && setTimeout(() => socket.connect(), AGAIN_MS),
      () => setTimeout(() => socket.connect(), LONGEST_WAIT_MS),
    );
  });
  return socket;
}
