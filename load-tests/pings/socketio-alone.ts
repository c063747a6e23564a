// The floor of the protocol: stock Socket.IO that acknowledges each ping and sends one acknowledged frame, and does nothing
// else. It runs in its own process and sends its port to its parent.
import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';

type Ping = { readonly fixes: readonly (readonly [number, number, number, number, number, number, number])[] };

const server = createServer();
const io = new Server(server, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
const readers = new Map<number, Socket>();

io.on('connection', (socket) => {
  const { role, number } = socket.handshake.auth as { role: string; number: number };
  if (role === 'reader') {
    readers.set(number, socket);
    return;
  }
  socket.on('ping', ({ fixes: [fix] }: Ping, acknowledge: (ack: object) => void) => {
    if (fix === undefined) return;
    const [seq, at, lat, lng, , speed, heading] = fix;
    acknowledge({ ok: true, seq });
    readers.get(number)?.emit('positions', { at, items: [[null, number, at, lat, lng, heading, speed]] }, () => {});
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
