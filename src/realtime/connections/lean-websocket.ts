import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';
import type { Log } from '../../ports/process.ts';
import { canShareReads, shareReads } from './shared-reads.ts';

/**
 * The versions that these classes, both short ways and the heartbeats were made for. They use fields that these packages do not
 * export.
 */
const KNOWN = { ws: '8.21.3', 'engine.io': '6.6.11' } as const;

/** Longest payload that is read or written in one piece, bytes. Copying longer ones would cost more than it saves. */
export const MOST_BYTES = 4096;

/**
 * Bytes of ready frames that wait for the end of a turn of the event loop. More must not wait, because nobody counts them as
 * unread.
 */
const MOST_TOGETHER = 16_384;

const TEXT_FRAME = 0x81;
const MASKED = 0x80;
/** The state of a receiver that waits for the first byte of a frame. */
const AT_FRAME = 0;

type OnSent = (error?: Error) => void;
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
  emit(event: string, ...given: unknown[]): boolean;
};
type Sender = { readonly _socket: Output; sendFrame(frame: Frame, sent?: OnSent): void };
type Output = { write(chunk: Buffer, sent?: OnSent): boolean; write(text: string, encoding: 'latin1'): boolean };
type OpenedWebSocket = WebSocket & {
  readonly _receiver: Receiver;
  readonly _sender: Sender;
  setSocket(socket: Duplex, head: Buffer, options: object): void;
};

/**
 * The server class for Engine.IO's `wsEngine`. Its sockets write short frames in one piece and read short frames of ASCII
 * text themselves. They leave everything else to `ws`. Returns null and logs a line if the installed versions of `ws` and
 * Engine.IO are unknown. Also logs a line if connections cannot share the buffer that they read into.
 */
export function leanServer(log: Log, found = versions(), sharesReads = canShareReads()): typeof LeanServer | null {
  const unknown = Object.entries(KNOWN).filter(([name, version]) => found[name] !== version);
  if (unknown.length === 0) {
    const { version } = process;
    if (!sharesReads)
      log.warn({ version }, 'unknown version of Node: reads do not share a buffer, which costs more CPU');
    return LeanServer;
  }
  log.warn(
    { known: KNOWN, found },
    'unknown versions of ws or engine.io: sockets use the classes of ws, which cost more CPU',
  );
  return null;
}

/**
 * The WebSocket of the connection that this request has opened. Null if it is not of our class, which is in use only if
 * the versions of `ws` and Engine.IO are known.
 */
export function leanSocketOf(request: object): LeanWebSocket | null {
  return 'websocket' in request && request.websocket instanceof LeanWebSocket ? request.websocket : null;
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

/** Sockets with frames that wait for the end of the turn. */
const unwritten: LeanWebSocket[] = [];

export class LeanWebSocket extends (WebSocket as unknown as new (...args: unknown[]) => OpenedWebSocket) {
  /** Ready frames that wait for the end of the turn, a character for each byte. */
  #together = '';

  override setSocket(socket: Duplex, head: Buffer, options: object): void {
    super.setSocket(socket, head, options);
    const { _receiver: receiver, _sender: sender } = this;
    const write = receiver.write.bind(receiver);
    const take = (chunk: Buffer): Buffer | null => readTexts(this, receiver, chunk);
    receiver.write = (chunk) => {
      const rest = take(chunk);
      return rest === null || write(rest);
    };
    shareReads(socket, take);
    const sendFrame = sender.sendFrame.bind(sender);
    sender.sendFrame = (frame, sent) => {
      this.#writeTogether();
      const whole = wholeFrame(frame);
      if (whole === null) sendFrame(frame, sent);
      else sender._socket.write(whole, sent);
    };
  }

  /**
   * Writes a ready frame, a character for each byte, at the end of this turn of the event loop. Frames of one turn are
   * written together, so that the system, and often the client, is woken once for all of them. Every other frame, also
   * that of a close, is written after them.
   */
  sendTogether(frame: string): void {
    if (this.#together === '' && unwritten.push(this) === 1) setImmediate(LeanWebSocket.#writeAll);
    this.#together += frame;
    if (this.#together.length >= MOST_TOGETHER) this.#writeTogether();
  }

  static #writeAll(this: void): void {
    for (const socket of unwritten.splice(0)) if (socket.readyState === WebSocket.OPEN) socket.#writeTogether();
  }

  #writeTogether(): void {
    const text = this.#together;
    if (text === '') return;
    this.#together = '';
    this._sender._socket.write(text, 'latin1');
  }

  /** Offers every message to this function first. Those for which it returns false go on to the listeners. */
  offerMessages(take: (data: Buffer | string, isBinary: boolean) => boolean): void {
    const receiver = this._receiver;
    const emit = receiver.emit.bind(receiver);
    receiver.emit = (event, ...given) => {
      const [data, isBinary] = given as [Buffer | string, boolean];
      return (event === 'message' && take(data, isBinary)) || emit(event, ...given);
    };
  }
}

/**
 * How long a client may take to answer a close, ms. A phone without a network never does, and neither does the Python
 * client. By default it is 30 s, and a server that stops would wait for all of them.
 */
const MOST_CLOSE_MS = 5000;

class LeanServer extends WebSocketServer {
  constructor(options?: ServerOptions) {
    const own = { closeTimeout: MOST_CLOSE_MS, WebSocket: LeanWebSocket as unknown as typeof WebSocket };
    super({ ...options, ...own });
  }
}

/** Holds the unmasked text of one frame, until it is copied into a string. */
const scratch = Buffer.allocUnsafe(MOST_BYTES);

/**
 * Emits the whole frames of ASCII text at the start of the chunk.
 * @returns the rest, which the receiver itself must read; null if there is none
 */
function readTexts(socket: OpenedWebSocket, receiver: Receiver, chunk: Buffer): Buffer | null {
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
function isAtFrame(socket: OpenedWebSocket, receiver: Receiver): boolean {
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

/** Frames that Socket.IO made once for many sockets, in one buffer. */
const joined = new WeakMap<Frame, Buffer>();

/** The head and the payload of a frame in one buffer; null if the frame is already one buffer, or if it is long. */
function wholeFrame(frame: Frame): Buffer | null {
  const [head, payload] = frame;
  if (typeof head !== 'object' || payload === undefined || payload.length > MOST_BYTES) return null;
  if (typeof payload === 'string') return join(head, payload, Buffer.byteLength(payload));
  const known = joined.get(frame);
  if (known !== undefined) return known;
  const whole = Buffer.concat([head, payload]);
  joined.set(frame, whole);
  return whole;
}

/** Null if the text is long. */
function join(head: Buffer, text: string, bytes: number): Buffer | null {
  if (bytes > MOST_BYTES) return null;
  const whole = Buffer.allocUnsafe(head.length + bytes);
  whole.set(head);
  whole.write(text, head.length);
  return whole;
}
