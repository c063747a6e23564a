// The lower bound: a bare WebSocket relay that parses a ping, acknowledges it and forwards it to the courier's reader.
// It runs in its own process and sends its port to its parent.
import { createServer } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';

type Ping = [number, { fixes: [number, number, number, number, number, number, number][] }];

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const readers = new Map<string, WebSocket>();

sockets.on('connection', (socket, { url = '' }) => {
  const [, role, number = ''] = url.split('/');
  if (role === 'reader') {
    readers.set(number, socket);
    return;
  }
  socket.on('message', (data: Buffer) => {
    const [id, { fixes }] = JSON.parse(data.toString()) as Ping;
    const fix = fixes[0];
    if (fix === undefined) return;
    const [seq, at, lat, lng, , speed, heading] = fix;
    socket.send(JSON.stringify([id, { ok: true, seq }]));
    readers.get(number)?.send(JSON.stringify({ at, items: [[null, number, at, lat, lng, heading, speed]] }));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
