import { ODD } from '../../odd-rows.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { until } from '../../until.ts';
import { advance, bear, openSite, tokensOf, type Process } from '../house.ts';
import { openRaw } from '../raw-client.ts';

const site = await openSite('socket-unread', ({ sockets }) => void (sockets.replaysAtOnce = 3));
const tokens = tokensOf(site);

/** More than both systems keep of a connection that does not read. */
const MOST_KERNEL_BYTES = 24_000_000;

/** So many looks in a row without a change: a second. */
const STILL_LOOKS = 100;

type Reads = { made: number; atOnce: number; most: number };

/** Counts how many calls of a function there have been, and how many at once. */
function counted<A extends unknown[], R>(reads: Reads, call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    reads.made += 1;
    reads.atOnce += 1;
    reads.most = Math.max(reads.most, reads.atOnce);
    try {
      return await call(...args);
    } finally {
      reads.atOnce -= 1;
    }
  };
}

async function startCounting(): Promise<Process & { lists: Reads; finds: Reads; presents: Reads }> {
  const [lists, finds, presents] = [0, 1, 2].map((): Reads => ({ made: 0, atOnce: 0, most: 0 })) as [
    Reads,
    Reads,
    Reads,
  ];
  const process = await site.start(({ eventLog, deliveries, positions }) => {
    // An index of positions is an object of a class: its method is replaced where it is.
    positions.listPresent = counted(presents, positions.listPresent.bind(positions));
    return {
      eventLog: { ...eventLog, list: counted(lists, eventLog.list.bind(eventLog)) },
      deliveries: {
        ...deliveries,
        find: counted(finds, deliveries.find.bind(deliveries)),
        findMany: counted(finds, deliveries.findMany.bind(deliveries)),
      },
    };
  });
  onTestFinished(process.stop);
  return { ...process, lists, finds, presents };
}

/** Resolves when the reads have begun and no more are made: what goes on has stopped. */
async function untilStill(reads: Reads): Promise<void> {
  let [made, looks] = [0, 0];
  await until(() => {
    looks = reads.made === made ? looks + 1 : 0;
    made = reads.made;
    return made > 0 && reads.atOnce === 0 && looks > STILL_LOOKS;
  });
}

/** A delivery whose snapshot has about so many characters. */
function bearLarge(size: number, over: Partial<Delivery> = {}): Promise<Delivery> {
  return bear(site, { ...over, custom: { text: 'x'.repeat(size) } });
}

test('[T37] a reader that does not read is closed when a megabyte waits for it', async () => {
  const process = await startCounting();
  const delivery = await bear(site);
  const token = tokens.vendor(delivery);
  const reading = await site.join(process, '/vendor', { token }).ready();
  const silent = await openRaw(process);
  await silent.join('/vendor', { token });
  silent.pause();
  const large = { delivery_id: delivery.id, sequence: 1, delivery: { text: 'x'.repeat(60_000) } };
  let sent = 0;
  await until(() => {
    if (process.realtime.stats().sockets['/vendor'] === 1) return true;
    process.io.of('/vendor').emit('snapshot', large as never);
    sent += 60_000;
    return false;
  });
  expect(sent).toBeLessThan(MOST_KERNEL_BYTES);
  expect(process.metrics.counts.get('sockets_closed_total unread')).toBe(1);
  expect(reading.socket.connected).toBe(true);
});

test('[T38] a connection is answered one resync at a time', async () => {
  const process = await startCounting();
  const first = await bear(site);
  const more = await Promise.all(Array.from({ length: 39 }, () => bear(site, { vendorId: first.vendorId })));
  const all = await Promise.all([first, ...more].map((delivery) => advance(site, delivery)));
  const client = await site.join(process, '/vendor', { token: tokens.vendor(first) }).ready();
  Object.assign(process.lists, { made: 0, most: 0 });
  const answers = await Promise.all(all.map(({ id }) => client.ask('resync', { delivery_id: id, after: 0 })));
  expect(answers.map(({ ok, through }) => [ok, through])).toEqual(all.map(() => [true, 2]));
  expect(process.lists).toMatchObject({ made: 40, most: 1 });
});

test('[T5] a past that is too large is answered with a snapshot', async () => {
  const process = await startCounting();
  const delivery = await bear(site);
  const [born] = await site.eventLog.list(delivery.id, 0, 1);
  const data = { ...born?.data, reason: 'x'.repeat(100_000) };
  // The relay must not send them too: they would wait for the client beside the answers.
  const route = { ...born?.route, vendor_id: newId('ven') };
  const rows = [2, 3, 4].map((sequence) => ({
    ...born,
    data,
    route,
    sequence,
    id: newId('evt'),
    _id: `${delivery.id}:${sequence}`,
  }));
  await site.mongo.db.collection('events').insertMany(rows as never[], ODD);
  const client = await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready();
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 0 })).toMatchObject({ ok: true, reset: true });
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 2 })).toMatchObject({ ok: true, through: 4 });
});

