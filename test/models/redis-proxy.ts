import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export type RedisProxy = {
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Keeps the connections but lets nothing through. */
  hang(): void;
  heal(): void;
};

/** A door in front of a Redis that others use too: an outage for one test alone. */
export async function redisProxy(redisUrl: string): Promise<RedisProxy> {
  const { hostname, port } = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'hung' = 'open';
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy();
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (state === 'open' && to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  onTestFinished(() => {
    end();
    server.close();
  });
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    cut: () => {
      state = 'cut';
      end();
    },
    hang: () => void (state = 'hung'),
    heal: () => {
      // What was swallowed never arrives: the connections that waited for it are of no use.
      end();
      state = 'open';
    },
  };
}
