import { expect, test } from 'vitest';
import { call, DROP_OFF, openHouse, PICKUP, addVendor, aCreate } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('bodies');
const vendor = await addVendor(house);
const asVendor = (route: string, body?: unknown) =>
  call(house, route, { token: vendor.key, ...(body === undefined ? {} : { body }) });

const ITEM = { name: 'Rye bread', quantity: 2, price: 450, weight_g: 800, size: 'small', barcode: '4006381333931' };
const WHOLE = {
  pickup: {
    ...PICKUP,
    business_name: 'Corner Bakery',
    reference: 'Order 7',
    address: { street: '1 Market Square', city: 'Berlin', country: 'DE' },
  },
  drop_off: [{ ...DROP_OFF, items: [ITEM, { name: 'Salt' }], order_value: 1200, undeliverable_action: 'discard' }],
  tip: 150,
  promo: 'WINTER',
  notify_recipient: true,
};

test('[H280] a create stores goods, values, names and wishes, and every answer shows them', async () => {
  const made = await asVendor('POST /deliveries', WHOLE);
  expect(made.status).toBe(201);
  const { body } = await asVendor(`GET /express/deliveries/${String(made.body['id'])}`);
  expect(replyOf('GET /express/deliveries/{id}')?.safeParse(body).error).toBeUndefined();
  expect(body).toMatchObject({
    tip: 150,
    promo: 'WINTER',
    notify_recipient: true,
    complete: false,
    courier_imminent: false,
    pickup: { business_name: 'Corner Bakery', reference: 'Order 7', address: { city: 'Berlin' }, items: [] },
    drop_off: [
      {
        items: [ITEM, { name: 'Salt', quantity: 1 }],
        order_value: 1200,
        undeliverable_action: 'discard',
        business_name: null,
      },
    ],
    eta: { reason: 'no_courier', pickup_at: expect.any(String), lower_at: expect.any(String) },
  });
});

test('[H280] a create without these fields has their defaults', async () => {
  const { body } = await asVendor('POST /deliveries', aCreate());
  expect(body).toMatchObject({ tip: 0, promo: null, notify_recipient: false });
  expect(body).toMatchObject({ drop_off: [{ items: [], order_value: null, undeliverable_action: 'return' }] });
});

test.each([
  ['/drop_off/0/items/0/quantity', { drop_off: [{ ...DROP_OFF, items: [{ name: 'Rye', quantity: 0 }] }] }],
  ['/drop_off/0/items/0/quantity', { drop_off: [{ ...DROP_OFF, items: [{ name: 'Rye', quantity: 1000 }] }] }],
  ['/drop_off/0/items', { drop_off: [{ ...DROP_OFF, items: Array.from({ length: 101 }, () => ({ name: 'Rye' })) }] }],
  ['/drop_off/0/items/0/price', { drop_off: [{ ...DROP_OFF, items: [{ name: 'Rye', price: 1.5 }] }] }],
  ['/drop_off/0/cash_on_delivery', { drop_off: [{ ...DROP_OFF, cash_on_delivery: 100 }] }],
  ['/tip', { tip: -1 }],
  ['/tip', { tip: 100_000_001 }],
  ['/promo', { promo: '' }],
])('[H281] a value outside the limits of %s is refused and named', async (pointer, over) => {
  const { status, body } = await asVendor('POST /deliveries', aCreate(over));
  expect(status).toBe(400);
  expect(body['errors']).toMatchObject([{ pointer }]);
});

test('[H282] a repeated create compares goods and tip as well', async () => {
  const body = aCreate({ external_id: 'goods', ...WHOLE });
  const first = await asVendor('POST /deliveries', body);
  const again = await asVendor('POST /deliveries', body);
  expect([first.status, again.status]).toEqual([201, 200]);
  const other = await asVendor('POST /deliveries', { ...body, tip: 151 });
  expect(other.body).toMatchObject({ status: 409, code: 'duplicate_delivery' });
});

test('[H286] the orders for a robo-courier must fit each other', async () => {
  const withOrders = (orders: object) =>
    asVendor('POST /deliveries', aCreate({ test_specifications: { robo_courier_specification: orders } }));
  const place = { lat: 52.52, lng: 13.4 };
  const good = { mode: 'custom', steps: { assigned: 5, delivered: 0 }, outcome: 'failed', fail_reason: 'lost' };
  expect((await withOrders({ ...good, gps_trace: [place], time_scale: 1000 })).status).toBe(201);
  expect((await withOrders({})).status).toBe(201);
  const bad: [string, object][] = [
    ['steps', { mode: 'auto', steps: { assigned: 5 } }],
    ['steps/assigned', { mode: 'custom', steps: { assigned: -1 } }],
    ['fail_reason', { fail_reason: 'lost' }],
    ['outcome', { outcome: 'gone' }],
    ['gps_trace', { gps_trace: Array.from({ length: 101 }, () => place) }],
    ['time_scale', { time_scale: 1001 }],
  ];
  for (const [field, orders] of bad) {
    const { status, body } = await withOrders(orders);
    const pointer = `/test_specifications/robo_courier_specification/${field}`;
    const isForm = ['steps/assigned', 'outcome', 'gps_trace', 'time_scale'].includes(field);
    expect([status, body['errors']]).toMatchObject([isForm ? 400 : 422, [{ pointer }]]);
  }
});

test('[L23] a quote refuses the times that the same create refuses, and may leave out the ready time of its pickup', async () => {
  const at = (minutes: number) => new Date(house.ctx.clock.now() + minutes * 60_000).toISOString();
  const times = (ready: number | null, end: number, over: object = {}) => {
    const pickup = {
      ...PICKUP,
      ...(ready === null ? {} : { window: { ready_at: at(ready), deadline_at: at(ready + 30) } }),
    };
    return aCreate({ pickup, drop_off: [{ ...DROP_OFF, window: { deadline_at: at(end) } }], ...over });
  };
  const planned = { priority: 'scheduled' };
  const far = 31 * 24 * 60;
  const wrong = [
    times(null, -1),
    times(-60, 60),
    times(60, 50),
    times(null, far),
    times(60, 80, planned),
    times(far, far + 60, planned),
    times(60, 120, { ...planned, search_until: at(80) }),
    times(null, 120, { search_until: at(-1) }),
  ];
  for (const [index, body] of wrong.entries()) {
    const made = (await asVendor('POST /express/deliveries', body)).body;
    for (const route of ['POST /express/quotes', 'POST /vendor/quotes/pre-calc']) {
      const quoted = (await asVendor(route, body)).body;
      expect([index, quoted['status'], quoted['code'], pointerOf(quoted)]).toEqual([
        index,
        422,
        made['code'],
        pointerOf(made),
      ]);
    }
  }
  expect((await asVendor('POST /express/quotes', times(null, 120, planned))).status).toBe(201);
  expect((await asVendor('POST /express/quotes', times(60, 120, planned))).status).toBe(201);
});

function pointerOf({ errors = [] }: Record<string, unknown>): unknown {
  return (errors as { pointer: string }[])[0]?.pointer;
}
