// The lower bound of a fan-out: a bare WebSocket server that acknowledges a ping, builds one frame and writes it to every
// reader of the courier. It runs in its own process and sends its port to its parent.
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';

type Ping = [number, { fixes: [number, number, number, number, number, number, number][] }];

const WHOLE_TEXT = 0x81;
const TWO_BYTES_FOLLOW = 126;

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const readers = new Map<string, Set<Socket>>();

sockets.on('connection', (socket, { url = '', socket: tcp }) => {
  const [, role, number = ''] = url.split('/');
  if (role === 'reader') {
    const own = readers.get(number) ?? new Set();
    readers.set(number, own.add(tcp));
    socket.on('close', () => own.delete(tcp));
    return;
  }
  socket.on('message', (data: Buffer) => {
    const [id, { fixes }] = JSON.parse(data.toString()) as Ping;
    const fix = fixes[0];
    if (fix === undefined) return;
    const [seq, at, lat, lng, , speed, heading] = fix;
    socket.send(JSON.stringify([id, { ok: true, seq }]));
    const frame = frameOf(JSON.stringify({ at, items: [[null, number, at, lat, lng, heading, speed]] }));
    for (const reader of readers.get(number) ?? []) reader.write(frame);
  });
});

function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < TWO_BYTES_FOLLOW ? [length] : [TWO_BYTES_FOLLOW, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([WHOLE_TEXT, ...head]), payload]);
}

server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
