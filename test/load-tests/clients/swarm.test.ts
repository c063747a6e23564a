import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { expect, onTestFinished, test } from 'vitest';
import { openSocketIo, textFrame } from '../../../load-tests/clients/swarm.ts';
import { socketIoPing } from '../../../load-tests/pings/wire.ts';
import { until } from '../../until.ts';

async function startServer(): Promise<{ io: Server; port: number }> {
  const http = createServer();
  // Each heartbeat follows the answer to the last one. A late client is not disconnected, because server and client
  // share a process.
  const io = new Server(http, { transports: ['websocket'], pingInterval: 50, pingTimeout: 60_000 });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => io.close());
  return { io, port: (http.address() as AddressInfo).port };
}

test('[Y15] a patched ping reaches the server as a message, and its answer comes back with its number', async () => {
  const { io, port } = await startServer();
  io.of('/courier').on('connection', (socket) => {
    socket.on('ping', ({ fixes }: { fixes: number[][] }, answer: (ack: object) => void) => {
      answer({ ok: true, fixes, token: socket.handshake.auth['token'] as string });
    });
  });
  const answers: [number, string][] = [];
  const client = await openSocketIo({
    port,
    namespace: '/courier',
    auth: { token: 'mine' },
    onEvent: () => {},
    onAck: (id, json) => answers.push([id, json]),
  });
  onTestFinished(() => client.close());
  const ping = socketIoPing('/courier,')(2);
  for (const id of [100_007, 100_008]) {
    ping.number(id);
    ping.patch(0, 100_000_001, 1_700_000_000_123, 52.5, 13.25);
    ping.patch(1, 100_000_002, 1_700_000_000_124, 52.75, 13.5);
    client.send(Buffer.from(ping.frame));
  }
  await until(() => answers.length === 2);
  const fixes = [
    [100_000_001, 1_700_000_000_123, 52.5, 13.25, 8, 10, 90],
    [100_000_002, 1_700_000_000_124, 52.75, 13.5, 8, 10, 90],
  ];
  expect(answers.map(([id]) => id)).toEqual([100_007, 100_008]);
  expect(JSON.parse(answers[0]?.[1] ?? '')).toEqual([{ ok: true, fixes, token: 'mine' }]);
});

test('[Y15] a long message is received whole and acknowledged, and heartbeats keep the connection', async () => {
  const { io, port } = await startServer();
  const heard: string[] = [];
  const long = 'x'.repeat(70_000);
  let acknowledged = 0;
  let beats = 0;
  io.of('/track').on('connection', (socket) => {
    socket.conn.on('heartbeat', () => (beats += 1));
    socket.emit('positions', { long }, () => (acknowledged += 1));
    socket.on('more', () => socket.emit('last', 1));
  });
  const client = await openSocketIo({
    port,
    namespace: '/track',
    auth: {},
    onEvent: (json) => heard.push(json),
    onAck: () => {},
  });
  onTestFinished(() => client.close());
  await until(() => acknowledged === 1 && beats >= 8);
  client.send(textFrame('42/track,["more"]'));
  await until(() => heard.length === 2);
  expect(heard).toEqual([JSON.stringify(['positions', { long }]), '["last",1]']);
  expect(client.isOpen()).toBe(true);
});

test('[Y15] a refused handshake is reported', async () => {
  const { io, port } = await startServer();
  io.of('/courier').use((_socket, next) => next(new Error('no such token')));
  const opening = openSocketIo({ port, namespace: '/courier', auth: {}, onEvent: () => {}, onAck: () => {} });
  await expect(opening).rejects.toThrow('no such token');
});

test('[Y15] a connection that closes before it has joined is reported', async () => {
  const http = createServer();
  http.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    // The client's hello is received and never answered.
    socket.once('data', () => socket.destroy());
    socket.write(Buffer.from([0x81, 3, ...Buffer.from('0{}')]));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const { port } = http.address() as AddressInfo;
  const opening = openSocketIo({ port, namespace: '/courier', auth: {}, onEvent: () => {}, onAck: () => {} });
  await expect(opening).rejects.toThrow('the connection closed before it joined');
});
