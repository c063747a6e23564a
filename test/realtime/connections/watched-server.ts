import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createAddressOf } from '../../../src/process/caller-address.ts';
import type { RawConnection, SocketServer } from '../../../src/realtime/sockets.ts';
import { Connections } from '../../../src/realtime/connections/connections.ts';
import { leanServer } from '../../../src/realtime/connections/lean-websocket.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { handClock, type HandClock } from '../../clock.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { until } from '../../until.ts';

export const INTERVAL_MS = 10_000;
/** Longer than any test. */
export const NEVER_MS = 600_000;

type Times = { readonly pingInterval?: number; readonly pingTimeout?: number; readonly allowEIO3?: boolean };

/** A server whose time is moved by hand, watched as the real one is. `isKnown` is whether the versions are. */
export async function openServer(times: Times = {}, isKnown = true) {
  const clock = handClock();
  const waiting = new Set<object>();
  const after = countIn(waiting, clock);
  const counted = { ...clock, real: { ...clock.real, after } };
  const log = keptLog();
  const settings = defaultSettings();
  const ctx = { settings, clock: counted, log, metrics: keptMetrics(), addressOf: createAddressOf('') };
  const http = createServer();
  const wsEngine = leanServer(log, isKnown ? undefined : {});
  const io: SocketServer = new Server(http, {
    transports: ['websocket'],
    pingInterval: INTERVAL_MS,
    pingTimeout: NEVER_MS,
    connectTimeout: NEVER_MS,
    ...(wsEngine === null ? {} : { wsEngine }),
    ...times,
  });
  new Connections(ctx).watch(io);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => io.close());
  return { io, clock, waiting, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

type Opened = Awaited<ReturnType<typeof openServer>>;

/** Keeps the timers of this clock that have neither fired nor been stopped in the set. */
function countIn(waiting: Set<object>, { real }: HandClock): HandClock['real']['after'] {
  return (ms, task) => {
    const timer = {};
    waiting.add(timer);
    const stop = real.after(ms, () => {
      waiting.delete(timer);
      task();
    });
    return () => {
      waiting.delete(timer);
      stop();
    };
  };
}

/** A client that answers only if told, and when the server sent it heartbeats. */
export async function open({ io, clock, url }: Opened, protocol = 4) {
  const connected = once(io.engine, 'connection') as Promise<[RawConnection]>;
  const client = new WebSocket(`${url}/socket.io/?EIO=${protocol}&transport=websocket`);
  const heard: string[] = [];
  client.on('message', (data) => heard.push((data as Buffer).toString()));
  const [raw] = await connected;
  const beats = beatsOf(raw, clock);
  await until(() => heard.length > 0);
  return {
    client,
    raw,
    beats,
    heard,
    answer: async () => {
      const answered = once(raw, 'heartbeat');
      client.send('3');
      await answered;
    },
    leave: async () => {
      const closed = once(raw, 'close');
      client.terminate();
      await closed;
    },
  };
}

function beatsOf(raw: object, clock: HandClock): number[] {
  const own = raw as { sendPacket(type: string, ...rest: unknown[]): void };
  const sendPacket = own.sendPacket.bind(raw);
  const beats: number[] = [];
  own.sendPacket = (type, ...rest) => {
    if (type === 'ping') beats.push(clock.real.elapsed());
    sendPacket(type, ...rest);
  };
  return beats;
}
