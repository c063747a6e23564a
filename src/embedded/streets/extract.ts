import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, EngineError, plainly } from '../processes/engine-error.ts';

// https://wiki.openstreetmap.org/wiki/PBF_Format: blocks of a length, a header that names the size of the content, and the content.
const LENGTH_BYTES = 4;
const MOST_HEADER_BYTES = 64 * 1024;
const MOST_CONTENT_BYTES = 32 * 1024 * 1024;
/** The fields of a header, as protobuf tags: two of bytes and one number. */
const [TYPE, INDEX, CONTENT_SIZE] = [0x0a, 0x12, 0x18];
const FIRST_TYPE = 'OSMHeader';

type Header = { readonly type: string; readonly contentBytes: number };

/**
 * Checks the blocks of an OpenStreetMap extract without reading their content, so that a wrong file or half a download is
 * refused before anything is built from it.
 * @returns the SHA-256 of the file
 * @throws EngineError with one sentence that says what is wrong and what to do
 */
export async function checkExtract(path: string, halt: AbortSignal): Promise<string> {
  const file = await openExtract(path);
  try {
    await checkBlocks(file, path);
  } finally {
    await file.close();
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal: halt });
  return hash.digest('hex');
}

/** The facts of a file that change with its content. */
type Stamp = readonly (string | number)[];
type Checked = { readonly stamp: Stamp; readonly hash: string };

/**
 * As `checkExtract`, but a file that nothing has changed since its last check is not read again.
 * @param home the folder where the last check is remembered
 */
export async function hashOfExtract(path: string, home: string, halt: AbortSignal): Promise<string> {
  const memory = join(home, 'extract.json');
  const stamp = await stampOf(path);
  const last = await readChecked(memory);
  if (last !== null && JSON.stringify(last.stamp) === JSON.stringify(stamp)) return last.hash;
  const hash = await checkExtract(path, halt);
  try {
    await writeFile(memory, JSON.stringify({ stamp, hash } satisfies Checked), { mode: 0o600 });
  } catch (error) {
    throw plainly(error, home);
  }
  return hash;
}

async function stampOf(path: string): Promise<Stamp> {
  const file = await openExtract(path);
  try {
    const { size, mtimeMs, ctimeMs, ino } = await file.stat();
    return [path, size, mtimeMs, ctimeMs, ino];
  } finally {
    await file.close();
  }
}

async function readChecked(memory: string): Promise<Checked | null> {
  try {
    return JSON.parse(await readFile(memory, 'utf8')) as Checked;
  } catch (error) {
    // No file was checked yet, or a full disk cut off what was remembered.
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function openExtract(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error) || String(error)})`;
    throw new EngineError(`${path} ${why}. Name an OpenStreetMap extract, a file that ends in .osm.pbf.`);
  }
}

async function checkBlocks(file: FileHandle, path: string): Promise<void> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size === 0) throw ofAnotherKind(path);
  for (let at = 0; at < stats.size;) {
    // A cut through a block is another mistake than a file of another kind, which has no first block.
    const short = at === 0 ? ofAnotherKind(path) : cutOff(path);
    const headerBytes = (await readAt(file, at, LENGTH_BYTES, short)).readUInt32BE();
    if (headerBytes > MOST_HEADER_BYTES) throw ofAnotherKind(path);
    const header = parseHeader(await readAt(file, at + LENGTH_BYTES, headerBytes, short));
    if (header === null || (at === 0 && header.type !== FIRST_TYPE)) throw ofAnotherKind(path);
    at += LENGTH_BYTES + headerBytes + header.contentBytes;
    if (at > stats.size) throw cutOff(path);
  }
}

/** Reads exactly so many bytes. Throws `short` if the file ends before. */
async function readAt(file: FileHandle, at: number, count: number, short: EngineError): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(count), 0, count, at);
  if (bytesRead < count) throw short;
  return buffer;
}

/** @returns null if the bytes are not the header of a block */
function parseHeader(bytes: Buffer): Header | null {
  let [at, type, contentBytes] = [0, '', 0];
  while (at < bytes.length) {
    const tag = bytes[at];
    const { value, next } = readNumber(bytes, at + 1);
    if (tag === CONTENT_SIZE) {
      [at, contentBytes] = [next, value];
    } else if (tag === TYPE || tag === INDEX) {
      at = next + value;
      if (tag === TYPE) type = bytes.toString('latin1', next, at);
    } else {
      return null;
    }
  }
  const isSound = at === bytes.length && type !== '' && contentBytes > 0 && contentBytes <= MOST_CONTENT_BYTES;
  return isSound ? { type, contentBytes } : null;
}

/** Reads a protobuf number: 7 bits of each byte, the lowest first, and one bit that says whether another byte follows. */
function readNumber(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let [value, at] = [0, from];
  for (let factor = 1; at < bytes.length; factor *= 0x80) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
  }
  return { value, next: at };
}

function ofAnotherKind(path: string): EngineError {
  return new EngineError(`${path} is not an OpenStreetMap extract. Name a file that ends in .osm.pbf.`);
}

function cutOff(path: string): EngineError {
  return new EngineError(`${path} is cut off: it ends within a block. Download the extract again.`);
}
