import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect, type Connection } from '../../web/shared/connect.ts';
import { until } from '../until.ts';

test('[V13] a page that is refused without a problem tries again', async () => {
  const http = createServer();
  const io = new Server(http, { transports: ['websocket'] });
  let attempts = 0;
  io.of('/track').use((_socket, next) => {
    attempts += 1;
    next(attempts === 1 ? new Error('not now') : undefined);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  vi.stubGlobal('location', new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`));
  const heard: Connection[] = [];
  const onRefused = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false));
  const socket = connect('/track', { auth: () => ({}), onConnection: (next) => heard.push(next), onRefused });
  onTestFinished(async () => {
    socket.disconnect();
    vi.unstubAllGlobals();
    await io.close();
  });
  await until(() => socket.connected);
  expect(heard).toEqual(['lost', 'live']);
  expect(onRefused).not.toHaveBeenCalled();
});
