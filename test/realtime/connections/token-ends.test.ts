import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Caller } from '../../../src/domain/access.ts';
import { newId } from '../../../src/domain/ids.ts';
import type { Connection } from '../../../src/realtime/connections/connection.ts';
import { Holders } from '../../../src/realtime/connections/holders.ts';
import { TokenEnds } from '../../../src/realtime/connections/token-ends.ts';
import type { ClientSocket, SocketCaller } from '../../../src/realtime/sockets.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { asVendor } from '../../callers.ts';
import { handClock } from '../../clock.ts';

type CourierCaller = Extract<Caller, { type: 'courier' }>;

const GRACE_MS = 30_000;

function aCourierUntil(expiresAt: number): CourierCaller {
  return { type: 'courier', courierId: newId('cou'), liveMode: true, sessionId: newId('ses'), expiresAt };
}

/** The parts of a connection that the ends of tokens read, and how often they were read. */
function aSocket(caller: SocketCaller) {
  const data = { caller };
  const read = { count: 0 };
  const socket: object = Object.defineProperty(Object.assign(new EventEmitter(), { connected: true }), 'data', {
    get: () => {
      read.count += 1;
      return data;
    },
  });
  return { socket: socket as ClientSocket, read };
}

test('[T60] of many connections, only those whose token has ended are read', async () => {
  const clock = handClock();
  const ends = new TokenEnds(clock);
  const all = Array.from({ length: 100 }, (_, index) => aSocket(aCourierUntil(clock.now() + 60_000 * (index + 1))));
  const forever = aSocket(asVendor({ vendorId: newId('ven'), liveMode: true }));
  for (const { socket } of [...all, forever]) ends.watch(socket);
  for (const { read } of all) read.count = 0;
  await clock.advance(60_000 + GRACE_MS - 1);
  expect(ends.take()).toEqual([]);
  await clock.advance(1);
  const taken = ends.take();
  expect(taken).toHaveLength(1);
  expect(taken[0]).toBe(all[0]!.socket);
  await clock.advance(60_000);
  expect(ends.take()).toHaveLength(1);
  expect(all.slice(2).every(({ read }) => read.count === 0)).toBe(true);
});

test('[T60] a token that replaces another one moves the end in either direction', async () => {
  const clock = handClock();
  const ends = new TokenEnds(clock);
  const courier = aCourierUntil(clock.now() + 60_000);
  const [later, sooner] = [aSocket(courier).socket, aSocket(courier).socket];
  for (const socket of [later, sooner]) ends.watch(socket);
  ends.move(later, { ...courier, expiresAt: clock.now() + 120_000 });
  ends.move(sooner, { ...courier, expiresAt: clock.now() + 10_000 });
  await clock.advance(10_000 + GRACE_MS);
  const first = ends.take();
  await clock.advance(60_000);
  expect(ends.take()).toEqual([]);
  await clock.advance(50_000);
  const second = ends.take();
  expect([first.length, second.length]).toEqual([1, 1]);
  expect(first[0] === sooner && second[0] === later).toBe(true);
});

test('[T60] a connection that has closed is forgotten, also if its end moves afterwards', async () => {
  const clock = handClock();
  const ends = new TokenEnds(clock);
  const courier = aCourierUntil(clock.now() + 60_000);
  const { socket } = aSocket(courier);
  ends.watch(socket);
  Object.assign(socket, { connected: false });
  (socket as object as EventEmitter).emit('disconnect');
  ends.move(socket, { ...courier, expiresAt: clock.now() + 10_000 });
  await clock.advance(200_000);
  expect(ends.take()).toEqual([]);
});

/** A connection that stays open, and why it was closed. */
function aConnection() {
  const closed: string[] = [];
  const connection: object = { isOpen: true, onClose: () => undefined, close: (reason: string) => closed.push(reason) };
  return { connection: connection as Connection, closed };
}

test('[T35] a courier who has a connection is not forgotten, however long ago they joined', async () => {
  const clock = handClock();
  const holders = new Holders({ ...defaultSettings().sockets, perCourier: 1 }, clock);
  const courier = aCourierUntil(clock.now() + 3_600_000);
  const first = aConnection();
  holders.take(courier, first.connection);
  await clock.advance(600_000);
  holders.sweep();
  holders.take(courier, aConnection().connection);
  expect(first.closed).toEqual(['newer']);
});
