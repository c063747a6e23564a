import { createSocket, type RemoteInfo } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** The answers for names: addresses of both families, an empty list, or silence. */
export type Zone = Readonly<Record<string, readonly string[] | 'no answer'>>;

const TYPES = { 1: 4, 28: 6 } as const;
const IN = 1;
const IS_ANSWER = 0x8180;
const NO_SUCH_NAME = 3;

/** A name server of the internet that knows these names alone. Its address, for a resolver. */
export async function startNameServer(zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const answer = answerTo(query, zone);
    if (answer !== null) socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  afterAll(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

function answerTo(query: Buffer, zone: Zone): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const known = zone[labels.join('.').toLowerCase()];
  if (known === 'no answer') return null;
  const family = type === 1 || type === 28 ? TYPES[type] : null;
  const found = (known ?? []).filter((address) => address.includes(':') === (family === 6));
  const records = family === null ? [] : found.map((address) => recordOf(type, address));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(known === undefined ? IS_ANSWER + NO_SUCH_NAME : IS_ANSWER, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/** The name is the question's, by a pointer; it may be kept for no time. */
function recordOf(type: number, address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [front = '', back = ''] = address.split('::');
  const [first, last] = [front, back].map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [
    ...(first ?? []),
    ...Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0'),
    ...(last ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
