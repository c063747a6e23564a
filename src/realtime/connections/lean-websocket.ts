import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';
import type { Log } from '../../ports/process.ts';

/** The versions whose inside the classes below know. */
const KNOWN = { ws: '8.21.3', 'engine.io': '6.6.11' } as const;

/** Longest text that is read or written in one piece, bytes. Copying longer ones would cost more than it saves. */
const MOST_BYTES = 4096;

const TEXT_FRAME = 0x81;
const MASKED = 0x80;
/** The state of a receiver that waits for the first byte of a frame. */
const AT_FRAME = 0;

type Sent = (error?: Error) => void;
type Frame = readonly (Buffer | string)[];

/** The fields of `ws` that it does not export. */
type Receiver = {
  readonly writableLength: number;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  readonly _state: number;
  readonly _bufferedBytes: number;
  readonly _fragmented: number;
  readonly _errored: boolean;
  readonly _maxPayload: number;
  write(chunk: Buffer): boolean;
  emit(event: 'message', text: string, isBinary: boolean): boolean;
};
type Sender = { readonly _socket: Written; sendFrame(frame: Frame, sent?: Sent): void };
type Written = { write(chunk: Buffer, sent?: Sent): boolean };
type Inside = WebSocket & {
  readonly _receiver: Receiver;
  readonly _sender: Sender;
  setSocket(socket: Duplex, head: Buffer, options: object): void;
};

/**
 * The class of WebSockets for `wsEngine`: it writes a frame in one piece, and reads whole frames of plain ASCII text without
 * the general receiver. It leaves everything else to `ws`. Null, with a line in the log, if another version of `ws` or
 * Engine.IO is installed than the one whose inside this file knows.
 */
export function leanEngine(log: Log, found = versions()): typeof LeanServer | null {
  const unknown = Object.entries(KNOWN).filter(([name, version]) => found[name] !== version);
  if (unknown.length === 0) return LeanServer;
  log.warn(
    { known: KNOWN, found },
    'sockets cost more: unknown versions of ws or engine.io, so their own classes are used',
  );
  return null;
}

function versions(): Readonly<Record<string, unknown>> {
  const socketIo = createRequire(import.meta.url).resolve('socket.io');
  return { ws: versionOf('ws', import.meta.url), 'engine.io': versionOf('engine.io', pathToFileURL(socketIo)) };
}

/** The version of a package as the module at this address finds it. */
function versionOf(name: string, from: string | URL): unknown {
  const path = findPackageJSON(name, from);
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: unknown }).version;
}

class LeanWebSocket extends (WebSocket as unknown as new (...args: unknown[]) => Inside) {
  override setSocket(socket: Duplex, head: Buffer, options: object): void {
    super.setSocket(socket, head, options);
    const { _receiver: receiver, _sender: sender } = this;
    const write = receiver.write.bind(receiver);
    receiver.write = (chunk) => {
      const rest = readTexts(this, receiver, chunk);
      return rest === null || write(rest);
    };
    const sendFrame = sender.sendFrame.bind(sender);
    sender.sendFrame = (frame, sent) => {
      const whole = wholeFrame(frame);
      if (whole === null) sendFrame(frame, sent);
      else sender._socket.write(whole, sent);
    };
  }
}

class LeanServer extends WebSocketServer {
  constructor(options?: ServerOptions) {
    super({ ...options, WebSocket: LeanWebSocket as unknown as typeof WebSocket });
  }
}

/** The text of one frame without its mask. No text is read while another one is in it. */
const scratch = Buffer.allocUnsafe(MOST_BYTES);

/**
 * Emits the whole frames of ASCII text at the start of the chunk.
 * @returns the rest, which the receiver itself must read; null if there is none
 */
function readTexts(socket: Inside, receiver: Receiver, chunk: Buffer): Buffer | null {
  let at = 0;
  while (at < chunk.length && isAtFrame(socket, receiver)) {
    const length = chunk[at + 1]! & ~MASKED;
    const isLong = length === 126;
    const start = at + (isLong ? 8 : 6);
    if (chunk[at] !== TEXT_FRAME || chunk[at + 1]! < MASKED || length > 126 || chunk.length < start) break;
    const bytes = isLong ? chunk.readUInt16BE(at + 2) : length;
    if (chunk.length < start + bytes || bytes > MOST_BYTES || bytes > receiver._maxPayload) break;
    if (!unmask(chunk, start, bytes)) break;
    at = start + bytes;
    receiver.emit('message', scratch.toString('latin1', 0, bytes), false);
  }
  return at === chunk.length ? null : chunk.subarray(at);
}

/** Nothing of an earlier frame is left, and the connection is open. */
function isAtFrame(socket: Inside, receiver: Receiver): boolean {
  return (
    socket.readyState === WebSocket.OPEN &&
    receiver._state === AT_FRAME &&
    receiver._bufferedBytes === 0 &&
    receiver._fragmented === 0 &&
    receiver.writableLength === 0 &&
    !receiver._errored &&
    !receiver.writableEnded &&
    !receiver.destroyed
  );
}

/** Writes the text of a frame to `scratch`. Its mask lies before it. Returns false if a character is not ASCII. */
function unmask(chunk: Buffer, start: number, bytes: number): boolean {
  let seen = 0;
  for (let i = 0; i < bytes; i += 1) {
    const byte = chunk[start + i]! ^ chunk[start - 4 + (i & 3)]!;
    seen |= byte;
    scratch[i] = byte;
  }
  return seen < 0x80;
}

/** The head and the text of a frame in one buffer; null if it has one already, or is long. */
function wholeFrame([head, text]: Frame): Buffer | null {
  if (typeof head !== 'object' || text === undefined || text.length > MOST_BYTES) return null;
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
  const whole = Buffer.allocUnsafe(head.length + bytes);
  whole.set(head);
  if (typeof text === 'string') whole.write(text, head.length);
  else whole.set(text, head.length);
  return whole;
}
