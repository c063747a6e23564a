import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket, WebSocketServer } from 'ws';
import { leanServer } from '../../../src/realtime/connections/lean-websocket.ts';
import { keptLog } from '../../kept-ports.ts';

test('[T57] a client that does not answer a close is cut after some seconds', async () => {
  const Lean = leanServer(keptLog());
  if (Lean === null) throw new Error('ws or engine.io has an unknown version');
  const server: WebSocketServer = new Lean({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
  });
  client.write(
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  const began = performance.now();
  socket.close();
  await once(socket, 'close');
  expect(performance.now() - began).toBeGreaterThan(4000);
  expect(performance.now() - began).toBeLessThan(15_000);
}, 60_000);
