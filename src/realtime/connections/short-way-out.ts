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
/** Short packets of one turn that are written together, bytes. More of them must not wait, because nobody counts them as unread. */
const MOST_TOGETHER = 16_384;

/** The parts of Engine.IO that it does not export. Its queue is empty while the transport is writable. */
type Queue = {
  readonly transport: { readonly writable: boolean };
  sendPacket(type: string, data?: string | Buffer, options?: object, sent?: () => void): void;
  closeTransport(discard?: boolean): void;
};

/**
 * Lets messages and heartbeats of the connection take the short way. While nothing waits in the queues of Engine.IO, `ws`
 * and TCP, a short packet of ASCII text goes to the TCP connection at the end of the turn of the event loop, after the
 * messages that have arrived with the one it answers. Other packets and a close wait until it is written, so the order stays
 * the same. They go through the queues, where unread bytes are counted.
 *
 * A server that writes all answers of a turn together wakes the system, and often the client, once for many of them.
 */
export function openShortWayOut(raw: RawConnection): void {
  const frames = leanSocketOf(raw.request);
  if (frames === null) return;
  const tcp = raw.request.socket;
  const queue = queueOf(raw);
  let together = '';
  const write = (): void => {
    if (together !== '' && frames.readyState === WebSocket.OPEN) tcp.write(together, 'latin1');
    together = '';
  };
  const sendPacket = queue.sendPacket.bind(raw);
  queue.sendPacket = (type, data = '', options, sent) => {
    const nothingWaits = queue.transport.writable && tcp.writableLength === 0 && frames.readyState === WebSocket.OPEN;
    // Only the queues tell a caller that a packet was sent. Engine.IO also takes the function for it in place of the options.
    const isAsked = sent !== undefined || typeof options === 'function';
    const frame = nothingWaits && !isAsked && typeof data === 'string' ? frameOf(type, data) : null;
    if (frame === null) {
      write();
      sendPacket(type, data, options, sent);
      return;
    }
    if (together === '') setImmediate(write);
    together += frame;
    if (together.length >= MOST_TOGETHER) write();
  };
  const closeTransport = queue.closeTransport.bind(raw);
  queue.closeTransport = (discard) => {
    write();
    closeTransport(discard);
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
