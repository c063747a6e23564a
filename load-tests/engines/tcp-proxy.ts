// One TCP address whose connections lead to another place, like a load balancer in front of a database.
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export type TcpProxy = {
  readonly port: number;
  /** Leads new connections to another place. Open connections stay where they are. */
  point(behind: NetConnectOpts): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Lets nothing more through the open connections, as if the machine behind them were gone. */
  strand(): void;
  /** Lets no more answers through the open connections. The server still receives what clients send. */
  loseAnswers(): void;
  /** Keeps the connections open but lets nothing through. */
  hang(): void;
  /** Ends the connections of an outage and takes new ones. */
  heal(): void;
  close(): void;
};

/** Opens a proxy on a free loopback port. @param behind the target of its connections */
export async function openTcpProxy(behind: NetConnectOpts): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const answering = new WeakSet<Socket>();
  const stranded = new WeakSet<Socket>();
  let target = behind;
  let state: 'open' | 'cut' | 'hung' = 'open';
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const server = connect(target);
    answering.add(server);
    const join = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from.on('data', (chunk) => void (state === 'open' && !stranded.has(from) && to.write(chunk)));
      // An error is always followed by the close below.
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    join(client, server);
    join(server, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const end = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    point: (next) => void (target = next),
    cut: () => {
      state = 'cut';
      end();
    },
    strand: () => sockets.forEach((socket) => stranded.add(socket)),
    loseAnswers: () => sockets.forEach((socket) => answering.has(socket) && stranded.add(socket)),
    hang: () => void (state = 'hung'),
    heal: () => {
      // The bytes of the outage never arrive, so the connections that wait for them are useless.
      end();
      state = 'open';
    },
    close: () => {
      end();
      server.close();
    },
  };
}
