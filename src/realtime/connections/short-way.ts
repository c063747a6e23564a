import { WebSocket } from 'ws';
import type { RawConnection } from './connection.ts';
import { LeanWebSocket, MOST_BYTES } from './lean-websocket.ts';

/** The first byte of a message of Engine.IO. */
const MESSAGE = '4';
/** The first byte of a frame that is a whole text. */
const TEXT = '\x81';
/** Says that two bytes with the length of the payload follow. */
const LONG = '\x7e';
/** The longest payload whose length stands in the second byte. */
const MOST_SHORT = 125;

/** The field of Engine.IO that it does not export. Its queue is empty while the transport is writable. */
type Queue = { readonly transport: { readonly writable: boolean } };

/**
 * Lets packets of the connection take the short way. While nothing waits in the queues of Engine.IO, `ws` and TCP, a
 * short packet of ASCII text is written to the TCP connection at once. Whatever was sent before it is there already, so
 * the order stays the same. All other packets go through the queues, where unread bytes are counted.
 */
export function shorten(raw: RawConnection): void {
  const { request } = raw;
  const frames = 'websocket' in request ? request.websocket : null;
  // Only with this class the versions of the libraries are known.
  if (!(frames instanceof LeanWebSocket)) return;
  const tcp = request.socket;
  const queue = raw as unknown as Queue;
  const write = raw.write.bind(raw);
  raw.write = (data, options, sent) => {
    const nothingWaits = queue.transport.writable && tcp.writableLength === 0 && frames.readyState === WebSocket.OPEN;
    const frame = nothingWaits && sent === undefined && typeof data === 'string' ? frameOf(data) : null;
    if (frame === null) return write(data, options, sent);
    tcp.write(frame, 'latin1');
    return raw;
  };
}

/** The frame of a message, a character for each byte; null for a text that is long or not ASCII. */
function frameOf(text: string): string | null {
  const bytes = MESSAGE.length + text.length;
  if (bytes > MOST_BYTES || Buffer.byteLength(text) !== text.length) return null;
  const length =
    bytes <= MOST_SHORT ? String.fromCharCode(bytes) : LONG + String.fromCharCode(bytes >> 8, bytes & 0xff);
  return TEXT + length + MESSAGE + text;
}
