import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBoundServer } from '../../src/http/bodies/bound-bodies.ts';
import { createHttp } from '../../src/http/server.ts';
import { until } from '../until.ts';
import { openHouse } from './house.ts';

const house = await openHouse('unread');
const IDLE_MS = 400;

test('[H98] a connection on which nothing moves is closed, whether its answers are unread or it asks nothing', async () => {
  const server = createBoundServer({ ...house.ctx.settings.http, idleRealMs: IDLE_MS }, createHttp(house.ctx));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: 4 }, (_, index) => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    // More than the buffers between us hold.
    if (index > 0) socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
    // The server cuts it off; that is what the test waits for.
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  await Promise.all(clients.map((socket) => once(socket, 'connect')));
  await until(async () => (await count()) === 0);
  expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
