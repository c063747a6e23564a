import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { CLOCK, SETTINGS, storeDelivery } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { openWebhooks } from './house.ts';

const { house, state, needs, register, attempts, rules } = await openWebhooks('hostile-receivers');
const TRY_MS = 1000;
const settings = { ...SETTINGS, webhooks: { ...SETTINGS.webhooks, totalRealMs: TRY_MS, connectRealMs: TRY_MS } };
const CHUNK = 'x'.repeat(65_536);
const MEGABYTE = 1_048_576;

/** Writes the same again and again, as fast as it is read or so often, until the other side has enough. */
function writeOn(socket: Socket, text: string, everyMs: number): void {
  if (everyMs === 0) {
    const write = (): void => {
      while (socket.writable && socket.write(text));
    };
    socket.on('drain', write);
    write();
  } else {
    const stop = CLOCK.real.every(everyMs, () => socket.writable && socket.write(text));
    socket.on('close', stop);
  }
}

const ok = (headers: string): string => `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`;

/** How hostile receivers answer a request, and how the try must end. */
const RECEIVERS: Readonly<Record<string, { answer: (socket: Socket) => void; error: string | null }>> = {
  'one byte of a header at a time': { answer: (socket) => writeOn(socket, 'H', 50), error: 'Error' },
  'one byte of the body at a time': {
    answer: (socket) => {
      socket.write(ok('content-length: 100000'));
      writeOn(socket, 'x', 50);
    },
    error: 'Timeout',
  },
  'nothing at all': { answer: () => undefined, error: 'Timeout' },
  'a body without an end': {
    answer: (socket) => {
      socket.write(ok('content-type: text/plain'));
      writeOn(socket, CHUNK, 0);
    },
    error: null,
  },
  'headers without an end': {
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writeOn(socket, `x-filler: ${CHUNK}\r\n`, 0);
    },
    error: 'Headers Overflow',
  },
  'a flood of early hints': {
    answer: (socket) => writeOn(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 0),
    error: 'Timeout',
  },
  'a redirect to a private address': {
    answer: (socket) => socket.end('HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
    error: 'answered 307',
  },
  'another protocol': {
    answer: (socket) => socket.end('HTTP/1.1 101 X\r\nupgrade: raw\r\nconnection: upgrade\r\n\r\n'),
    error: 'Error',
  },
  'two answers to one request': {
    answer: (socket) => socket.end(`${ok('content-length: 0')}${ok('content-length: 0')}`),
    error: null,
  },
  'a body that stops short': { answer: (socket) => socket.end(`${ok('content-length: 50')}short`), error: 'Error' },
  'no HTTP': { answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), error: 'Error' },
  'a closed connection': { answer: (socket) => socket.destroy(), error: 'Error' },
};

type Hostile = { readonly server: Server; readonly url: string; readonly sent: () => number };

async function listen(answer: (socket: Socket) => void): Promise<Hostile> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    // The other side hangs up on it: that is what is tested.
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sent = (): number => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${port}/`, sent };
}

test('[W38] however receivers answer, each try ends in its time with its own result, and others get their webhooks', async () => {
  const vendorId = newId('ven');
  const ctx = { ...needs(), settings };
  const hostile = new Map<string, Hostile & { readonly what: string }>();
  for (const [what, { answer }] of Object.entries(RECEIVERS)) {
    const receiver = await listen(answer);
    const asked = { url: receiver.url, events: ['*'], description: null, ordering: 'best_effort' as const };
    const { registration } = await registerWebhook(ctx, asked, { vendorId, liveMode: false });
    hostile.set(registration.id, { ...receiver, what });
  }
  const healthy = await register();
  const startedAt = performance.now();
  const sending = startSending(ctx, rules);
  await storeDelivery(house, { vendorId });
  await storeDelivery(house, { vendorId: healthy.vendorId });
  await until(async () => (await attempts.countDocuments({ 'log.0': { $exists: true } })) === hostile.size + 1);
  await sending.stop();
  expect(performance.now() - startedAt).toBeLessThan(20 * TRY_MS);
  expect(state.received).toHaveLength(1);
  for (const { registrationId, number, log } of await attempts.find().toArray()) {
    const { what = 'healthy', sent = () => 0 } = hostile.get(registrationId) ?? {};
    const [{ error, response, tookMs } = { error: '', response: '', tookMs: 0 }] = log;
    const expected = RECEIVERS[what]?.error ?? null;
    expect([what, error]).toEqual([what, expected === null ? null : expect.stringContaining(expected)]);
    expect([what, log.length, number]).toEqual([what, 1, 1]);
    expect(Buffer.byteLength(response ?? '')).toBeLessThanOrEqual(settings.webhooks.answerBytes);
    // The buffers of the system take data that the process never reads.
    expect([what, sent() < 16 * MEGABYTE || what === 'a flood of early hints']).toEqual([what, true]);
    expect(tookMs).toBeLessThan(10 * TRY_MS);
  }
});
