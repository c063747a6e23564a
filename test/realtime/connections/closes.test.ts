import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { sourcesOf } from '../../sources.ts';
import type { RawConnection } from '../../../src/realtime/sockets.ts';
import { until } from '../../until.ts';
import type { Client } from '../client.ts';
import { openSite, storeCourier, tokensOf, type Process } from '../house.ts';

const site = await openSite('closes');
const tokens = tokensOf(site);
const NOBODYS = newId('del');

async function start(): Promise<Process> {
  const process = await site.start();
  onTestFinished(process.stop);
  return process;
}

async function aPhone(process: Process, over: { expiresAt?: number } = {}): Promise<Client> {
  const courier = await storeCourier(site);
  return site.join(process, '/courier', { token: tokens.courier(courier, over) }).ready();
}

/** How many connections the process has closed, by reason. */
function closesOf({ metrics }: Process): Record<string, number> {
  const counts = [...metrics.counts].filter(([name]) => name.startsWith('sockets_closed_total '));
  return Object.fromEntries(counts.map(([name, count]) => [name.split(' ')[1], count]));
}

test.each([
  ['messages that fit no schema', (phone: Client) => phone.socket.emit('ping', { fixes: 'garbage' })],
  ['messages beyond their pace', (phone: Client) => phone.socket.emit('resync', { delivery_id: NOBODYS, after: 0 })],
])('[T50] a connection that is closed for a flood of %s is counted once, as any other flood', async (_what, say) => {
  // The clock stands still, so all messages count in the same second.
  site.clock.stand();
  const process = await start();
  const phone = await aPhone(process);
  for (let i = 0; i < 800; i += 1) say(phone);
  await until(() => phone.closedBy !== null);
  expect(phone.closedBy).toBe('transport close');
  expect(closesOf(process)).toEqual({ flood: 1 });
  expect(site.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: { address: '127.0.0.1', reason: 'flood' } }),
  );
});

test('[T50] connections that end with their token, or with the server, are counted apart', async () => {
  const process = await start();
  const over = await aPhone(process, { expiresAt: site.clock.real.now() + 60_000 });
  const staying = await Promise.all([aPhone(process), aPhone(process)]);
  site.clock.shift(120_000);
  await until(() => over.closedBy !== null);
  expect(closesOf(process)).toEqual({ ended: 1 });
  await process.realtime.leave();
  await until(() => staying.every(({ closedBy }) => closedBy !== null));
  expect(closesOf(process)).toEqual({ ended: 1, drain: 2 });
});

test('[T61] a client whose connection closes in the moment in which it joins leaves again', async () => {
  const process = await start();
  const courier = await storeCourier(site);
  const joined: string[] = [];
  const left: string[] = [];
  process.io.of('/courier').on('connection', (socket) => {
    joined.push(socket.id);
    socket.on('disconnect', () => left.push(socket.id));
  });
  process.io.engine.once('connection', (raw: RawConnection) => {
    // As if its answer to the handshake were more than the client may leave unread.
    const own = raw as unknown as { sendPacket(type: string, data?: string, ...rest: unknown[]): void };
    const sendPacket = own.sendPacket.bind(raw);
    own.sendPacket = (type, data, ...rest) => {
      if (data?.startsWith('0/courier') === true) raw.close(true);
      sendPacket(type, data, ...rest);
    };
  });
  site.join(process, '/courier', { token: tokens.courier(courier) });
  await until(() => left.length > 0);
  expect(left[0]).toBe(joined[0]);
});

test('[T50] nothing but the connection itself closes a connection', () => {
  const closers = sourcesOf('src/realtime').filter(({ text }) => /(conn|raw)\.close\(|\.disconnect\(/.test(text));
  expect(closers.map(({ file }) => file)).toEqual(['src/realtime/connections/connection.ts']);
});
