import assert from 'node:assert';

/** The typed arrays that may be packed, by their packed names. */
const KINDS = { Float64Array, Int32Array, Uint16Array, Uint8Array } as const;

type Kind = keyof typeof KINDS;
type Columns = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Every array begins on a multiple of this, so that it can be read in place. */
const ALIGNED_TO = 8;
const HEAD_BYTES = 4;
/** These names mark a packed array, and a number that JSON cannot express. Names that begin with `$` are not packed. */
const ARRAY_MARK = '$array';
const NUMBER_MARK = '$number';

/**
 * Packs plain data with typed arrays into bytes. Equal data give equal bytes, whatever the order of names and the
 * version of Node, so a hash of the bytes identifies the data. The bytes are the length of a JSON text with sorted
 * names, the text, and the arrays as in memory.
 * @throws Error if the value is not plain data
 */
export function pack(value: object): Buffer {
  const arrays: Columns[] = [];
  let size = 0;
  const add = (array: Columns, kind: Kind): object => {
    const mark = { [ARRAY_MARK]: [kind, size, array.length] };
    arrays.push(array);
    size += aligned(array.byteLength);
    return mark;
  };
  const text = Buffer.from(JSON.stringify(plainOf(value, add)));
  const from = aligned(HEAD_BYTES + text.length);
  const bytes = Buffer.alloc(from + size);
  bytes.writeUInt32LE(text.length);
  text.copy(bytes, HEAD_BYTES);
  let at = from;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  return bytes;
}

/**
 * Returns the packed data.
 * @throws Error if `pack` did not make the bytes
 */
export function unpack(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = buffer.readUInt32LE();
  const text = buffer.toString('utf8', HEAD_BYTES, HEAD_BYTES + length);
  const from = aligned(HEAD_BYTES + length);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (NUMBER_MARK in value) return Number(value[NUMBER_MARK]);
    if (!(ARRAY_MARK in value) || !Array.isArray(value[ARRAY_MARK])) return value;
    const [kind, at, count] = value[ARRAY_MARK] as [Kind, number, number];
    const end = from + at + count * KINDS[kind].BYTES_PER_ELEMENT;
    assert(end <= buffer.length, 'the bytes of an array are complete');
    // The array gets its own copy, so that it does not keep all of the bytes in memory.
    return new KINDS[kind](Uint8Array.from(buffer.subarray(from + at, end)).buffer);
  });
}

function plainOf(value: unknown, add: (array: Columns, kind: Kind) => object): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isJson(value) ? value : { [NUMBER_MARK]: tell(value) };
  if (Array.isArray(value)) return value.map((item) => plainOf(item, add));
  assert(typeof value === 'object', 'functions, symbols and large integers are not plain data');
  if (ArrayBuffer.isView(value)) return arrayOf(value, add);
  assert(Object.getPrototypeOf(value) === Object.prototype, 'instances of classes are not plain data');
  // A large answer has tens of thousands of small objects. This makes no list of entries for each.
  const members: Readonly<Record<string, unknown>> = { ...value };
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(members).toSorted()) {
    assert(!name.startsWith('$'), 'names must not begin with $');
    if (members[name] !== undefined) plain[name] = plainOf(members[name], add);
  }
  return plain;
}

function arrayOf(value: ArrayBufferView, add: (array: Columns, kind: Kind) => object): object {
  for (const kind of Object.keys(KINDS) as Kind[]) if (value instanceof KINDS[kind]) return add(value, kind);
  throw new Error('typed arrays of this kind are not packed');
}

function isJson(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function tell(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNED_TO) * ALIGNED_TO;
}
