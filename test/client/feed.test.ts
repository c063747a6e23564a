import { expect, onTestFinished, test } from 'vitest';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { createSession } from '../../packages/client/src/sessions.ts';
import type { SocketEvent } from '../../packages/client/src/generated/messages.ts';
import type { ConnectionState } from '../../packages/client/src/sockets/connection.ts';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { openVendorFeed } from '../../packages/client/src/sockets/vendor.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { advance, bear, openSite, tokensOf } from '../realtime/house.ts';
import { until } from '../until.ts';
import { answering } from './answers.ts';

const site = await openSite('client-feed', (settings) => void (settings.sockets.beaconRealMs = 200));
const tokens = tokensOf(site);
const process = await site.start();
const backoff = { firstMs: 20, mostMs: 50 };

async function advanceBy(delivery: Delivery, count: number): Promise<Delivery> {
  let after = delivery;
  for (let i = 0; i < count; i += 1) after = await advance(site, after);
  return after;
}

function upTo(last: number, from = 1): number[] {
  return Array.from({ length: last - from + 1 }, (_, index) => from + index);
}

/** A feed of a vendor whose connection can be cut. */
async function aFeed(delivery: Delivery, lastSeq?: Record<string, number>) {
  const proxy = await openTcpProxy({ port: Number(new URL(process.url).port), host: '127.0.0.1' });
  const events: SocketEvent[] = [];
  const states: ConnectionState[] = [];
  const snapshots: { sequence: number; skipped: boolean }[] = [];
  const feed = openVendorFeed({
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    apiKey: tokens.vendor(delivery),
    backoff,
    lastSeq,
    onEvent: (event) => void events.push(event),
    onSnapshot: ({ sequence }, skipped) => void snapshots.push({ sequence, skipped }),
    onState: (state) => void states.push(state),
  });
  onTestFinished(() => {
    feed.close();
    proxy.close();
  });
  const seen = (): number[] => events.map(({ sequence }) => sequence);
  return { feed, proxy, events, states, snapshots, seen };
}

test('[H356] each event arrives once and in order, over many lost connections', async () => {
  let delivery = await bear(site);
  const { feed, proxy, states, seen } = await aFeed(delivery, { [delivery.id]: 0 });
  for (let round = 0; round < 5; round += 1) {
    delivery = await advanceBy(delivery, 2);
    const { length } = seen();
    proxy.cut();
    delivery = await advanceBy(delivery, 3);
    proxy.heal();
    await until(() => seen().length > length);
  }
  await until(() => seen().at(-1) === delivery.sequence);
  expect(seen()).toEqual(upTo(delivery.sequence));
  expect(states.filter((state) => state === 'lost').length).toBeGreaterThan(2);
  expect(feed.lastSeq()).toEqual({ [delivery.id]: delivery.sequence });
});

test('[H356] a delivery that began without a connection, or before a restart, is reported from its first event on', async () => {
  const known = await bear(site);
  const { feed, proxy, snapshots, events } = await aFeed(known);
  const told = (of: Delivery, list = events): number[] =>
    list.filter(({ delivery_id: id }) => id === of.id).map(({ sequence }) => sequence);
  await until(() => snapshots.length > 0);
  proxy.cut();
  const born = await advanceBy(await bear(site, { vendorId: known.vendorId }), 2);
  proxy.heal();
  await until(() => told(born).length === born.sequence);
  const lastSeq = feed.lastSeq();
  feed.close();
  const later = await advanceBy(await bear(site, { vendorId: known.vendorId }), 1);
  const next = await aFeed(known, lastSeq);
  await until(() => told(later, next.events).length === later.sequence);
  expect([told(known), told(born), told(known, next.events), told(born, next.events)]).toEqual([
    [],
    upTo(born.sequence),
    [],
    [],
  ]);
  expect(told(later, next.events)).toEqual(upTo(later.sequence));
});

test('[H356] a feed that begins with a snapshot hears what follows it', async () => {
  const delivery = await advanceBy(await bear(site), 3);
  const { snapshots, seen } = await aFeed(delivery);
  await until(() => snapshots.length > 0);
  const after = await advanceBy(delivery, 2);
  await until(() => seen().at(-1) === after.sequence);
  expect(seen()).toEqual(upTo(after.sequence, delivery.sequence + 1));
});

test('[H356] a snapshot stands for events that the service no longer replays, and the feed says so', async () => {
  const delivery = await advanceBy(await bear(site), 3);
  await site.mongo.db.collection('events').deleteMany({ delivery_id: delivery.id, sequence: 2 });
  const { snapshots, seen } = await aFeed(delivery, { [delivery.id]: 1 });
  await until(() => snapshots.some(({ skipped }) => skipped));
  expect(snapshots.at(-1)).toEqual({ sequence: delivery.sequence, skipped: true });
  const after = await advance(site, delivery);
  await until(() => seen().length > 0);
  expect(seen()).toEqual([after.sequence]);
});

test('[H356] a recipient follows their delivery, and a wrong token closes the feed', async () => {
  const delivery = await bear(site);
  const shown: string[] = [];
  const refused: string[] = [];
  const open = (token: string) =>
    openTrackFeed({
      baseUrl: process.url,
      token,
      backoff,
      onSnapshot: ({ delivery: { status } }) => void shown.push(status),
      onRefused: ({ code }) => void refused.push(code),
    });
  const [good, wrong] = [open(tokens.recipient(delivery)), open('wrong')];
  onTestFinished(() => good.close());
  await until(() => shown.length > 0 && refused.length > 0);
  expect([shown, refused]).toEqual([['searching'], ['tracking_link_not_found']]);
  wrong.close();
});

test('[H354] a socket whose token is refused gets another one', async () => {
  const delivery = await bear(site);
  const given = ['ended', tokens.vendor(delivery)];
  const session = createSession(
    () =>
      Promise.resolve({
        object: 'token',
        token_type: 'Bearer',
        access_token: given.shift() ?? '',
        refresh_token: 'r',
        expires_in: 900,
      }),
    {
      baseUrl: process.url,
      fetch: answering({ status: 401, body: { code: 'unauthorized', status: 401, detail: '' } }).fetch,
    },
  );
  const shown: number[] = [];
  const feed = openVendorFeed({
    baseUrl: process.url,
    apiKey: session,
    backoff,
    onSnapshot: ({ sequence }) => void shown.push(sequence),
  });
  onTestFinished(() => feed.close());
  await until(() => shown.length > 0);
  expect(given).toEqual([]);
});
