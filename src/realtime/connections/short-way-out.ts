import { WebSocket } from 'ws';
import type { RawConnection } from '../sockets.ts';
import { leanSocketOf, MOST_BYTES } from './lean-websocket.ts';

/** The first byte of each type of packet of Engine.IO that takes the short way. */
const FIRST_BYTES: Readonly<Record<string, string>> = { message: '4', ping: '2' };
/** The first byte of a frame that is a whole text. */
const TEXT = '\x81';
/** Says that two bytes with the length of the payload follow. */
const LONG = '\x7e';
/** The longest payload whose length stands in the second byte. */
const MOST_SHORT = 125;

/** The parts of Engine.IO that it does not export. Its queue is empty while the transport is writable. */
type Queue = {
  readonly transport: { readonly writable: boolean };
  sendPacket(type: string, data?: string | Buffer, options?: object, sent?: () => void): void;
};

/**
 * Lets messages and heartbeats of the connection take the short way. While nothing waits in the queues of Engine.IO, `ws`
 * and TCP, a short packet of ASCII text becomes a frame at once, which is written at the end of the turn of the event loop.
 * Whatever was sent before it is written already or together with it, so the order stays the same. All other packets go
 * through the queues, where unread bytes are counted.
 */
export function openShortWayOut(raw: RawConnection): void {
  const frames = leanSocketOf(raw.request);
  if (frames === null) return;
  const tcp = raw.request.socket;
  const queue = queueOf(raw);
  const sendPacket = queue.sendPacket.bind(raw);
  queue.sendPacket = (type, data = '', options, sent) => {
    const nothingWaits = queue.transport.writable && tcp.writableLength === 0 && frames.readyState === WebSocket.OPEN;
    // Only the queues tell a caller that a packet was sent. Engine.IO also takes the function for it in place of the options.
    const isAsked = sent !== undefined || typeof options === 'function';
    const frame = nothingWaits && !isAsked && typeof data === 'string' ? frameOf(type, data) : null;
    if (frame === null) sendPacket(type, data, options, sent);
    else frames.sendTogether(frame);
  };
}

/** The connection with the parts that Engine.IO hides. The compiler sees them only if it does not know what the object is. */
function queueOf(raw: object): Queue {
  return raw as Queue;
}

/** The frame of a packet, a character for each byte; null for a packet of another type, a long text and one that is not ASCII. */
function frameOf(type: string, text: string): string | null {
  const first = FIRST_BYTES[type];
  const bytes = 1 + text.length;
  if (first === undefined || bytes > MOST_BYTES || Buffer.byteLength(text) !== text.length) return null;
  const length =
    bytes <= MOST_SHORT ? String.fromCharCode(bytes) : LONG + String.fromCharCode(bytes >> 8, bytes & 0xff);
  return TEXT + length + first + text;
}
