import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { onTestFinished } from 'vitest';
import { openCourierSocket } from '../../packages/client/src/sockets/courier.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';

export type Reply = (answer: unknown) => void;

/**
 * A service that remembers the actions of a courier, and the socket of that courier, live already. It answers none by
 * default, and does not tell its time.
 */
export async function aCourier(
  onAction: (socket: Socket, reply: Reply) => void = () => {},
  patienceMs?: number,
  backoff = { firstMs: 5, mostMs: 10 },
) {
  const server = createServer((_request, response) => void response.writeHead(404, { connection: 'close' }).end());
  const io = new Server(server, { transports: ['websocket'] });
  const actions: unknown[] = [];
  /** The names of the messages in the order in which they came. */
  const came: string[] = [];
  io.of('/courier').on('connection', (socket) => {
    socket.onAny((name: string) => void came.push(name));
    socket.on('ping', ({ fixes }: { fixes: [seq: number][] }, reply: Reply) => {
      reply({ ok: true, seq: fixes.at(-1)?.[0], accepted: fixes.length, dropped: 0 });
    });
    socket.on('stop.arrive', (_body: unknown, reply: Reply) => reply({ ok: true }));
    socket.on('hello', (reply: Reply) => reply({ ok: false }));
    for (const name of ['offer.accept', 'delivery.pick_up', 'delivery.depart']) {
      socket.on(name, (body: unknown, reply: Reply) => {
        actions.push(body);
        onAction(socket, reply);
      });
    }
  });
  const session = { token: () => Promise.resolve('t'), distrust: () => undefined };
  const states: string[] = [];
  let [replaced, shown] = [0, 0];
  const counts: number[] = [];
  const socket = openCourierSocket({
    baseUrl: await openPort(server),
    session,
    patienceMs,
    onState: (state) => void states.push(state),
    backoff,
    onReplaced: () => void (replaced += 1),
    onSnapshot: () => void (shown += 1),
    onOffer: ({ expires_at: expiresAt }) => void counts.push(Date.parse(expiresAt) - socket.now()),
  });
  onTestFinished(async () => {
    socket.close();
    await io.close();
  });
  await until(() => states.includes('live'));
  const cut = (): void => {
    for (const { conn } of io.of('/courier').sockets.values()) conn.close();
  };
  const dismiss = (): void => {
    io.of('/courier').disconnectSockets();
  };
  /** From now on nothing answers on the present connection, as if the phone had another network. */
  const deafen = (): void => {
    for (const connection of io.of('/courier').sockets.values()) connection.use(() => undefined);
  };
  /** From now on nothing answers on the present connection until the function that this returns is called. */
  const slowDown = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const connection of io.of('/courier').sockets.values())
      connection.use((_, next) => void promise.then(() => next()));
    return resolve;
  };
  const send = (name: string, body: unknown): void => {
    for (const connection of io.of('/courier').sockets.values()) connection.emit(name, body, () => {});
  };
  return {
    socket,
    send,
    counts,
    actions,
    came,
    states,
    cut,
    deafen,
    slowDown,
    dismiss,
    replaced: () => replaced,
    shown: () => shown,
  };
}
