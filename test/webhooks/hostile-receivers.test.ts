import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { CLOCK, SETTINGS, storeDelivery } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { openWebhooks } from './house.ts';

const { house, state, needs, register, attempts, rules } = await openWebhooks('hostile-receivers');
/** The time of a try that must be cut off, and one that no other try needs, on any machine. */
const [TRY_MS, LONG_TRY_MS] = [1000, 120_000];
const within = (ms: number) => ({
  ...SETTINGS,
  webhooks: { ...SETTINGS.webhooks, totalRealMs: ms, connectRealMs: ms },
});
const TOO_LATE = `the whole answer did not come within ${TRY_MS / 1000} s`;
const FLOOD = 'a flood of early hints';
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
    error: TOO_LATE,
  },
  'nothing at all': { answer: () => undefined, error: TOO_LATE },
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
  [FLOOD]: {
    answer: (socket) => writeOn(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 0),
    error: TOO_LATE,
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

type Hostile = { readonly url: string; readonly sent: () => number; readonly hangUp: () => void };

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
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(hangUp);
  return { url: `http://127.0.0.1:${port}/`, sent, hangUp };
}

/** Starts these receivers, and registers them with one vendor. */
async function registerHostile(ctx: ReturnType<typeof needs>, whats: readonly string[]) {
  const vendorId = newId('ven');
  const hostile = new Map<string, Hostile & { readonly what: string }>();
  for (const what of whats) {
    const receiver = await listen(RECEIVERS[what]!.answer);
    const asked = { url: receiver.url, events: ['*'], description: null, ordering: 'best_effort' as const };
    const { registration } = await registerWebhook(ctx, asked, { vendorId, liveMode: false });
    hostile.set(registration.id, { ...receiver, what });
  }
  return { vendorId, hostile };
}

const isEndless = (what: string): boolean => RECEIVERS[what]?.error === TOO_LATE;
const tried = (): Promise<number> => attempts.countDocuments({ 'log.0': { $exists: true } });

test('[W38] a try of a receiver whose answer never ends is over in its time', async () => {
  const ctx = { ...needs(), settings: within(TRY_MS) };
  const { vendorId, hostile } = await registerHostile(ctx, Object.keys(RECEIVERS).filter(isEndless));
  const sending = startSending(ctx, rules);
  await storeDelivery(house, { vendorId });
  await until(async () => (await tried()) === hostile.size);
  await sending.stop();
  const ended = await attempts.find().toArray();
  expect(ended.map(({ number, log }) => [number, log.length])).toEqual(ended.map(() => [1, 1]));
  for (const { log } of ended) expect(log[0]?.error).toBe(TOO_LATE);
});

test('[W38] however receivers answer, each try ends with its own result, and others get their webhooks', async () => {
  const settings = within(LONG_TRY_MS);
  const ctx = { ...needs(), settings };
  // The receivers run in this process too, and the flood would keep it busy until its try is over.
  const whats = Object.keys(RECEIVERS).filter((what) => what !== FLOOD);
  const { vendorId, hostile } = await registerHostile(ctx, whats);
  const healthy = await register();
  const endless = [...hostile.values()].filter(({ what }) => isEndless(what));
  const sending = startSending(ctx, rules);
  await storeDelivery(house, { vendorId });
  await storeDelivery(house, { vendorId: healthy.vendorId });
  // The endless ones are still being tried.
  await until(async () => (await tried()) === hostile.size - endless.length + 1);
  expect(state.received).toHaveLength(1);
  for (const { registrationId, number, log } of await attempts.find().toArray()) {
    const { what = 'healthy', sent = () => 0 } = hostile.get(registrationId) ?? {};
    if (isEndless(what)) continue;
    const [{ error, response } = { error: '', response: '' }] = log;
    const expected = RECEIVERS[what]?.error ?? null;
    expect([what, error]).toEqual([what, expected === null ? null : expect.stringContaining(expected)]);
    expect([what, log.length, number]).toEqual([what, 1, 1]);
    expect(Buffer.byteLength(response ?? '')).toBeLessThanOrEqual(settings.webhooks.answerBytes);
    // The buffers of the system take data that the process never reads.
    expect([what, sent() < 16 * MEGABYTE]).toEqual([what, true]);
  }
  for (const { hangUp } of endless) hangUp();
  await sending.stop();
});
