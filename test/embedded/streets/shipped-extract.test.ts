import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { EXTRACT } from './streets-house.ts';

type Field = { readonly tag: number; readonly bytes: Buffer };

/** Numbers of protobuf fields: https://wiki.openstreetmap.org/wiki/PBF_Format. */
const [HEADER_SIZE, COMPRESSED, GROUP, NODE, DENSE, WAY, RELATION] = [3, 3, 2, 1, 2, 3, 4];
/** Where nodes, dense nodes, ways and relations have the authors, versions and times of their edits. */
const EDITS: Readonly<Record<number, number>> = { [NODE]: 4, [DENSE]: 5, [WAY]: 4, [RELATION]: 4 };

function numberAt(bytes: Buffer, from: number): { value: number; next: number } {
  let [value, at, factor] = [0, from, 1];
  for (; (bytes[at] ?? 0) >= 0x80; at += 1, factor *= 0x80) value += ((bytes[at] ?? 0) & 0x7f) * factor;
  return { value: value + (bytes[at] ?? 0) * factor, next: at + 1 };
}

/** The fields of a message. The bytes of a number are empty. */
function fieldsOf(bytes: Buffer): (Field & { value: number })[] {
  const fields = [];
  for (let at = 0; at < bytes.length;) {
    const key = numberAt(bytes, at);
    const { value, next } = numberAt(bytes, key.next);
    at = (key.value & 7) === 2 ? next + value : next;
    fields.push({ tag: key.value >> 3, bytes: bytes.subarray(next, at), value });
  }
  return fields;
}

test('[E21] the shipped extract has no data about the people who mapped it', () => {
  const file = readFileSync(EXTRACT);
  const kinds = new Set<number>();
  let edits = 0;
  for (let at = 0; at < file.length;) {
    const header = file.subarray(at + 4, at + 4 + file.readUInt32BE(at));
    at += 4 + header.length;
    const size = fieldsOf(header).find(({ tag }) => tag === HEADER_SIZE)?.value ?? NaN;
    const content = fieldsOf(file.subarray(at, at + size)).find(({ tag }) => tag === COMPRESSED);
    at += size;
    if (header.includes('OSMHeader')) continue;
    const groups = fieldsOf(inflateSync(content?.bytes ?? Buffer.alloc(0))).filter(({ tag }) => tag === GROUP);
    for (const one of groups.flatMap(({ bytes }) => fieldsOf(bytes))) {
      kinds.add(one.tag);
      edits += fieldsOf(one.bytes).filter(({ tag }) => tag === EDITS[one.tag]).length;
    }
  }
  expect(kinds).toEqual(new Set([DENSE, WAY, RELATION]));
  expect(edits).toBe(0);
});