test('[T40] the pasts of many connections are read a few at a time', async () => {
  const process = await startCounting();
  const delivery = await bear(site);
  const clients = Array.from({ length: 40 }, () => site.join(process, '/track', { token: tokens.recipient(delivery) }));
  await until(() => clients.every(({ named }) => named('snapshot').length > 0));
  expect(process.finds.most).toBeLessThanOrEqual(3);
});

test('[T41] new tokens for one connection are accepted at a slow pace', async () => {
  const process = await startCounting();
  const token = tokens.staff();
  const desk = await site.join(process, '/admin', { token }).ready();
  site.clock.stand();
  const answers = [];
  for (let i = 0; i < 6; i += 1) answers.push(await desk.ask('auth', { token: 'nonsense' }));
  expect(answers.map(({ problem }) => problem?.code)).toEqual([
    ...Array.from({ length: 5 }, () => 'unauthorized'),
    'too_many_requests',
  ]);
});

test('[T41] the positions of a moving map are read one at a time, and at last for its final place', async () => {
  const process = await startCounting();
  const desk = await site.join(process, '/admin', { token: tokens.staff() }).ready();
  const cells = ['871f1d489ffffff', '871f1d48bffffff'];
  await Promise.all(Array.from({ length: 50 }, (_, i) => desk.ask('watch', { cells: cells.slice(i % 2) })));
  await until(() => process.presents.made > 0 && process.presents.atOnce === 0);
  expect(process.presents.most).toBe(1);
  expect(process.presents.made).toBeLessThan(50);
});

test('[T38] nothing is read for the requests of a client that has disconnected', async () => {
  const process = await startCounting();
  const delivery = await bear(site);
  const client = await openRaw(process);
  expect(await client.join('/vendor', { token: tokens.vendor(delivery) })).toBe(true);
  await until(() => process.realtime.stats().entering === 0);
  Object.assign(process.finds, { made: 0 });
  for (let i = 0; i < 200; i += 1) {
    client.say(`42/vendor,${i}["resync",${JSON.stringify({ delivery_id: delivery.id, after: 99 })}]`);
  }
  await until(() => process.finds.made > 0);
  client.close();
  await until(() => process.realtime.stats().sockets['/vendor'] === 0);
  await untilStill(process.finds);
  expect(process.finds.made).toBeLessThan(150);
});

test('[T41] a tracking page may send ten requests at once and then one a second', async () => {
  const process = await startCounting();
  const delivery = await bear(site);
  const page = await site.join(process, '/track', { token: tokens.recipient(delivery) }).ready();
  site.clock.stand();
  const ask = () => page.ask('resync', { delivery_id: delivery.id, after: 1 });
  const answers = await Promise.all(Array.from({ length: 11 }, ask));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
  expect(answers.at(-1)).toMatchObject({ problem: { code: 'too_many_requests' } });
  site.clock.shift(1000);
  expect(await ask()).toMatchObject({ ok: true });
});

test('[T38] a client that does not read its answers gets no more, and is closed after half a minute', async () => {
  const process = await startCounting();
  const delivery = await bearLarge(200_000);
  const silent = await openRaw(process);
  expect(await silent.join('/vendor', { token: tokens.vendor(delivery) })).toBe(true);
  await until(() => process.realtime.stats().entering === 0);
  silent.pause();
  Object.assign(process.finds, { made: 0 });
  for (let i = 0; i < 240; i += 1)
    silent.say(`42/vendor,${i}["resync",${JSON.stringify({ delivery_id: delivery.id, after: 99 })}]`);
  await untilStill(process.finds);
  expect(process.finds.made * 200_000).toBeLessThan(MOST_KERNEL_BYTES);
  site.clock.shift(31_000);
  await until(() => process.realtime.stats().sockets['/vendor'] === 0);
});

test('[T39] a joining reader receives the past as fast as it reads, and is not closed for being slow', async () => {
  const process = await startCounting();
  const first = await bearLarge(150_000);
  const more: Delivery[] = [];
  // All at once they would be more than the database can store within the time of a commit.
  for (let group = 0; group < 7; group += 1) {
    const born = Array.from({ length: 17 }, () => bearLarge(150_000, { vendorId: first.vendorId }));
    more.push(...(await Promise.all(born)));
  }
  const slow = await openRaw(process);
  slow.pause();
  slow.say(`40/vendor,${JSON.stringify({ token: tokens.vendor(first) })}`);
  await untilStill(process.finds);
  // Three pages of deliveries are more than it has read.
  expect(process.finds.made).toBeLessThan(3);
  expect(process.realtime.stats().entering).toBe(1);
  slow.resume();
  await until(() => slow.texts.filter((text) => text.startsWith('42/vendor,["snapshot"')).length === 1 + more.length);
  expect(slow.isOpen()).toBe(true);
});
