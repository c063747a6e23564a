import { Manager } from 'socket.io-client';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Links } from '../../../src/ports/deliveries.ts';
import { until } from '../../until.ts';
import { bear, openSite, storeCourier, tokensOf, type Process } from '../house.ts';
import { openRaw } from '../raw-client.ts';

const site = await openSite('socket-strangers', ({ sockets, http }) => {
  Object.assign(sockets, { strangersPerAddress: 10, perStaff: 3, perVendor: 3, perLink: 3 });
  http.trustedProxies = '127.99.0.1';
});
const tokens = tokensOf(site);

/** A process whose reads of tracking links are counted; while `isSlow` they wait. */
async function startCounting(): Promise<Process & { reads: { made: number; atOnce: number; most: number } }> {
  const reads = { made: 0, atOnce: 0, most: 0 };
  const open: Links['open'] = async (token) => {
    reads.made += 1;
    reads.atOnce += 1;
    reads.most = Math.max(reads.most, reads.atOnce);
    await site.deliveries.find(newId('del'));
    reads.atOnce -= 1;
    return site.links.open(token);
  };
  const process = await site.start(({ links }) => ({ links: { ...links, open } }));
  onTestFinished(process.stop);
  return { ...process, reads };
}

async function startOne(): Promise<Process> {
  const process = await site.start();
  onTestFinished(process.stop);
  return process;
}

let lastToken = 0;
/** A well-formed tracking token that nobody has. */
function invented(): string {
  lastToken += 1;
  return String(lastToken).padStart(22, 'x');
}

/** Whether the server lets a connection from this address in. */
async function isLetIn(process: Process, localAddress: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    (await openRaw(process, { localAddress, headers })).close();
    return true;
  } catch {
    // The swarm reports a refused upgrade by rejecting; here that is the answer.
    return false;
  }
}

test('[T33] a flood of handshakes is cut off before their tokens are read', async () => {
  const process = await startCounting();
  const client = await openRaw(process);
  for (let i = 0; i < 2000; i += 1) client.say(`40/track,${JSON.stringify({ token: invented() })}`);
  await until(() => !client.isOpen());
  expect(process.reads.made).toBeLessThanOrEqual(5);
  expect(process.reads.most).toBeLessThanOrEqual(1);
});

test('[T33] handshakes of a connection run one after the other, and the fifth refusal closes it', async () => {
  const process = await startCounting();
  const client = await openRaw(process);
  for (let i = 0; i < 3; i += 1) client.say(`40/track,${JSON.stringify({ token: invented() })}`);
  await until(() => client.texts.filter((text) => text.startsWith('44/track,')).length === 3);
  expect(process.reads).toEqual({ made: 3, atOnce: 0, most: 1 });
  expect(await client.join('/vendor', { token: 'nonsense' })).toBe(false);
  expect(client.isOpen()).toBe(true);
  client.say('40/admin,{}');
  await until(() => !client.isOpen());
  expect(client.texts.filter((text) => text.startsWith('44/admin,'))).toHaveLength(1);
});

test('[T33] one connection may join several namespaces, each once', async () => {
  const process = await startOne();
  const manager = new Manager(process.url, { transports: ['websocket'] });
  const admin = manager.socket('/admin', { auth: { token: tokens.staff() } });
  const track = manager.socket('/track', { auth: { token: tokens.recipient(await bear(site)) } });
  onTestFinished(() => manager._close());
  await until(() => admin.connected && track.connected);
  const client = await openRaw(process);
  const token = tokens.recipient(await bear(site));
  for (let i = 0; i < 2; i += 1) client.say(`40/track,${JSON.stringify({ token })}`);
  await until(() => client.texts.some((text) => text.startsWith('44/track,') && text.includes('forbidden')));
  expect(process.realtime.stats().sockets['/track']).toBe(2);
});

test('[T34] an address gets a limited number of connections that do not authenticate', async () => {
  const process = await startOne();
  const idle = [];
  for (let i = 0; i < 10; i += 1) idle.push(await openRaw(process, { localAddress: '127.7.0.1' }));
  expect(await isLetIn(process, '127.7.0.1')).toBe(false);
  expect(await isLetIn(process, '127.7.0.2')).toBe(true);
  expect(await idle[0]?.join('/admin', { token: tokens.staff() })).toBe(true);
  expect(await isLetIn(process, '127.7.0.1')).toBe(true);
  expect(site.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: { address: '127.7.0.1', forwarded: false } }),
  );
});

