import { expect, test } from 'vitest';
import { cardOf } from '../../../src/domain/couriers/courier.ts';
import { until } from '../../until.ts';
import { gatedLog } from '../gated-log.ts';
import { advance, assign, bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('socket-gaps');
const tokens = tokensOf(site);
const log = gatedLog(site.eventLog);
const process = await site.start(() => ({ eventLog: log.eventLog }));

test('[T6] after a gap the newest numbers are sent at once, and missed events can be requested', async () => {
  let delivery = await bear(site);
  const client = await site.join(process, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => client.named('snapshot').length === 1);
  log.gate.streamWaits = true;
  delivery = await advance(site, await advance(site, delivery));
  await until(() => log.live.length >= 2);
  log.live.splice(0);
  log.gate.streamWaits = false;
  expect(client.sequences(delivery.id)).toEqual([]);
  log.gate.gap();
  await until(() => client.named('top').length === 1);
  expect(client.named('top')[0]).toEqual({ [delivery.id]: 3 });
  expect(await client.ask('resync', { delivery_id: delivery.id, after: 1 })).toMatchObject({ through: 3 });
});

test('[T6] after a gap the beacon contains every changed delivery of a vendor, in frames of at most 200', async () => {
  const first = await bear(site);
  const more = await Promise.all(Array.from({ length: 299 }, () => bear(site, { vendorId: first.vendorId })));
  const born = [first, ...more];
  const client = await site.join(process, '/vendor', { token: tokens.vendor(first) }).ready();
  log.gate.gap();
  const tops = () => client.named('top').map((top) => Object.keys(top));
  await until(() => new Set(tops().flat()).size >= born.length);
  expect(new Set(tops().flat())).toEqual(new Set(born.map(({ id }) => id)));
  expect(Math.max(...tops().map(({ length }) => length))).toBeLessThanOrEqual(200);
});

test('[T6] if more has changed in a gap than can be read, every connection is closed and replays', async () => {
  const delivery = await bear(site);
  const other = gatedLog(site.eventLog);
  const endless = await site.start(({ deliveries }) => ({
    eventLog: other.eventLog,
    deliveries: {
      ...deliveries,
      listChangedSince: (_since, limit) => Promise.resolve(Array.from({ length: limit }, () => delivery)),
    },
  }));
  const client = await site.join(endless, '/vendor', { token: tokens.vendor(delivery) }).ready();
  other.gate.gap();
  await until(() => client.closedBy !== null);
  expect(client.closedBy).toBe('transport close');
});

test('[T7] after a gap in the log a courier learns that a delivery was taken from them', async () => {
  const courier = await storeCourier(site);
  let delivery = await assign(site, await bear(site), courier);
  const phone = await site.join(process, '/courier', { token: tokens.courier(courier) }).ready();
  await until(() => phone.named('snapshot').length === 1);
  log.gate.streamWaits = true;
  const gone = { state: 'searching', courierId: null, courier: null, formerCouriers: [courier.id] } as const;
  delivery = await advance(site, delivery, 'courier.unassigned', gone, { courier: cardOf(courier) });
  await until(() => log.live.length === 1);
  log.live.splice(0);
  log.gate.streamWaits = false;
  log.gate.gap();
  await until(() => phone.named('top').length === 1);
  expect(phone.named('top')[0]).toEqual({ [delivery.id]: 3 });
  const answer = await phone.ask('resync', { delivery_id: delivery.id, after: 2 });
  expect(answer.events?.map(({ sequence, data }) => [sequence, data?.['to']])).toEqual([[3, 'searching']]);
});

test('[T63] after a gap the courier of a changed delivery and its recipient receive a snapshot of it', async () => {
  const courier = await storeCourier(site);
  let delivery = await bear(site);
  const phone = await site.join(process, '/courier', { token: tokens.courier(courier) }).ready();
  const page = await site.join(process, '/track', { token: tokens.recipient(delivery) }).ready();
  await until(() => page.named('snapshot').length === 1);
  log.gate.streamWaits = true;
  delivery = await assign(site, delivery, courier);
  await until(() => log.live.length >= 1);
  log.live.splice(0);
  log.gate.streamWaits = false;
  expect(phone.named('snapshot')).toEqual([]);
  log.gate.gap();
  const { id: delivery_id, sequence } = delivery;
  await until(() => phone.named('snapshot').length === 1 && page.named('snapshot').length === 2);
  expect(phone.named('snapshot')[0]).toMatchObject({ delivery_id, sequence, delivery: { status: 'assigned' } });
  expect(page.named('snapshot')[1]).toMatchObject({ delivery_id, sequence });
});

test('[T63] an event that arrives while the server reads what was missed does not replace the snapshot', async () => {
  const courier = await storeCourier(site);
  let delivery = await bear(site);
  const other = gatedLog(site.eventLog);
  const reading = Promise.withResolvers<void>();
  const slow = await site.start(({ deliveries }) => ({
    eventLog: other.eventLog,
    deliveries: {
      ...deliveries,
      listChangedSince: async (...asked) => {
        await reading.promise;
        return deliveries.listChangedSince(...asked);
      },
    },
  }));
  const phone = await site.join(slow, '/courier', { token: tokens.courier(courier) }).ready();
  other.gate.streamWaits = true;
  delivery = await assign(site, delivery, courier);
  await until(() => other.live.length >= 1);
  other.live.splice(0);
  other.gate.streamWaits = false;
  other.gate.gap();
  delivery = await advance(site, delivery, 'courier.arrived_pickup', {}, { stop: 0 });
  await until(() => phone.sequences(delivery.id).includes(delivery.sequence));
  expect(phone.named('snapshot')).toEqual([]);
  reading.resolve();
  await until(() => phone.named('snapshot').length === 1);
  expect(phone.named('snapshot')[0]).toMatchObject({ delivery_id: delivery.id, sequence: delivery.sequence });
});
