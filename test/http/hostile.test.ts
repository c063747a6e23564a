import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../until.ts';
import { aCreate, addVendor, call, openHouse, PICKUP, DROP_OFF } from './house.ts';
import { rawClient, statusOf } from './raw.ts';
import { wrongProblem } from './routes.ts';

const house = await openHouse('hostile');
let key = '';

beforeAll(async () => {
  ({ key } = await addVendor(house));
});

const raw = rawClient(house);
const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n');

const post =
  (...headers: string[]) =>
  (body: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(head('POST /deliveries', 'Connection: close', ...headers), 'latin1'),
      typeof body === 'string' ? Buffer.from(body) : body,
    ]);
const json = (body: string): Buffer =>
  post('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)(body);

const SOUND = JSON.stringify(aCreate());

test.each<[string, string | Buffer]>([
  ['two lengths', post('Content-Length: 2', 'Content-Length: 3')('{}')],
  ['a length and chunks', post('Content-Length: 2', 'Transfer-Encoding: chunked')('0\r\n\r\n')],
  ['chunks in chunks', post('Transfer-Encoding: chunked, chunked')('0\r\n\r\n')],
  ['an unknown transfer encoding', post('Transfer-Encoding: gzip')('0\r\n\r\n')],
  ['a negative length', post('Content-Length: -1')('')],
  ['a length that is not one', post('Content-Length: 0x10')('')],
  ['a chunk without end', post('Transfer-Encoding: chunked')('ffffffffffffffff\r\n')],
  ['two types', post('Content-Type: application/json', 'Content-Type: text/xml', 'Content-Length: 2')('{}')],
  ['a type with no charset', post('Content-Type: application/json; charset', 'Content-Length: 2')('{}')],
  [
    'a type with two charsets',
    post('Content-Type: application/json; charset=utf-8; charset=x', 'Content-Length: 2')('{}'),
  ],
  ['a type that is none', post('Content-Type: ;;;=', 'Content-Length: 2')('{}')],
  ['UTF-16', post('Content-Type: application/json; charset=utf-16', 'Content-Length: 4')(Buffer.from('{}', 'utf16le'))],
  ['gzip that is not', post('Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2')('{}')],
  ['two encodings', post('Content-Type: application/json', 'Content-Encoding: gzip, br', 'Content-Length: 2')('{}')],
  [
    'identity twice',
    post('Content-Type: application/json', 'Content-Encoding: identity, identity', 'Content-Length: 2')('{}'),
  ],
  [
    'gzip that unpacks to much',
    ((packed) =>
      post('Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${packed.length}`)(packed))(
      gzipSync(Buffer.alloc(50_000_000, 0x20)),
    ),
  ],
  ['a mark of byte order', json(`\ufeff${SOUND}`)],
  [
    'bytes that are not UTF-8',
    post('Content-Type: application/json', 'Content-Length: 4')(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  ],
  ['two credentials', post(`Authorization: Bearer x`, 'Content-Type: application/json', 'Content-Length: 2')('{}')],
  ['two hosts', post('Host: y', 'Content-Type: application/json', 'Content-Length: 2')('{}')],
  ['an expectation', post('Expect: 200-maybe', 'Content-Length: 2')('{}')],
  [
    'an upgrade',
    post('Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA', 'Content-Length: 2')('{}'),
  ],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['an old version', 'GET /healthz HTTP/1.0\r\n\r\n'],
  ['a new version', 'GET /healthz HTTP/3.0\r\n\r\n'],
  ['no version', 'GET /healthz\r\n\r\n'],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ['a header that is folded', head('GET /healthz', 'X-A: 1', ' b')],
  ['a header with a null', head('GET /healthz', 'X-A: \0')],
  [
    'many headers',
    head('GET /healthz', 'Connection: close', ...Array.from({ length: 1500 }, (_, index) => `a${index}: 1`)),
  ],
  ['a large header', head('GET /healthz', `X-A: ${'x'.repeat(40_000)}`)],
  [
    'a header of the prototype',
    head('GET /healthz', 'Connection: close', '__proto__: 1', 'constructor: 1', 'toString: 1'),
  ],
])('[H96] a request with %s is refused or answered, and is no fault of ours', async (_what, text) => {
  const answer = await raw(text);
  const status = statusOf(answer);
  expect([status < 500, answer]).toEqual([true, answer]);
  expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect((await call(house, 'GET /healthz')).status).toBe(200);
});

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'])(
  '[H97] %s is an unknown field wherever it stands, and changes nothing',
  async (name) => {
    const own = `${JSON.stringify(name)}:{"isAdmin":true,"status":500,"code":"x"}`;
    const [pickup, dropOff] = [JSON.stringify(PICKUP), JSON.stringify(DROP_OFF)];
    const inside = (text: string): string => `${text.slice(0, -1)},${own}}`;
    for (const [pointer, body] of [
      [`/${name}`, `{"pickup":${pickup},"drop_off":[${dropOff}],${own}}`],
      [`/pickup/${name}`, `{"pickup":${inside(pickup)},"drop_off":[${dropOff}]}`],
      [`/drop_off/0/${name}`, `{"pickup":${pickup},"drop_off":[${inside(dropOff)}]}`],
      [`/pickup/coordinates/${name}`, `{"pickup":{"coordinates":{"lat":1,"lng":1,${own}}},"drop_off":[${dropOff}]}`],
      [`/metadata/${name}`, `{"pickup":${pickup},"drop_off":[${dropOff}],"metadata":{"weight":1,${own}}}`],
    ] as const) {
      const answer = await call(house, 'POST /deliveries', { token: key, raw: body });
      expect([pointer, answer.status]).toEqual([pointer, 400]);
      expect((answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer)).toContain(pointer);
      expect(wrongProblem(answer)).toBeNull();
    }
    for (const route of [`POST /deliveries/${name}/cancel`, `PATCH /deliveries/${name}`, `GET /deliveries?${name}=1`]) {
      const answer = await call(house, route, { token: key, ...(route.startsWith('GET') ? {} : { body: {} }) });
      expect([route, [400, 404].includes(answer.status)]).toEqual([route, true]);
    }
    expect('isAdmin' in {}).toBe(false);
  },
);

test('[H97] a text with half a character is refused, because the database would change it', async () => {
  for (const [text, pointer] of [
    [PICKUP.contact.name, '/pickup/contact/name'],
    ['instructions', '/pickup/instructions'],
    ['own data', '/custom/note'],
  ] as const) {
    const sound = JSON.stringify(
      aCreate({ pickup: { ...PICKUP, instructions: 'instructions' }, custom: { note: 'own data' } }),
    );
    for (const half of ['\\ud800', 'a\\udc00', '\\udc00\\ud800']) {
      const raw = sound.replace(`:"${text}"`, `:"${half}"`);
      const answer = await call(house, 'POST /deliveries', { token: key, raw });
      const [error] = answer.body['errors'] as { pointer: string }[];
      expect([half, answer.status, error?.pointer]).toEqual([half, 400, pointer]);
    }
  }
});

test('[H96] no answer allows a page of another origin to read it', async () => {
  for (const [route, headers] of [
    [
      'OPTIONS /deliveries',
      {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    ],
    ['GET /deliveries', { origin: 'https://evil.example' }],
    ['GET /metrics', { origin: 'null' }],
    ['GET /socket.io/?EIO=4&transport=polling', { origin: 'https://evil.example' }],
  ] as const) {
    const answer = await call(house, route, { token: key, headers: { ...headers } });
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect([route, names]).toEqual([route, []]);
  }
});

test('[H96] a client can close its half of the connection without harm to the server', async () => {
  const socket = connect({ port: Number(new URL(house.url).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let isEnded = false;
  socket.resume();
  socket.on('end', () => (isEnded = true));
  socket.end(head('GET /deliveries'));
  await until(() => isEnded);
  expect((await call(house, 'GET /healthz')).status).toBe(200);
  expect(house.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
