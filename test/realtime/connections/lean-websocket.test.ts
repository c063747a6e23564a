import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { leanServer } from '../../../src/realtime/connections/lean-websocket.ts';
import { keptLog } from '../../kept-ports.ts';

type ServerClass = typeof WebSocketServer;
/** The class that a server makes its connections of, without the parts that need an upgrade. */
type Class = new (
  address: null,
  protocols: undefined,
  options: object,
) => WebSocket & {
  setSocket(socket: Duplex, head: Buffer, options: object): void;
  readonly _receiver: object;
  readonly _sender: { sendFrame(frame: readonly (Buffer | string)[], sent?: () => void): void };
};

/** More than the lean sockets read themselves. */
const MOST_PAYLOAD = 6000;
const Lean = leanServer(keptLog()) as ServerClass | null;

/** A connection of a server over a wire in memory, and all that it says. */
function open(serverClass: ServerClass) {
  const { options } = new serverClass({ noServer: true, maxPayload: MOST_PAYLOAD, perMessageDeflate: false });
  const heard: string[] = [];
  const written: Buffer[] = [];
  const pieces: number[] = [];
  const wire = new Duplex({
    read: () => {},
    writev: (chunks, done) => {
      pieces.push(chunks.length);
      written.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)));
      done();
    },
  });
  const socket = new (options.WebSocket as unknown as Class)(null, undefined, options);
  socket.setSocket(wire, Buffer.alloc(0), { maxPayload: MOST_PAYLOAD, allowSynchronousEvents: true });
  socket.on('message', (data, isBinary) => {
    // Engine.IO takes text as a string or a buffer.
    const bytes = Buffer.from(data as Buffer);
    heard.push(isBinary ? `binary ${bytes.toString('hex')}` : `text ${bytes.toString()}`);
  });
  socket.on('ping', (data: Buffer) => heard.push(`ping ${data.toString('hex')}`));
  socket.on('pong', (data: Buffer) => heard.push(`pong ${data.toString('hex')}`));
  socket.on('error', ({ message }) => heard.push(`error ${message}`));
  socket.on('close', (code) => heard.push(`close ${code}`));
  return { socket, wire, heard, written, pieces };
}

type Frame = { readonly first: number; readonly payload: Buffer; readonly mask: readonly number[] | null };
/** A frame with the places at which its bytes are cut, and whether the next one comes in the same piece. */
type Sent = Frame & { readonly cuts: readonly number[]; readonly isJoined: boolean };

function piecesOf(sent: readonly Sent[]): Buffer[] {
  const pieces: Buffer[] = [];
  let joined = Buffer.alloc(0);
  for (const { cuts, isJoined, ...frame } of sent) {
    const bytes = Buffer.concat([joined, bytesOf(frame)]);
    const places = cuts.map((at) => at + joined.length).filter((at) => at < bytes.length);
    const ends = [...new Set(places), bytes.length].toSorted((a, b) => a - b);
    const cut = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
    joined = isJoined ? (cut.pop() ?? joined) : Buffer.alloc(0);
    pieces.push(...cut);
  }
  return [...pieces, joined].filter(({ length }) => length > 0);
}

