/** A service of one vendor that sends what a test says, and a feed that is live at it. */
import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { onTestFinished } from 'vitest';
import type { SocketEvent, VendorSnapshot } from '../../packages/client/src/generated/messages.ts';
import { openVendorFeed, type VendorFeedOptions } from '../../packages/client/src/sockets/vendor.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';

type Marks = Readonly<Record<string, number>>;
type Facts = { readonly status?: string; readonly created_at?: string };

/** The first moment of the service in these tests. A delivery is from then unless a test says otherwise. */
const FIRST_AT = '2026-03-01T08:00:00.000Z';

export async function aVendorFeed(options: Partial<VendorFeedOptions> = {}) {
  const server = createServer();
  const io = new Server(server, { transports: ['websocket'] });
  const handshakes: Marks[] = [];
  const asked: { delivery_id: string; after: number }[] = [];
  const log = new Map<string, object[]>();
  io.of('/vendor').on('connection', (socket) => {
    handshakes.push(socket.handshake.auth['last_seq']);
    socket.on('hello', (answer: (said: object) => void) => {
      service.greeted += 1;
      if (!service.isDeaf) answer({ ok: false });
    });
    socket.on('resync', (body: { delivery_id: string; after: number }, answer: (said: object) => void) => {
      asked.push(body);
      service.beforeAnswer();
      if (service.isDeaf) return;
      if (service.refuses) return answer({ ok: false });
      const events = (log.get(body.delivery_id) ?? []).slice(body.after);
      answer({ ok: true, events, through: body.after + events.length });
    });
  });
  const all = (): Socket[] => [...io.of('/vendor').sockets.values()];
  const eventOf = (id: string, sequence: number, type: string, delivery: Facts): object => ({
    object: 'event',
    type,
    delivery_id: id,
    sequence,
    data: { delivery: { created_at: FIRST_AT, ...delivery } },
  });
  const service = {
    asked,
    /** Called when the events of a delivery were requested. */
    beforeAnswer: (): void => undefined,
    /** Whether it refuses requests for events. */
    refuses: false,
    /** Whether it answers no question of a client. */
    isDeaf: false,
    /** How often it was asked this question. */
    greeted: 0,
    joined: () => handshakes,
    /** An event that nobody is told about. */
    note: (id: string, sequence: number, type: string, delivery: Facts = {}): object => {
      const event = eventOf(id, sequence, type, delivery);
      log.set(id, [...(log.get(id) ?? []), event]);
      return event;
    },
    tell: (id: string, sequence: number, type: string, delivery: Facts = {}): void => {
      const event = service.note(id, sequence, type, delivery);
      for (const socket of all()) socket.emit(type, event);
    },
    show: (id: string, sequence: number, delivery: Facts = {}): void => {
      const shown = { delivery_id: id, sequence, delivery: { status: 'searching', created_at: FIRST_AT, ...delivery } };
      for (const socket of all()) socket.emit('snapshot', shown);
    },
    beacon: (top: Marks) => {
      for (const socket of all()) socket.emit('top', top);
    },
    send: (name: string, message: unknown): void => {
      for (const socket of all()) socket.emit(name, message);
    },
    /** Sends a refusal without data. */
    refuseBarely: (): void => {
      for (const { conn } of all()) conn.write('4/vendor,');
    },
    cut: () => all().forEach((socket) => void socket.disconnect(true)),
  };
  const seen = { events: [] as SocketEvent[], snapshots: [] as VendorSnapshot[], states: [] as string[] };
  const feed = openVendorFeed({
    baseUrl: await openPort(server),
    apiKey: 'k',
    backoff: { firstMs: 5, mostMs: 10 },
    onEvent: (event) => void seen.events.push(event),
    onSnapshot: (snapshot) => void seen.snapshots.push(snapshot),
    onState: (state) => void seen.states.push(state),
    ...options,
  });
  onTestFinished(async () => {
    feed.close();
    await io.close();
  });
  await until(() => seen.states.includes('live'));
  return { feed, service, seen };
}
