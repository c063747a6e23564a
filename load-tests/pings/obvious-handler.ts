// The obvious implementation: Socket.IO, a zod parse, three awaited Redis commands and an emit for each ping. It runs
// in its own process and sends its port to its parent. REDIS_URL names its Redis.
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';
import { z } from 'zod';

const Fix = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
const Ping = z.strictObject({ fixes: z.array(Fix).min(1).max(50) });
const EXPIRE_S = 60;

const redis = new Redis(process.env['REDIS_URL'] ?? '');
const server = createServer();
const io = new Server(server, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });

io.on('connection', (socket) => {
  const { role, number } = socket.handshake.auth as { role: string; number: number };
  const courier = `obvious:${number}`;
  if (role === 'reader') {
    void socket.join(courier);
    return;
  }
  const onPing = async (body: unknown, acknowledge: (ack: object) => void): Promise<void> => {
    const { fixes } = Ping.parse(body);
    for (const [seq, at, lat, lng, accuracy, speed, heading] of fixes) {
      await redis.geoadd('obvious:places', lng, lat, courier);
      await redis.hset(courier, { seq, at, lat, lng, accuracy, speed, heading });
      await redis.expire(courier, EXPIRE_S);
      io.to(courier).emit('positions', { at, items: [[null, number, at, lat, lng, heading, speed]] });
      acknowledge({ ok: true, seq });
    }
  };
  socket.on('ping', (body: unknown, acknowledge: (ack: object) => void) => void onPing(body, acknowledge));
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
