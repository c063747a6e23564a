// Couriers' apps on a server that stops. They connect again to another one when their connection is closed.
import { setTimeout as pause } from 'node:timers/promises';
import { openSocketIo, type FrameClient } from '../clients/swarm.ts';
import { forEachOf } from '../pings/contenders.ts';
import type { Random } from '../random.ts';

export type Left = {
  /** Moments of performance.now(): when the warning came, the connection was closed, and another one was there. */
  warnedAt: number | null;
  leftAt: number | null;
  backAt: number | null;
  /** The server has told the client to stay away. */
  isSentAway: boolean;
};

export type Clients = {
  readonly left: readonly Left[];
  /** The time in which the server that stops closes all connections, by its warning, ms. NaN without one. */
  withinMs(): number;
  close(): void;
};

export type ClientsOptions = {
  readonly tokens: readonly string[];
  /** The server that stops, and the one that stays. */
  readonly ports: { readonly first: number; readonly next: number };
  /** How many of them follow the warning, percent. The others wait until they are closed. */
  readonly following: number;
  readonly random: Random;
};

const AT_ONCE = 50;
/** How often the connections are looked at, so that a moment is known this well. */
const LOOK_MS = 10;
/** A refused client tries again after this time, as `keepConnected` does at first. */
const AGAIN_MS = 500;

/** Connects all clients to the first server. */
export async function connectClients({ tokens, ports, following, random }: ClientsOptions): Promise<Clients> {
  const left = tokens.map((): Left => ({ warnedAt: null, leftAt: null, backAt: null, isSentAway: false }));
  const open: FrameClient[] = [];
  let withinMs = NaN;
  const connect = (index: number, port: number): Promise<FrameClient> => {
    const own = left[index]!;
    return openSocketIo({
      port,
      namespace: '/courier',
      auth: { token: tokens[index]! },
      onEvent: (json) => {
        if (!json.startsWith('["drain"')) return;
        own.warnedAt = performance.now();
        [, { within_ms: withinMs }] = JSON.parse(json) as [string, { within_ms: number }];
        if (random.next() * 100 < following) setTimeout(() => open[index]?.close(), random.next() * withinMs);
      },
      onAck: () => undefined,
      onSentAway: () => void (own.isSentAway = true),
    });
  };
  const comeBack = async (index: number): Promise<void> => {
    for (;;) {
      try {
        open[index] = await connect(index, ports.next);
        left[index]!.backAt = performance.now();
        return;
      } catch {
        // The server that stays may refuse a crowd for a moment. The report shows who has not come back.
        await pause(AGAIN_MS);
      }
    }
  };
  await forEachOf(tokens.length, AT_ONCE, async (index) => void (open[index] = await connect(index, ports.first)));
  const looking = setInterval(() => {
    for (const [index, own] of left.entries()) {
      if (own.leftAt !== null || open[index]!.isOpen()) continue;
      own.leftAt = performance.now();
      void comeBack(index);
    }
  }, LOOK_MS);
  return {
    left,
    withinMs: () => withinMs,
    close: () => {
      clearInterval(looking);
      for (const client of open) client.close();
    },
  };
}
