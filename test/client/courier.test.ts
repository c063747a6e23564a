import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { expect, onTestFinished, test } from 'vitest';
import { openCourierSocket } from '../../packages/client/src/sockets/courier.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';

/** A service that remembers the actions of a courier and answers none, and the socket of that courier, live already. */
async function aCourier() {
  const server = createServer((_request, response) => void response.writeHead(200, { connection: 'close' }).end('{}'));
  const io = new Server(server, { transports: ['websocket'] });
  const actions: unknown[] = [];
  io.of('/courier').on('connection', (socket) => void socket.on('offer.accept', (body) => void actions.push(body)));
  const session = { token: () => Promise.resolve('t'), distrust: () => undefined };
  const states: string[] = [];
  const socket = openCourierSocket({
    baseUrl: await openPort(server),
    session,
    onState: (state) => void states.push(state),
  });
  onTestFinished(async () => {
    socket.close();
    await io.close();
  });
  await until(() => states.includes('live'));
  return { socket, actions };
}

test('[H352] an action whose signal has ended is never sent, and one that waits for its answer ends at once', async () => {
  const { socket, actions } = await aCourier();
  const ended = socket.act('offer.accept', { offer_id: 'off_1' }, AbortSignal.abort());
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
  const ending = new AbortController();
  const waiting = socket.act('offer.accept', { offer_id: 'off_2' }, ending.signal).catch((error: unknown) => error);
  await until(() => actions.length > 0);
  // At once means before any other work of this process has its turn, which no busy machine delays.
  const later = new Promise((resolve) => setImmediate(resolve, 'it waited'));
  ending.abort();
  expect(await Promise.race([waiting, later])).toMatchObject({ name: 'AbortError' });
  expect(actions).toEqual([{ offer_id: 'off_2' }]);
});
