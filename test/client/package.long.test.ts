import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ENVIRONMENT } from '../environment.ts';
import { openPort } from '../open-port.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../..');
const PACKAGE = path.join(ROOT, 'packages/client');

const PROGRAM = `
import { createClient } from '@dispatch-server/client';
import { ServiceProblem, type NoAnswer } from '@dispatch-server/client/problems';
import type { Delivery, Event, ProblemCode } from '@dispatch-server/client/types';
import { courierSession } from '@dispatch-server/client/sessions';
import { verifyWebhook, type WebhookTest } from '@dispatch-server/client/webhooks';
import { openCourierSocket } from '@dispatch-server/client/sockets/courier';
import { openTrackFeed } from '@dispatch-server/client/sockets/track';
import { openVendorFeed } from '@dispatch-server/client/sockets/vendor';

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

const client = createClient({ baseUrl: process.argv[2] ?? '', credential: 'dsk_test_1' });
const delivery: Delivery = await client.express.create({
  pickup: { location_id: 'loc_1' },
  drop_off: [{ coordinates: { lat: 52.52, lng: 13.4 }, contact: { name: 'Ada', phone: '+4930123456' } }],
});
const listed: string[] = [];
for await (const one of client.express.list({ limit: 2 })) listed.push(one.id);
const code: ProblemCode | null = await client.express.get('del_0').then(
  () => null,
  (error: ServiceProblem | NoAnswer) => (error instanceof ServiceProblem ? error.code : null),
);
const check: (body: string) => Promise<Event | WebhookTest> = (body) => verifyWebhook(body, {}, 'whsec_1');
const fault = await check('{}').catch((error: Error) => error.name);
// @ts-expect-error a delivery needs a drop-off
const wrong = (): unknown => client.express.create({ pickup: { location_id: 'loc_1' } });
const all = [courierSession, openCourierSocket, openTrackFeed, openVendorFeed, wrong].every((one) => typeof one === 'function');
console.log(JSON.stringify({ id: delivery.id, listed, code, fault, all }));
`;

/** A service that creates, lists two pages and knows no other delivery. */
async function startService(): Promise<string> {
  const pages = [
    { object: 'list', data: [{ id: 'del_1' }, { id: 'del_2' }], has_more: true, next_cursor: 'b' },
    { object: 'list', data: [{ id: 'del_3' }], has_more: false, next_cursor: null },
  ];
  const absent = { type: '', title: '', status: 404, detail: 'No such delivery.', code: 'delivery_not_found' };
  const server = createServer((request, response) => {
    const isList = request.url?.startsWith('/express/deliveries?') === true;
    const page = pages[request.url?.includes('cursor=b') === true ? 1 : 0];
    const [status, body] =
      request.method === 'POST'
        ? [201, { id: 'del_9' }]
        : isList
          ? [200, page]
          : [404, { ...absent, retryable: false, request_id: 'req_1' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const url = await openPort(server);
  onTestFinished(() => void server.close());
  return url;
}

test('[H359] the packed client installs in an empty folder, compiles in strict programs and runs', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env: ENVIRONMENT });
  const { stdout } = await npm(PACKAGE, 'pack', '--json', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  const files = packed?.files.map((file) => file.path) ?? [];
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/client.js', 'dist/client.d.ts']),
  );
  expect(files.filter((file) => !/^(dist\/[\w/-]+\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(file))).toEqual(
    [],
  );

  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', type: 'module' }));
  await npm(folder, 'install', '--no-fund', '--prefer-offline', path.join(folder, packed?.filename ?? ''));
  await writeFile(path.join(folder, 'app.ts'), PROGRAM);
  const options = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = { ...options, module: 'NodeNext', target: 'ES2022', lib: ['ES2023', 'DOM'], types: [] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  await run(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => expect(error.stdout).toBe(''),
  );
  const baseUrl = await startService();
  const ran = await run(process.execPath, [path.join(folder, 'app.js'), baseUrl], { cwd: folder, env: ENVIRONMENT });
  expect(JSON.parse(ran.stdout)).toEqual({
    id: 'del_9',
    listed: ['del_1', 'del_2', 'del_3'],
    code: 'delivery_not_found',
    fault: 'UnverifiedWebhook',
    all: true,
  });
});

test('[H359] the licence and the version of socket.io-client are those of the repository', async () => {
  const read = async (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');
  expect(await read('packages/client/LICENSE')).toBe(await read('LICENSE'));
  const own = JSON.parse(await read('packages/client/package.json')) as { dependencies: Record<string, string> };
  const root = JSON.parse(await read('package.json')) as { devDependencies: Record<string, string> };
  expect(own.dependencies['socket.io-client']).toBe(root.devDependencies['socket.io-client']);
});
