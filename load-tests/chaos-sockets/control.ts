// The control beside the servers: plain pub/sub, as a server without a log would pass events on.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { keepConnected } from '../clients/connection.ts';
import { addressOf, freePort, RESTART_AFTER_MS } from '../servers/fleet.ts';
import { CHANNEL } from './relay.ts';

export type Control = {
  /** Tells all readers, unless something fails on the way. */
  publish(): void;
  /** Kills a relay with SIGKILL, and starts it again as a server of the fleet. */
  kill(index: number): Promise<void>;
  /** How many messages the readers should have, and how many of them they never got. */
  count(): { readonly due: number; readonly lost: number };
  stop(): Promise<void>;
};

type Relay = { readonly port: number; process: ChildProcess };

/** Starts the relays, and as many readers. */
export async function startControl(redisUrl: string, relays: number): Promise<Control> {
  const path = decodeURIComponent(new URL(redisUrl).pathname);
  const running: Relay[] = [];
  for (let index = 0; index < relays; index += 1) {
    const port = await freePort();
    running.push({ port, process: await launch(path, port) });
  }
  const addresses = running.map(({ port }) => addressOf(port));
  const readers = running.map(() => startReader(addresses));
  await Promise.all(readers.map(({ connection }) => connection.whenLive()));
  const redis = new Redis(path, { enableOfflineQueue: false });
  await once(redis, 'ready');
  redis.on('error', () => undefined);
  let published = 0;
  return {
    publish: () => {
      published += 1;
      // Plain pub/sub has no second try: what is sent while Redis is away is lost.
      redis.publish(CHANNEL, String(published)).catch(() => undefined);
    },
    kill: async (index) => {
      const relay = running[index]!;
      relay.process.kill('SIGKILL');
      await pause(RESTART_AFTER_MS);
      relay.process = await launch(path, relay.port);
    },
    count: () => {
      const due = published * readers.length;
      return { due, lost: due - readers.reduce((sum, { seen }) => sum + seen.size, 0) };
    },
    stop: async () => {
      for (const { connection } of readers) connection.close();
      for (const relay of running) relay.process.kill('SIGKILL');
      redis.disconnect();
    },
  };
}

async function launch(path: string, port: number): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'relay.ts'), [path, String(port)]);
  await once(child, 'message');
  return child;
}

function startReader(addresses: readonly string[]) {
  const seen = new Set<number>();
  const connection = keepConnected({
    addresses,
    namespace: '/vendor',
    auth: () => Promise.resolve({}),
    listen: (socket) => void socket.on('change', (number: number) => seen.add(number)),
  });
  return { seen, connection };
}
