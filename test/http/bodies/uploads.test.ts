import { createServer, type Server } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { answerErrors } from '../../../src/http/error-handler.ts';
import { endpoint } from '../../../src/http/endpoint.ts';
import { mount } from '../../../src/http/mount.ts';
import { acceptUpload } from '../../../src/files/accept-upload.ts';
import { linkTo } from '../../../src/files/links.ts';
import { aJpeg, aPdf } from '../../files/samples.ts';
import { createUploadReader } from '../../../src/http/bodies/read-upload.ts';
import { openHouse } from '../house.ts';
import { openPort } from '../../open-port.ts';

const MOST = 200_000;
const house = await openHouse('uploads', (settings) => ({
  ...settings,
  files: { ...settings.files, maxBytes: MOST, uploadsAtOnce: 2 },
}));

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A route that takes one picture and up to two documents. */
const row = endpoint({
  route: 'POST /couriers/onboard',
  name: 'takeFiles',
  tag: 'Couriers',
  description: 'Takes files and says what it was given.',
  summary: 'Take files',
  body: z.strictObject({ number: z.string().max(20).exactOptional() }),
  upload: { picture: 1, page: 2 },
  reply: z.unknown(),
  status: 201,
  run: (_ctx, { body, files }) => ({
    body,
    files: files.map(({ field, declaredType, content }) => [field, declaredType, content.length]),
  }),
});
const app = express();
mount(app, house.ctx, [row], { 'POST /couriers/onboard': { anyone: true } });
app.use(answerErrors(house.ctx));
const url = `${await listen(app)}/couriers/onboard`;

async function listen(on: Express): Promise<string> {
  const server = createServer(on);
  servers.push(server);
  return openPort(server);
}

async function send(body: FormData | string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function aForm(parts: readonly (readonly [string, Buffer, string])[], fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content, type] of parts) {
    form.append(name, new Blob([new Uint8Array(content)], { type }), '../../etc/passwd');
  }
  return form;
}

test('[H150] a form gives its route the fields and the files, without their names', async () => {
  const parts = [
    ['picture', await aJpeg(), 'image/jpeg'],
    ['page', aPdf(), 'application/pdf'],
    ['page', aPdf(), 'application/pdf'],
  ] as const;
  const { status, body } = await send(aForm(parts, { number: '7' }));
  expect(status).toBe(201);
  expect(body).toEqual({
    body: { number: '7' },
    files: parts.map(([field, content, type]) => [field, type, content.length]),
  });
});

test.each([
  ['another file', () => send(aForm([['other', aPdf(), 'application/pdf']])), 400, 'unknown_field', '/other'],
  [
    'one file too many',
    () => send(aForm(Array.from({ length: 3 }, () => ['page', aPdf(), 'application/pdf'] as const))),
    400,
    'unknown_field',
    '/page',
  ],
  ['another field', () => send(aForm([], { colour: 'red' })), 400, 'unknown_field', '/colour'],
  [
    'brackets in a name',
    () => send(aForm([], { 'a[4294967294]': 'x', 'a[b]': 'y' })),
    400,
    'unknown_field',
    '/a[4294967294]',
  ],
  ['a field that is too long', () => send(aForm([], { number: 'x'.repeat(21) })), 400, 'invalid_params', '/number'],
  ['a huge field', () => send(aForm([], { number: 'x'.repeat(9000) })), 413, 'payload_too_large', null],
  [
    'one byte too many in one file',
    () => send(aForm([['picture', Buffer.alloc(MOST + 1), 'image/png']])),
    413,
    'payload_too_large',
    null,
  ],
  [
    'files that are too large together',
    () =>
      send(
        aForm([
          ['page', Buffer.alloc(MOST / 2 + 1), 'image/png'],
          ['page', Buffer.alloc(MOST / 2), 'image/png'],
        ]),
      ),
    413,
    'payload_too_large',
    null,
  ],
  ['JSON', () => send('{"number":"7"}', { 'content-type': 'application/json' }), 415, 'unsupported_media_type', null],
  [
    'a form without an end',
    () => send('--x\r\nContent-Disposition: form-data; name="number"\r\n\r\n7', FORM),
    400,
    'malformed_body',
    null,
  ],
  ['no parts at all', () => send('nothing', FORM), 400, 'malformed_body', null],
  ['no boundary', () => send('--x--', { 'content-type': 'multipart/form-data' }), 400, 'malformed_body', null],
] as const)('[H151] a form with %s is refused', async (_what, request, status, code, pointer) => {
  const answer = await request();
  expect([answer.status, answer.body['code']]).toEqual([status, code]);
  if (pointer !== null) expect(answer.body['errors']).toMatchObject([{ pointer }]);
});

