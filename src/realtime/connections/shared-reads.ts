import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** As much as Node takes from the system in one read. */
const BUFFER_BYTES = 65_536;
/** The bytes of the read that is being handled. One buffer is enough, because a read is handled before the next one. */
const shared = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** The names of the fields in which a socket keeps its option `onread`. Node does not export them. */
const fields = new Map(Object.getOwnPropertySymbols(new Socket()).map((name) => [name.description, name]));
const BUFFER = fields.get('kBuffer');
const CALLBACK = fields.get('kBufferCb');

/** A socket with these fields, and with the connection of the system below it. */
type Inside = Record<symbol, unknown> & { readonly _handle?: { useUserBuffer?(buffer: Buffer): void } | null };

/** Says whether this Node has the fields that `shareReads` needs. */
export function canShareReads(): boolean {
  return BUFFER !== undefined && CALLBACK !== undefined;
}

/**
 * Lets a TCP connection read into the buffer that all of them share. Otherwise Node allocates 64 KiB for each read and passes the bytes
 * through a stream. This is the option `onread` of `net.Socket`, which Node does not offer for the connections that a server accepts.
 * Connections of other classes, and all of them if `canShareReads` is false, stay as they are.
 * @param take handles the start of a read, and returns the rest, which then takes the way through the stream; null if
 * there is none. The bytes change after it returns.
 */
export function shareReads(connection: Duplex, take: (bytes: Buffer) => Buffer | null): void {
  if (!(connection instanceof Socket) || BUFFER === undefined || CALLBACK === undefined) return;
  const inside = connection as Socket & Inside;
  if (inside._handle?.useUserBuffer === undefined) return;
  inside[BUFFER] = shared;
  inside[CALLBACK] = (length: number): boolean => {
    const bytes = shared.subarray(0, length);
    // Bytes that wait in the stream come first.
    const rest = connection.readableLength === 0 ? take(bytes) : bytes;
    return rest === null || connection.push(Buffer.from(rest));
  };
  inside._handle.useUserBuffer(shared);
}
