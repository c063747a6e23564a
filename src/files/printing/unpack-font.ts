import assert from 'node:assert';
import { inflateSync } from 'node:zlib';

const SIGNATURE = 0x774f4646;
const WOFF_HEADER = 44;
const WOFF_ROW = 20;
const FONT_HEADER = 12;
const FONT_ROW = 16;

/** A table of a font: its name, its checksum and its bytes. */
type FontTable = { readonly tag: number; readonly checksum: number; readonly bytes: Uint8Array };

/**
 * Unpacks a font from WOFF 1.0 to OpenType. A library that reads the packed form unpacks each table at every use, which
 * takes seconds for one document.
 */
export function unpackFont(woff: Buffer): Buffer {
  assert(woff.readUInt32BE(0) === SIGNATURE, 'the file is a WOFF font');
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => readTable(woff, WOFF_HEADER + at * WOFF_ROW));
  const header = Buffer.alloc(FONT_HEADER + count * FONT_ROW);
  header.writeUInt32BE(woff.readUInt32BE(4), 0);
  const power = Math.floor(Math.log2(count));
  header.writeUInt16BE(count, 4);
  header.writeUInt16BE(16 * 2 ** power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(16 * count - 16 * 2 ** power, 10);
  const parts: Uint8Array[] = [header];
  let offset = header.length;
  for (const [at, { tag, checksum, bytes }] of tables.entries()) {
    const row = FONT_HEADER + at * FONT_ROW;
    for (const [index, value] of [tag, checksum, offset, bytes.length].entries())
      header.writeUInt32BE(value, row + index * 4);
    const padding = Buffer.alloc(-bytes.length & 3);
    parts.push(bytes, padding);
    offset += bytes.length + padding.length;
  }
  return Buffer.concat(parts);
}

function readTable(woff: Buffer, row: number): FontTable {
  const [tag = 0, offset = 0, packed = 0, length = 0, checksum = 0] = [0, 4, 8, 12, 16].map((at) =>
    woff.readUInt32BE(row + at),
  );
  const stored = woff.subarray(offset, offset + packed);
  const bytes = packed < length ? inflateSync(stored) : stored;
  assert(bytes.length === length, 'a table of the font is whole');
  return { tag, checksum, bytes };
}