test('[T34] refused handshakes count against an address for a minute, connections that authenticate do not', async () => {
  const process = await startOne();
  const localAddress = '127.7.0.3';
  for (let i = 0; i < 12; i += 1) {
    const phone = await openRaw(process, { localAddress });
    expect(await phone.join('/courier', { token: tokens.courier(await storeCourier(site)) })).toBe(true);
  }
  for (let i = 0; i < 5; i += 1) {
    const stranger = await openRaw(process, { localAddress });
    for (let j = 0; j < 2; j += 1) expect(await stranger.join('/track', { token: invented() })).toBe(false);
    stranger.close();
  }
  expect(await isLetIn(process, localAddress)).toBe(false);
  site.clock.shift(61_000);
  expect(await isLetIn(process, localAddress)).toBe(true);
});

test('[T34] an expired token does not count against an address, because phones reconnect with new ones', async () => {
  const process = await startOne();
  const localAddress = '127.7.0.4';
  const courier = await storeCourier(site);
  for (let i = 0; i < 12; i += 1) {
    const phone = await openRaw(process, { localAddress });
    const token = tokens.courier(courier, { expiresAt: site.clock.now() - 1 });
    expect(await phone.join('/courier', { token })).toBe(false);
    phone.close();
  }
  expect(await isLetIn(process, localAddress)).toBe(true);
});

test('[T34] behind a trusted proxy the address is the one that it reports', async () => {
  const process = await startOne();
  const localAddress = '127.99.0.1';
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let i = 0; i < 10; i += 1) await openRaw(process, { localAddress, headers: from('198.51.100.7') });
  expect(await isLetIn(process, localAddress, from('198.51.100.7'))).toBe(false);
  expect(await isLetIn(process, localAddress, from('198.51.100.8'))).toBe(true);
});

test('[T35] a vendor, a member of staff and a link have a limited number of connections', async () => {
  const process = await startOne();
  const delivery = await bear(site);
  const all = [
    ['/admin', tokens.staff()],
    ['/vendor', tokens.vendor(delivery)],
    ['/track', tokens.recipient(delivery)],
  ] as const;
  for (const [namespace, token] of all) {
    const [first] = await Promise.all(
      Array.from({ length: 3 }, () => site.join(process, namespace, { token }).ready()),
    );
    const extra = site.join(process, namespace, { token });
    await until(() => extra.refusedWith !== null);
    expect(extra.refusedWith).toMatchObject({
      code: 'too_many_requests',
      retryable: true,
      detail: 'This caller may have 3 connections at a time.',
    });
    first?.socket.disconnect();
    await until(() => process.realtime.stats().sockets[namespace] === 2);
    await site.join(process, namespace, { token }).ready();
  }
});

test('[T35] if a courier opens many connections at once, the newest stays', async () => {
  const process = await startOne();
  const token = tokens.courier(await storeCourier(site));
  const phones = Array.from({ length: 8 }, () => site.join(process, '/courier', { token }));
  await until(() => phones.filter(({ closedBy }) => closedBy !== null).length === 7);
  expect(phones.filter(({ socket }) => socket.connected)).toHaveLength(1);
  expect(phones.every(({ refusedWith }) => refusedWith === null)).toBe(true);
});

test('[T35] a credential that joins too often is refused until some time has passed', async () => {
  const process = await startOne();
  const auth = { token: tokens.recipient(await bear(site)) };
  for (let i = 0; i < 10; i += 1) {
    const client = await openRaw(process);
    expect(await client.join('/track', auth)).toBe(true);
    client.close();
  }
  const client = site.join(process, '/track', auth);
  await until(() => client.refusedWith !== null);
  expect(client.refusedWith).toMatchObject({
    code: 'too_many_requests',
    metadata: { retry_after_s: expect.any(Number) },
  });
  // Three connections may join twelve times a minute.
  site.clock.shift(5_000);
  await site.join(process, '/track', auth).ready();
});
