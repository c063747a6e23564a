import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import compression from 'compression';
import express, { type Response } from 'express';
import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { linkTo } from '../../src/files/links.ts';
import { Answer } from '../../src/http/endpoint.ts';
import { sendAnswer } from '../../src/http/send-answer.ts';
import { BUCKET_CHUNKS } from '../../src/models/files/file-shapes.ts';
import { createFileStore } from '../../src/models/files/file-store.ts';
import { createS3Bytes } from '../../src/models/files/s3-bytes.ts';
import { atEnd } from '../at-end.ts';
import { aFile } from '../models/files/a-file.ts';
import { startOddS3 } from '../models/files/odd-s3.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { addServer, openHouse } from './house.ts';

/** A table is compressed for the callers who accept that. */
const PLAIN_AND_COMPRESSED = [{}, { 'accept-encoding': 'gzip' }];

const house = await openHouse('send answer');

/** A caller who has sent this request and can go away. */
function ask(url: string, headers: Record<string, string> = {}): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** The errors that the log has. */
function errors(): unknown[] {
  return house.lines.filter(({ level }) => level === 'error').map(({ fields }) => String(fields['err']));
}

/** A server that sends endless parts as a table. `whenAsked` runs before the first one. */
async function startTables(whenAsked: (res: Response) => Promise<unknown>) {
  const seen = { ended: 0, results: [] as unknown[] };
  async function* parts(res: Response): AsyncGenerator<string> {
    try {
      await whenAsked(res);
      for (;;) yield 'a row\r\n'.repeat(1000);
    } finally {
      seen.ended += 1;
    }
  }
  const app = express().use(compression());
  app.get('/', async (_req, res) => {
    const headers = { 'Content-Type': 'text/csv' };
    const sent = sendAnswer(res, new Answer(parts(res), { headers }), 200);
    seen.results.push(
      await sent.then(
        () => 'sent',
        (error: unknown) => error,
      ),
    );
  });
  const server = createServer(app);
  const url = await openPort(server);
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, seen };
}

test.each(PLAIN_AND_COMPRESSED)(
  '[H472] a caller who goes away before a table begins ends its reads: %o',
  async (headers) => {
    const asked = Promise.withResolvers<void>();
    const { url, seen } = await startTables(async (res) => {
      asked.resolve();
      await once(res, 'close');
    });
    const socket = ask(url, headers);
    await asked.promise;
    socket.destroy();
    await until(() => seen.results.length === 1);
    expect(seen).toEqual({ ended: 1, results: ['sent'] });
  },
);

test.each(PLAIN_AND_COMPRESSED)(
  '[H472] a caller who goes away in the middle of a table ends its reads: %o',
  async (headers) => {
    const { url, seen } = await startTables(async () => undefined);
    const socket = ask(url, headers);
    await once(socket, 'data');
    socket.destroy();
    await until(() => seen.results.length === 1);
    expect(seen).toEqual({ ended: 1, results: ['sent'] });
  },
);

test('[H472] a caller who wants the head of a table alone ends its reads', async () => {
  const { url, seen } = await startTables(async () => undefined);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  await until(() => seen.results.length === 1);
  expect(seen).toEqual({ ended: 1, results: ['sent'] });
});

test('[H472] a caller who goes away before their file comes from S3 releases it, and a service that fails later harms nobody', async () => {
  const reads: ServerResponse[] = [];
  const bucket = await startOddS3((_key, res) => void reads.push(res));
  const files = createFileStore(house.mongo, house.ctx.clock, createS3Bytes(bucket));
  const file = aFile({ id: newId('fil'), endsAt: null });
  await house.ctx.files.add(file, Buffer.from('content'));
  const server = await addServer(house, { files });
  const { pathname } = new URL(linkTo(house.ctx, file.id).url);
  const socket = ask(`${server.url}${pathname}`);
  await until(() => reads.length === 1);
  socket.destroy();
  await until(() => house.lines.some(({ fields }) => fields['route'] === 'GET /files/{token}'));
  const [read] = reads;
  if (read === undefined) throw new Error('S3 was not asked');
  read.writeHead(200, { 'content-length': '1000000' }).write('a part');
  await once(read, 'close');
  expect(errors()).toEqual([]);
});

test('[H473] a file whose first part cannot be read is a refusal, and one that fails later is cut off; the log has both', async () => {
  const content = Buffer.alloc(1024 * 1024, 'content');
  const store = async (lostPart: number): Promise<string> => {
    const file = aFile({ id: newId('fil'), bytes: content.length, endsAt: null });
    await house.ctx.files.add(file, content);
    await house.mongo.collection(BUCKET_CHUNKS).deleteOne({ files_id: file.id, n: lostPart });
    return linkTo(house.ctx, file.id).url;
  };
  const early = await fetch(await store(0));
  expect([early.status, (await early.json()) as unknown]).toMatchObject([500, { code: 'internal_error' }]);
  expect(early.headers.get('content-disposition')).toBeNull();
  const late = await fetch(await store(2));
  expect(late.status).toBe(200);
  await expect(late.arrayBuffer()).rejects.toThrow('terminated');
  await until(() => errors().length === 2);
  const missing: unknown = expect.stringContaining('ChunkIsMissing');
  expect(errors()).toEqual([missing, missing]);
});