function bytesOf({ first, payload, mask }: Frame): Buffer {
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 4 : 2);
  head[0] = first;
  head[1] = (mask === null ? 0 : 0x80) | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  if (mask === null) return Buffer.concat([head, payload]);
  const masked = payload.map((byte, at) => byte ^ mask[at & 3]!);
  return Buffer.concat([head, Buffer.from(mask), masked]);
}

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 300 }).map((text) => Buffer.from(text));
const payloads = fc.oneof(
  { arbitrary: ascii, weight: 6 },
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 100, max: MOST_PAYLOAD + 200 }).map((length) => Buffer.alloc(length, 'long ')),
);
const TEXT = 0x81;
/** Text and binary, whole and in fragments; closes, pings and pongs; bits and operations that nobody may send. */
const firsts = fc.oneof(
  { arbitrary: fc.constant(TEXT), weight: 12 },
  { arbitrary: fc.constantFrom(0x01, 0x00, 0x80), weight: 5 },
  fc.constantFrom(0x82, 0x02, 0x88, 0x89, 0x8a, 0xc1, 0x91, 0x83),
);
const NO_MASK = [0, 0, 0, 0];
const mask = fc.oneof(fc.constant(NO_MASK), fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }));
/** A frame as the content of another one: what comes after a cut then looks like a frame. */
const nested = fc.record({ first: fc.constant(TEXT), payload: ascii, mask }).map(bytesOf);
const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 400 })), { maxLength: 3 });
const frames = fc.array(
  fc.record({
    first: firsts,
    payload: fc.oneof({ arbitrary: payloads, weight: 3 }, nested),
    mask: fc.option(mask, { freq: 30 }),
    cuts,
    isJoined: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

property.prop([frames], { numRuns: 600 })(
  '[T54] the lean sockets read any bytes, in any pieces, as the sockets of the library do',
  async (sent) => {
    const both = [open(WebSocketServer), open(Lean!)];
    for (const [turn, piece] of piecesOf(sent).entries()) {
      // Each has its own copy, since a receiver takes masks off in place.
      for (const { wire } of both) wire.push(Buffer.from(piece));
      if (turn % 3 === 0) await setImmediate();
    }
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    const [stock, lean] = both;
    expect(lean!.heard).toEqual(stock!.heard);
    expect(Buffer.concat(lean!.written)).toEqual(Buffer.concat(stock!.written));
    for (const { wire } of both) wire.destroy();
  },
);

const longOnes = fc.integer({ min: 4000, max: 70_000 }).map((length) => 'é'.repeat(length));

property.prop([fc.array(fc.oneof(payloads, payloads.map(String), longOnes), { minLength: 1, maxLength: 12 })])(
  '[T54] the lean sockets write the bytes that the sockets of the library do, and report each text once it is written',
  async (texts) => {
    const both = [open(WebSocketServer), open(Lean!)];
    for (const { socket, heard } of both) {
      for (const [number, text] of texts.entries()) socket.send(text, () => heard.push(`sent ${number}`));
      const head = Buffer.from([TEXT, 2]);
      socket._sender.sendFrame([head, Buffer.from('42')], () => heard.push('sent prepared'));
    }
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    const [stock, lean] = both;
    expect(Buffer.concat(lean!.written)).toEqual(Buffer.concat(stock!.written));
    expect(lean!.heard).toEqual(stock!.heard);
    expect(lean!.heard).toHaveLength(texts.length + 1);
    for (const { wire } of both) wire.destroy();
  },
);

test('[T54] the second byte of a head may look like the start of a frame', async () => {
  const both = [open(WebSocketServer), open(Lean!)];
  // A binary frame of one byte, 0x81 as its length with the mask bit, and a mask that looks like an empty text.
  for (const { wire } of both) {
    wire.push(Buffer.from([0x82]));
    await setImmediate();
    wire.push(Buffer.from([0x81, 0x80, 0, 0, 0, 0x87]));
  }
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  expect(both[0]!.heard).toEqual(['binary 07']);
  expect(both[1]!.heard).toEqual(both[0]!.heard);
});

test('[T54] after a text at which the server cuts the connection, what follows is treated as by the library', async () => {
  const both = [open(WebSocketServer), open(Lean!)];
  const [one, two] = ['one', 'two'].map((text) =>
    bytesOf({ first: TEXT, payload: Buffer.from(text), mask: [1, 2, 3, 4] }),
  );
  for (const { socket, wire } of both) {
    socket.on('message', () => socket.terminate());
    wire.push(Buffer.concat([one!, two!]));
  }
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  expect(both[0]!.heard[0]).toBe('text one');
  expect(both[1]!.heard).toEqual(both[0]!.heard);
});

test('[T54] a short text is read without the receiver of the library, and written in one piece', async () => {
  const { socket, wire, heard, pieces } = open(Lean!);
  let passedOn = 0;
  const pass = (_chunk: Buffer, _encoding: string, done: () => void): void => {
    passedOn += 1;
    done();
  };
  Object.assign(socket._receiver, { _write: pass });
  wire.push(bytesOf({ first: TEXT, payload: Buffer.from('one'), mask: [1, 2, 3, 4] }));
  socket.send('two');
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  expect([heard, passedOn, pieces]).toEqual([['text one'], 0, [1]]);
});

test('[T54] a frame that was made once for many sockets is joined once', async () => {
  const [one, two] = [open(Lean!), open(Lean!)];
  const frame = [Buffer.from([TEXT, 2]), Buffer.from('42')];
  for (const { socket } of [one, two]) socket._sender.sendFrame(frame);
  await setImmediate();
  expect(one!.written[0]!.toString('latin1')).toBe('\u0081\u000242');
  expect(two!.written[0]).toEqual(one!.written[0]);
});

test('[T55] the installed versions of ws and Engine.IO are those that the lean sockets know', () => {
  const log = keptLog();
  expect(leanServer(log)).not.toBeNull();
  expect(log.lines).toEqual([]);
});

test('[T55] with another version the server uses the sockets of the library and says so in one line', () => {
  const log = keptLog();
  expect(leanServer(log, { ws: '8.21.3', 'engine.io': '7.0.0' })).toBeNull();
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]?.fields).toMatchObject({ found: { 'engine.io': '7.0.0' } });
});

test('[T80] with a Node whose sockets look different inside, the lean sockets stay in use, and one line says so', () => {
  const log = keptLog();
  expect(leanServer(log, undefined, false)).not.toBeNull();
  expect(log.lines).toMatchObject([{ fields: { version: process.version } }]);
});
