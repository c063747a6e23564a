import { ODD } from '../../odd-rows.ts';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { MOST_WAITING } from '../../../src/realtime/relay/holds.ts';
import { MOST_REPLAYED } from '../../../src/realtime/relay/replay.ts';
import { until } from '../../until.ts';
import { gatedLog } from '../gated-log.ts';
import { advance, bear, openSite, tokensOf } from '../house.ts';

const site = await openSite('socket-replay');
const tokens = tokensOf(site);

const log = gatedLog(site.eventLog);
const process = await site.start(() => ({ eventLog: log.eventLog }));

/** So many more events of a delivery, one by one. */
async function advanceBy(delivery: Delivery, count: number): Promise<Delivery> {
  let after = delivery;
  for (let i = 0; i < count; i += 1) after = await advance(site, after);
  return after;
}

function upTo(last: number, from = 1): number[] {
  return Array.from({ length: last - from + 1 }, (_, index) => from + index);
}

test('[T3] over many reconnections no event is lost and none is out of order', async () => {
  let delivery = await bear(site);
  const seen: number[] = [1];
  for (let round = 0; round < 5; round += 1) {
    const last_seq = { [delivery.id]: seen.at(-1) };
    const client = site.join(process, '/vendor', { token: tokens.vendor(delivery), last_seq });
    // Events go on while the client joins and after it is gone again.
    delivery = await advanceBy(delivery, 6);
    await until(() => client.sequences(delivery.id).length >= 4);
    client.socket.disconnect();
    const heard = client.sequences(delivery.id);
    expect(heard).toEqual(heard.toSorted((x, y) => x - y));
    seen.push(...heard.filter((sequence) => sequence > (seen.at(-1) ?? 0)));
    delivery = await advanceBy(delivery, 2);
  }
  expect(seen).toEqual(upTo(seen.length));
  expect(seen.length).toBeGreaterThan(20);
});

test('[T3] the snapshot comes first, then missed events, then live events', async () => {
  let delivery = await advanceBy(await bear(site), 4);
  const last_seq = { [delivery.id]: 2 };
  const client = site.join(process, '/track', { token: tokens.recipient(delivery), last_seq });
  await until(() => client.sequences(delivery.id).length === 3);
  delivery = await advance(site, delivery);
  await until(() => client.sequences(delivery.id).length === 4);
  const order = client.heard.map(({ name, body }) => (name === 'snapshot' ? 'snapshot' : body.sequence));
  expect(order.slice(0, 5)).toEqual(['snapshot', 3, 4, 5, 6]);
  expect(client.named('snapshot')[0]).toMatchObject({ delivery_id: delivery.id, sequence: 5 });
});

test('[T4] events that happen while the past is read wait and follow it', async () => {
  let delivery = await advanceBy(await bear(site), 2);
  log.gate.listsWait = true;
  const last_seq = { [delivery.id]: 1 };
  const client = site.join(process, '/vendor', { token: tokens.vendor(delivery), last_seq });
  await until(() => log.waitingLists() === 1);
  const other = site.join(process, '/vendor', { token: tokens.vendor(delivery) });
  await until(() => other.socket.connected && process.realtime.stats().entering === 1);
  delivery = await advanceBy(delivery, 3);
  await until(() => other.sequences(delivery.id).includes(6));
  expect(client.sequences(delivery.id)).toEqual([]);
  log.openLists();
  await until(() => client.sequences(delivery.id).includes(6));
  expect(client.sequences(delivery.id)).toEqual([2, 3, 4, 5, 6]);
  await advance(site, delivery);
  await until(() => client.sequences(delivery.id).includes(7));
  expect(client.sequences(delivery.id)).toEqual([2, 3, 4, 5, 6, 7]);
});

