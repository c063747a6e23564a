import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as TcpSocket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fc, test as property } from '@fast-check/vitest';
import { Server } from 'socket.io';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { RawConnection } from '../../../src/realtime/sockets.ts';
import { leanServer, leanSocketOf } from '../../../src/realtime/connections/lean-websocket.ts';
import { openShortWayOut } from '../../../src/realtime/connections/short-way-out.ts';
import { keptLog } from '../../kept-ports.ts';

/** A server whose connections take the short way, as the real one makes them. */
const http = createServer();
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, wsEngine: leanServer(keptLog())! });
http.listen(0, '127.0.0.1');
afterAll(() => io.close());

/** A client without a library for packets, and the server's side of its connection. */
async function open() {
  if (!http.listening) await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const connected = once(io.engine, 'connection') as Promise<[RawConnection]>;
  const client = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
  const heard: string[] = [];
  client.on('message', (data, isBinary) =>
    heard.push(isBinary ? `binary ${(data as Buffer).toString()}` : (data as Buffer).toString()),
  );
  const [raw] = await connected;
  const tcp = raw.request.socket;
  openShortWayOut(raw);
  // The first packet says what the server offers.
  await expect.poll(() => heard).toHaveLength(1);
  heard.length = 0;
  return { client, raw, tcp, heard, short: shortOnes(tcp) };
}

/** Counts what is written to the connection as text, which only the short way does. */
function shortOnes(tcp: TcpSocket): { count: number } {
  const counted = { count: 0 };
  const write = tcp.write.bind(tcp) as (...given: unknown[]) => boolean;
  Object.assign(tcp, {
    write: (...given: unknown[]) => {
      if (given[1] === 'latin1') counted.count += 1;
      return write(...given);
    },
  });
  return counted;
}

const MOST_TURNS = 10_000;
const lengths = fc.constantFrom(1, 60, 123, 124, 125, 126, 4094, 4095, 4096, 300_000);
const packets = fc.record({
  text: fc.oneof(
    lengths.map((length) => 'x'.repeat(length)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  ),
  isBinary: fc.boolean(),
  /** Before the packet, the client does nothing, stops reading, or reads again. */
  turns: fc.constantFrom('no', 'no', 'no', 'deaf', 'reads'),
  waits: fc.boolean(),
});

property.prop([fc.array(packets, { minLength: 1, maxLength: 25 })], { numRuns: 60 })(
  '[T58] packets arrive whole and in order, whichever way each one takes and however slowly the client reads',
  async (sent) => {
    const { client, raw, heard } = await open();
    const wanted = sent.map(({ text, isBinary }) => (isBinary ? `binary ${text}` : `4${text}`));
    for (const { text, isBinary, turns, waits } of sent) {
      if (turns === 'deaf') client.pause();
      if (turns === 'reads') client.resume();
      raw.write(isBinary ? Buffer.from(text) : text);
      if (waits) await setImmediate();
    }
    client.resume();
    // A close does not overtake the packets.
    raw.close();
    await once(client, 'close');
    expect(heard).toEqual(wanted);
  },
);

test('[T58] a short text takes the short way only while nothing waits', async () => {
  const { client, raw, tcp, heard, short } = await open();
  raw.write('2["one"]');
  raw.write('2["schön"]');
  expect(short.count).toBe(1);
  raw.write('2["after it"]');
  await setImmediate();
  expect(short.count).toBe(1);
  await expect.poll(() => heard).toEqual(['42["one"]', '42["schön"]', '42["after it"]']);
  client.pause();
  // The system takes some of it, and then the rest waits.
  for (let turn = 0; tcp.writableLength === 0 && turn < MOST_TURNS; turn += 1) raw.write('x'.repeat(4000));
  expect(tcp.writableLength).toBeGreaterThan(0);
  const before = short.count;
  raw.write('2["last"]');
  await setImmediate();
  expect(short.count).toBe(before);
  client.resume();
  await expect.poll(() => heard.at(-1)).toBe('42["last"]');
  client.terminate();
});

test('[T58] a heartbeat takes the short way, and other packets of the protocol do not', async () => {
  const { client, raw, heard, short } = await open();
  const hidden: object = raw;
  const own = hidden as { sendPacket(type: string, data?: string): void };
  own.sendPacket('ping');
  own.sendPacket('noop');
  await setImmediate();
  expect(short.count).toBe(1);
  await expect.poll(() => heard).toEqual(['2', '6']);
  client.terminate();
});

test('[T58] the short packets of one turn are written together', async () => {
  const { client, raw, heard, short } = await open();
  const sent = ['2["one"]', '2["two"]', '2["three"]'];
  for (const text of sent) raw.write(text);
  expect(short.count).toBe(0);
  await setImmediate();
  expect(short.count).toBe(1);
  raw.write('2["four"]');
  await setImmediate();
  expect(short.count).toBe(2);
  await expect.poll(() => heard).toEqual([...sent, '2["four"]'].map((text) => `4${text}`));
  client.terminate();
});

test('[T58] less than 16 KiB wait for the end of a turn', async () => {
  const { client, raw, tcp, short } = await open();
  const before = tcp.bytesWritten;
  for (let number = 1; number <= 50; number += 1) {
    raw.write('x'.repeat(4000));
    expect(number * 4000 - (tcp.bytesWritten - before)).toBeLessThan(16 * 1024);
  }
  expect(short.count).toBe(10);
  client.terminate();
});

test('[T58] a caller who asks is told when the packet was sent', async () => {
  const { client, raw, short } = await open();
  await new Promise<void>((resolve) => raw.write('2["one"]', {}, () => resolve()));
  const inPlaceOfOptions = raw.send.bind(raw) as (data: string, sent: () => void) => void;
  await new Promise<void>((resolve) => inPlaceOfOptions('2["two"]', () => resolve()));
  expect(short.count).toBe(0);
  client.terminate();
});

test('[T58] nothing is written to a connection that closes or is closed', async () => {
  const { client, raw, short } = await open();
  raw.close();
  raw.write('2["late"]');
  await once(client, 'close');
  raw.write('2["later"]');
  expect(short.count).toBe(0);
});

test('[T58] what waits for the end of a turn is written before the frame of a close, whoever closes', async () => {
  const { client, raw, heard } = await open();
  raw.write('2["last"]');
  leanSocketOf(raw.request)!.close();
  await once(client, 'close');
  expect(heard).toEqual(['42["last"]']);
});

test('[T58] what waits for the end of a turn is dropped if the connection breaks before', async () => {
  const { client, raw, short } = await open();
  raw.write('2["late"]');
  leanSocketOf(raw.request)!.terminate();
  await once(client, 'close');
  expect(short.count).toBe(0);
});
