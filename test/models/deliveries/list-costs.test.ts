import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { STATES } from '../../../src/domain/deliveries/states.ts';
import { deliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import type { DeliveryFilter } from '../../../src/ports/deliveries.ts';
import type { PageMark } from '../../../src/ports/pages.ts';
import { aDelivery, aStop, NOON } from '../../builders.ts';
import { openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { costsOf, type Cost } from '../reading-costs.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const house = await openHouse('list-costs');
const ROWS = 3000;
const LIMIT = 5;
const MOST = 5 * LIMIT + 20;
const vendorId = newId('ven');
const courier = newId('cou');

/** Most deliveries are delivered, live and express. The rare ones are the oldest. */
const made: Delivery[] = Array.from({ length: ROWS }, (_, age) => {
  const isRare = age >= ROWS - 10;
  const contact = { name: 'Ada', phone: `+49301234${String(5000 + (age % 7)).padStart(4, '0')}` };
  return aDelivery({
    vendorId: age % 2 === 0 ? vendorId : newId('ven'),
    liveMode: !isRare,
    channel: isRare ? 'chat' : 'express',
    state: isRare ? 'failed' : 'delivered',
    externalId: `order.${age % 300}`,
    orderId: `table.${age % 300}`,
    courierId: age % 3 === 0 ? courier : null,
    dropOffs: [aStop(1, { contact })],
    times: { createdAt: NOON - age, updatedAt: NOON - age },
  });
});
await house.mongo.collection(DELIVERIES).insertMany(made.map((delivery) => deliveryRow(delivery, SETTINGS)));

const BASES: Record<string, DeliveryFilter> = {
  'of a vendor': { vendorId },
  'of a vendor and mode': { vendorId, liveMode: true },
  'of a mode': { liveMode: false },
  'of all': {},
};
const PARTS: Record<string, DeliveryFilter> = {
  '': {},
  ', by a rare state': { states: ['failed'] },
  ', by a common state': { states: ['delivered'] },
  ', by several states': { states: ['failed', 'canceled', 'delivered'] },
  ', by open states': { states: STATES.slice(0, 5) },
  ', by a rare channel': { channel: 'chat' },
  ', by a day': { createdFrom: NOON - 2000, createdTo: NOON - 1000 },
  ', by external id': { search: 'order.7' },
  ', by an unknown external id': { search: 'order.none' },
  ', by four digits': { search: '5003' },
  ', by six digits': { search: '345003' },
  ', by a whole number': { search: '+49301234 5003' },
  ', by id': { search: made[40]?.id ?? '' },
  ', by a common name and a word of no address': { search: 'Ada Nowhere' },
  ', by a busy courier': { courierId: courier },
  ', by the field of external ids': { externalId: 'order.7' },
  ', by the field of order ids': { orderId: 'table.7' },
  ', by order id': { search: 'table.7' },
};

/** The queries that read too much for the first two pages of these lists. */
async function dearOf(filters: readonly DeliveryFilter[]): Promise<Cost[]> {
  const costs = await costsOf(house.mongo, 'deliveries', async () => {
    for (const filter of filters) {
      const { next } = await house.deliveries.list(filter, { limit: LIMIT, after: null });
      if (next !== null) await house.deliveries.list(filter, { limit: LIMIT, after: next });
    }
  });
  expect(costs.length).toBeGreaterThanOrEqual(filters.length);
  return costs.filter(({ docsExamined }) => docsExamined > MOST);
}

for (const [of, base] of Object.entries(BASES)) {
  test(`[S53] a page ${of} reads few deliveries, whatever its filter`, async () => {
    for (const [place, [by, part]] of Object.entries(PARTS).entries()) {
      const pairs = Object.entries(PARTS).slice(place);
      const filters = pairs.map(([and, more]) => [`${of}${by}${and}`, { ...base, ...part, ...more }] as const);
      const dear = await dearOf(filters.map(([, filter]) => filter));
      if (dear.length === 0) continue;
      for (const [name, filter] of filters) expect([name, await dearOf([filter])]).toEqual([name, []]);
      expect(dear).toEqual([]);
    }
  });
}

/** Says in a simple way whether a delivery matches the filter. */
function isAsked(delivery: Delivery, filter: DeliveryFilter): boolean {
  const { vendorId: vendor, liveMode, channel, states, createdFrom = 0, createdTo = NOON + 1, search } = filter;
  const { courierId, externalId, orderId } = filter;
  const digits = search?.replaceAll(/\D/g, '') ?? '';
  const phones = delivery.dropOffs.map(({ contact }) => contact?.phone ?? '');
  const isFound =
    search === undefined ||
    [delivery.id, delivery.externalId, delivery.orderId].includes(search) ||
    (/^[+\d\s]+$/.test(search) && phones.some((phone) => phone.endsWith(digits)));
  return (
    isFound &&
    [undefined, delivery.vendorId].includes(vendor) &&
    [undefined, delivery.liveMode].includes(liveMode) &&
    [undefined, delivery.courierId].includes(courierId) &&
    [undefined, delivery.externalId ?? ''].includes(externalId) &&
    [undefined, delivery.orderId].includes(orderId) &&
    [undefined, delivery.channel].includes(channel) &&
    (states?.includes(delivery.state) ?? true) &&
    delivery.times.createdAt >= createdFrom &&
    delivery.times.createdAt < createdTo
  );
}

test('[S53] the pages of a list contain exactly the deliveries that match its filter, newest first', async () => {
  for (const base of Object.values(BASES)) {
    for (const part of Object.values(PARTS)) {
      const filter = { ...base, ...part };
      const got: string[] = [];
      let after: PageMark | null = null;
      do {
        const page = await house.deliveries.list(filter, { limit: 100, after });
        got.push(...page.items.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      expect([filter, got]).toEqual([filter, made.filter((one) => isAsked(one, filter)).map(({ id }) => id)]);
    }
  }
});

test('[S53] a search that is filtered by a state may return a short page, and continues on the next', async () => {
  const filter: DeliveryFilter = { search: '5003', states: ['failed'] };
  const meant = made.filter((one) => isAsked(one, filter)).map(({ id }) => id);
  expect(meant.length).toBeGreaterThan(0);
  const first = await house.deliveries.list(filter, { limit: LIMIT, after: null });
  expect(first).toMatchObject({ items: [], next: expect.anything() as PageMark });
  const got: string[] = [];
  for (let { next } = first; next !== null;) {
    const page = await house.deliveries.list(filter, { limit: LIMIT, after: next });
    got.push(...page.items.map(({ id }) => id));
    next = page.next;
  }
  expect(got).toEqual(meant);
});