test('[T4] a stream that lags behind the replay does not repeat events', async () => {
  let delivery = await bear(site);
  log.gate.streamWaits = true;
  delivery = await advanceBy(delivery, 3);
  const last_seq = { [delivery.id]: 1 };
  const client = site.join(process, '/vendor', { token: tokens.vendor(delivery), last_seq });
  await until(() => client.sequences(delivery.id).includes(4) && log.live.length >= 3);
  log.openStream();
  delivery = await advance(site, delivery);
  await until(() => client.sequences(delivery.id).includes(5));
  expect(client.sequences(delivery.id)).toEqual([2, 3, 4, 5]);
  await until(() => process.realtime.stats().catchingUp === 0);
});

test('[T4] if too many events happen meanwhile, the reader gets a snapshot instead', async () => {
  const delivery = await advanceBy(await bear(site), 1);
  log.gate.listsWait = true;
  const last_seq = { [delivery.id]: 1 };
  const client = site.join(process, '/vendor', { token: tokens.vendor(delivery), last_seq });
  await until(() => log.waitingLists() === 1);
  const [event] = await site.eventLog.list(delivery.id, 1, 1);
  if (event === undefined) throw new Error('the delivery has an event');
  for (const sequence of upTo(MOST_WAITING + 10, 3)) log.repeat({ ...event, sequence });
  log.openLists();
  await until(() => client.named('snapshot').length > 0);
  expect(client.sequences(delivery.id)).toEqual([]);
});

test('[T3] events that the log repeats are sent once', async () => {
  const delivery = await bear(site);
  const client = await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => client.named('snapshot').length === 1);
  const after = await advanceBy(delivery, 2);
  await until(() => client.sequences(after.id).length === 2);
  for (const event of await site.eventLog.list(after.id, 0, 10)) log.repeat(event);
  await advance(site, after);
  await until(() => client.sequences(after.id).includes(4));
  expect(client.sequences(after.id)).toEqual([2, 3, 4]);
});

test('[T5] resync answers with all events after a number and the live stream goes on from there', async () => {
  const delivery = await advanceBy(await bear(site), 5);
  const client = await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready();
  const answer = await client.ask('resync', { delivery_id: delivery.id, after: 2 });
  expect(answer.events?.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6]);
  expect(answer).toMatchObject({ ok: true, through: 6 });
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 6 })).toEqual({
    ok: true,
    events: [],
    through: 6,
  });
  await advance(site, delivery);
  await until(() => client.sequences(delivery.id).includes(7));
});

test('[T5] a past that is too long, removed or in the future is answered with a snapshot, never with a part', async () => {
  const delivery = await advanceBy(await bear(site), 3);
  const events = site.mongo.db.collection('events');
  const client = await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready();
  const reset = { ok: true, reset: true, snapshot: { sequence: 4 } };
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 99 })).toMatchObject(reset);
  await events.deleteMany({ delivery_id: delivery.id, sequence: 2 });
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 1 })).toMatchObject(reset);
  const forgotten = await advanceBy(await bear(site, { vendorId: delivery.vendorId }), 3);
  await events.deleteMany({ delivery_id: forgotten.id });
  expect(await client.ask('resync', { delivery_id: forgotten.id, after: 1 })).toMatchObject(reset);
  const [last] = await site.eventLog.list(delivery.id, 3, 1);
  // The relay must not send them too: the connection would fall behind and be closed before it is answered.
  const route = { ...last?.route, vendor_id: newId('ven') };
  const many = upTo(4 + MOST_REPLAYED, 5).map((sequence) => ({
    ...last,
    route,
    sequence,
    _id: `${delivery.id}:${sequence}`,
  }));
  await events.insertMany(many as never[], ODD);
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 3 })).toMatchObject(reset);
});

test('[T8] if the past of a reader cannot be read, the connection is closed so that the client reconnects', async () => {
  const delivery = await advanceBy(await bear(site), 1);
  const broken = await site.start(({ eventLog }) => ({
    eventLog: { ...eventLog, list: () => Promise.reject(new Error('away')) },
  }));
  const last_seq = { [delivery.id]: 1 };
  const client = site.join(broken, '/vendor', { token: tokens.vendor(delivery), last_seq });
  await until(() => client.closedBy !== null);
  expect(client.closedBy).toBe('transport close');
});
