// Thousands of socket clients in one process. They speak WebSocket, Engine.IO and Socket.IO frames over plain TCP, so
// that the load costs less than the server that it measures.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A WebSocket client that sends ready-made frames and receives texts. */
export type FrameClient = {
  /** Sends a frame made by `textFrame`. */
  send(frame: Buffer): void;
  /** Stops or continues to read. Meanwhile the server's messages wait, first in the buffers of both systems. */
  pause(): void;
  resume(): void;
  close(): void;
  readonly isOpen: () => boolean;
};

const OPCODE_TEXT = 1;
const OPCODE_CLOSE = 8;
const OPCODE_PING = 9;
const OPCODE_PONG = 10;
const HANDSHAKE_MS = 20_000;

/** A masked text frame of at most 65,535 bytes. The mask is zero, so that its payload can be patched in place. */
export function textFrame(text: string): Buffer {
  return frameOf(OPCODE_TEXT, Buffer.from(text));
}

/** The offset of the payload in a frame made by `textFrame`. */
export function payloadStart(frame: Buffer): number {
  return ((frame[1] ?? 0) & 0x7f) === 126 ? 8 : 6;
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The target of a connection, and its own address on this machine. The default of both is the loopback. */
export type Way = {
  readonly host?: string;
  readonly localAddress?: string | undefined;
  /** More headers of the upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Opens a WebSocket.
 * @param onClose called when the connection has closed after it was open
 * @throws Error when the server does not answer the upgrade with 101 in time
 */
export function openFrames(
  port: number,
  path: string,
  onText: (text: string) => void,
  { host = '127.0.0.1', localAddress, headers = {} }: Way = {},
  onClose: () => void = () => {},
): Promise<FrameClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
    const timer = setTimeout(() => socket.destroy(new Error(`no upgrade in ${HANDSHAKE_MS} ms`)), HANDSHAKE_MS);
    let isOpen = false;
    let rest: Buffer = Buffer.alloc(0);
    socket.on('connect', () => socket.write(upgradeRequest(port, path, headers)));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      if (isOpen) onClose();
      else reject(new Error('the connection was closed'));
      isOpen = false;
    });
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        clearTimeout(timer);
        const status = rest.subarray(0, end).toString('latin1').split('\r\n', 1)[0] ?? '';
        if (!status.includes(' 101 ')) return void socket.destroy(new Error(status));
        rest = rest.subarray(end + 4);
        isOpen = true;
        resolve({
          send: (frame) => socket.write(frame),
          pause: () => void socket.pause(),
          resume: () => void socket.resume(),
          close: () => void socket.destroy(),
          isOpen: () => isOpen,
        });
      }
      rest = readFrames(rest, socket, onText);
    });
  });
}

function upgradeRequest(port: number, path: string, headers: Readonly<Record<string, string>>): string {
  return [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');
}

/** Reads whole frames and returns the rest. */
function readFrames(bytes: Buffer, socket: Socket, onText: (text: string) => void): Buffer {
  let at = 0;
  while (bytes.length - at >= 2) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length - at < head) break;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (bytes.length - at < head + length) break;
    const payload = bytes.subarray(at + head, at + head + length);
    at += head + length;
    if (opcode === OPCODE_TEXT) onText(payload.toString('utf8'));
    else if (opcode === OPCODE_PING) socket.write(frameOf(OPCODE_PONG, payload));
    else if (opcode === OPCODE_CLOSE) socket.destroy();
  }
  return at === bytes.length ? Buffer.alloc(0) : bytes.subarray(at);
}

export type SocketIoOptions = {
  readonly port: number;
  /** `/` or a name such as `/courier`. */
  readonly namespace: string;
  readonly auth: object;
  /** An event of the server as JSON text. It is acknowledged at once if the server asks for it. */
  readonly onEvent: (json: string) => void;
  /** An answer to the message with this number, as JSON text. */
  readonly onAck: (id: number, json: string) => void;
  /** The server has ended the namespace for good. A client of Socket.IO then stays away. */
  readonly onSentAway?: () => void;
};

/** Opens a Socket.IO connection in one namespace. @throws Error when it is refused, or closes before it has joined */
export function openSocketIo(options: SocketIoOptions): Promise<FrameClient> {
  const prefix = prefixOf(options.namespace);
  const pong = textFrame('3');
  const hello = textFrame(`40${prefix}${JSON.stringify(options.auth)}`);
  return new Promise((resolve, reject) => {
    const hearText = (text: string): void => {
      // The server's first frame may come with its answer to the upgrade, before the client exists.
      if (text.startsWith('0')) opening.then((client) => client.send(hello), reject);
      else if (text === '2') void opening.then((client) => client.send(pong));
      else if (text.startsWith('40')) resolve(opening);
      else if (text.startsWith('41')) options.onSentAway?.();
      else if (text.startsWith('44')) reject(new Error(text));
      else if (text.startsWith('42')) hear(opening, prefix, text, options.onEvent);
      else if (text.startsWith('43')) hearAck(prefix, text, options.onAck);
    };
    const leave = (): void => reject(new Error('the connection closed before it joined'));
    const opening = openFrames(options.port, '/socket.io/?EIO=4&transport=websocket', hearText, {}, leave);
    opening.catch(reject);
  });
}

/** `/courier,` before the body of a packet; nothing for the root. */
export function prefixOf(namespace: string): string {
  return namespace === '/' ? '' : `${namespace},`;
}

function hear(opening: Promise<FrameClient>, prefix: string, text: string, onEvent: (json: string) => void): void {
  const from = 2 + prefix.length;
  const start = text.indexOf('[', from);
  if (start > from) void opening.then((client) => client.send(textFrame(`43${prefix}${text.slice(from, start)}[]`)));
  onEvent(text.slice(start));
}

function hearAck(prefix: string, text: string, onAck: (id: number, json: string) => void): void {
  const from = 2 + prefix.length;
  const start = text.indexOf('[', from);
  onAck(Number(text.slice(from, start)), text.slice(start));
}
