// One Socket.IO connection that outlives servers. It knows every address and reconnects with jitter.
import { io, type Socket } from 'socket.io-client';
import type { Ack, Namespace } from '../../src/realtime/protocol.ts';
import type { Problem } from './wire.ts';

export type ConnectionOptions = {
  readonly addresses: readonly string[];
  readonly namespace: Namespace;
  /** Called for every handshake, so that it names the newest token and marks. */
  readonly auth: () => Promise<object>;
  /** Adds the listeners. Called for every new socket, before it connects. */
  readonly listen: (socket: Socket) => void;
  /** The server refused the handshake. Return true to stop trying. */
  readonly onRefused?: (problem: Partial<Problem>) => boolean;
  /** An answer has status 500. */
  readonly onServerError?: (what: string) => void;
};

export type Connection = {
  /** The live socket, or null while there is no connection. */
  socket(): Socket | null;
  /** The live socket or the next one. Null if the connection is closed. */
  whenLive(): Promise<Socket | null>;
  reconnects(): number;
  /** Notes the answer to a message if it has status 500. */
  heed(message: string, ack: Ack): void;
  close(): void;
};

const LEAST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 400;
const CONNECT_MS = 5000;

/** Connects, and reconnects to another server if the connection is lost, until it is closed. */
export function keepConnected(options: ConnectionOptions): Connection {
  const { addresses } = options;
  let turn = Math.floor(Math.random() * addresses.length);
  let live: Socket | null = null;
  let current: Socket | null = null;
  let connects = 0;
  let isClosed = false;
  let waiting: ((socket: Socket | null) => void)[] = [];
  const answerWaiting = (socket: Socket | null): void => {
    const waiters = waiting;
    waiting = [];
    for (const resolve of waiters) resolve(socket);
  };
  const comeBack = (): void => {
    live = null;
    current?.removeAllListeners();
    current?.disconnect();
    turn += 1;
    if (!isClosed) setTimeout(connect, LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));
  };
  function connect(): void {
    if (isClosed) return;
    const socket = open(options, addresses[turn % addresses.length] ?? '');
    current = socket;
    socket.on('connect', () => {
      live = socket;
      connects += 1;
      answerWaiting(socket);
    });
    socket.on('disconnect', comeBack);
    socket.on('connect_error', (error: Error & { data?: Partial<Problem> }) => {
      if (error.data !== undefined && options.onRefused?.(error.data) === true) isClosed = true;
      if (isClosed) answerWaiting(null);
      comeBack();
    });
    socket.on('drain', ({ within_ms: withinMs }: { within_ms: number }) => {
      setTimeout(() => socket.disconnect(), Math.random() * withinMs);
    });
    options.listen(socket);
    socket.connect();
  }
  connect();
  return {
    socket: () => live,
    whenLive: () =>
      live !== null || isClosed ? Promise.resolve(live) : new Promise((resolve) => waiting.push(resolve)),
    reconnects: () => Math.max(0, connects - 1),
    heed: (message, ack) => {
      if (!ack.ok && ack.problem.status === 500) options.onServerError?.(`${message}: ${ack.problem.request_id}`);
    },
    close: () => {
      isClosed = true;
      answerWaiting(null);
      current?.removeAllListeners();
      current?.disconnect();
    },
  };
}

function open({ namespace, auth }: ConnectionOptions, address: string): Socket {
  return io(`${address}${namespace}`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    autoConnect: false,
    timeout: CONNECT_MS,
    // Without a credential this try ends, and the next one asks again.
    auth: (send) => void auth().then(send, () => send({})),
  });
}
