// The control: a stock Socket.IO server that passes on what it hears from Redis, and has no log. It runs in its own process,
// listens on the given port, and says when it is ready.
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';

/** The channel of the changes. */
export const CHANNEL = 'control';

if (import.meta.main) {
  const [path = '', port = '0'] = process.argv.slice(2);
  const server = createServer();
  const vendors = new Server(server, { transports: ['websocket'], serveClient: false }).of('/vendor');
  const redis = new Redis(path);
  // A stock client connects and subscribes again by itself.
  redis.on('error', () => undefined);
  redis.on('message', (_channel, message: string) => vendors.emit('change', Number(message)));
  await redis.subscribe(CHANNEL);
  server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
  process.on('disconnect', () => process.exit());
}