const PATIENT = { timeout: 60_000 };
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };

test('[H152] further forms are refused while as many arrive as the setting allows', async () => {
  const ends = [0, 1].map(() => {
    const held = new AbortController();
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('--x\r\n')) });
    const request = fetch(url, { method: 'POST', body, headers: FORM, duplex: 'half', signal: held.signal });
    return { held, request: request.catch(() => null) };
  });
  await expect.poll(async () => (await send(aForm([]))).body['code'], PATIENT).toBe('busy');
  for (const { held } of ends) held.abort();
  await expect.poll(async () => (await send(aForm([]))).status, PATIENT).toBe(201);
  await Promise.all(ends.map(({ request }) => request));
});

test('[H400] slow uploads of one account leave places for other accounts', async () => {
  const reader = createUploadReader({ maxBytes: MOST, uploadsAtOnce: 5 });
  const wide = express();
  const asCaller: RequestHandler = (req, res, next) => {
    res.locals.caller = { type: 'internal', service: req.get('x-service') ?? '', expiresAt: 0 };
    next();
  };
  wide.post('/', asCaller, ...reader({}), (_req, res) => void res.status(201).json({}));
  wide.use(answerErrors(house.ctx));
  const listening = await listen(wide);
  const form = (service: string) =>
    fetch(listening, { method: 'POST', body: aForm([]), headers: { 'x-service': service } });
  const held = new AbortController();
  const slow = Array.from({ length: 4 }, () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('--x\r\n')) });
    const headers = { ...FORM, 'x-service': 'one' };
    return fetch(listening, { method: 'POST', body, headers, duplex: 'half', signal: held.signal }).catch(() => null);
  });
  await expect.poll(async () => (await form('one')).status, PATIENT).toBe(429);
  expect((await form('two')).status).toBe(201);
  held.abort();
  await expect.poll(async () => (await form('one')).status, PATIENT).toBe(201);
  await Promise.all(slow);
});

test('[H400] callers who leave while they are authenticated leave their places to others', async () => {
  const app = express();
  let arrived = 0;
  const held: (() => void)[] = [];
  let isHeld = true;
  const authenticate: RequestHandler = async (_req, res, next) => {
    arrived += 1;
    res.locals.caller = { type: 'internal', service: 'one', expiresAt: 0 };
    if (isHeld) await new Promise<void>((resolve) => void res.once('close', () => held.push(resolve)));
    next();
  };
  const reader = createUploadReader({ maxBytes: MOST, uploadsAtOnce: 4 });
  app.post('/', authenticate, ...reader({}), (_req, res) => void res.status(201).json({}));
  app.use(answerErrors(house.ctx));
  const listening = await listen(app);
  for (let left = 1; left <= 4; left += 1) {
    const leaving = new AbortController();
    const sent = fetch(listening, { method: 'POST', body: aForm([]), signal: leaving.signal }).catch(() => null);
    await expect.poll(() => arrived, PATIENT).toBe(left);
    leaving.abort();
    await expect.poll(() => held.length, PATIENT).toBe(left);
    await sent;
  }
  for (const resume of held) resume();
  isHeld = false;
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect((await fetch(listening, { method: 'POST', body: aForm([]) })).status).toBe(201);
});

test('[H153] a file is sent as a download that no browser shows as a page', async () => {
  const upload = { field: 'file', declaredType: 'application/pdf', content: aPdf() };
  const file = await acceptUpload(house.ctx, upload, { kind: 'document', subject: 'cou_1' });
  const answer = await fetch(linkTo(house.ctx, file.id).url);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(aPdf());
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${file.id}.pdf"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store, no-transform',
    'content-length': String(aPdf().length),
  });
  const head = await fetch(linkTo(house.ctx, file.id).url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('[H153] a link to a removed file and a link that nobody made answer alike', async () => {
  const upload = { field: 'file', declaredType: 'application/pdf', content: aPdf() };
  const file = await acceptUpload(house.ctx, upload, { kind: 'document', subject: 'cou_1' });
  const { url: link } = linkTo(house.ctx, file.id);
  await house.ctx.files.remove(file.id, Infinity);
  for (const address of [link, `${house.url}/files/x`]) {
    const answer = await fetch(address);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'file_not_found']);
  }
});
