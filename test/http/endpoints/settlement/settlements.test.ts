import { expect, test } from 'vitest';
import { endOf, funded10 } from '../../../money/charges/ends.ts';
import { anAccount, aSettlement, settleOnce } from '../../../money/settlement/an-account.ts';
import { aCreate, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { DAY_MS, openSettling } from './settling.ts';

const house = await openHouse('settlements');
const { ctx } = house;
const { period, dueAt, seal, turn, sell } = openSettling(house);
const FUNDS = 1_000_000_000;

type Rows = Record<string, unknown>[];
const read = async (token: string, path: string): Promise<Rows> => {
  const { status, body, text } = await call(house, `GET ${path}`, { token });
  if (status !== 200) throw new Error(text);
  return body.data ?? [];
};

test('[J199] a vendor lists its own settlements and payments, and staff and services those of all', async () => {
  const [vendor, other] = [await addVendor(house), await addVendor(house)];
  await sell(vendor.id, 5000);
  await sell(other.id, 70);
  await seal();
  await turn(dueAt());
  await turn(dueAt());
  const [own] = await read(vendor.key, '/settlement/vendors');
  expect(own).toMatchObject({
    object: 'settlement',
    vendor_id: vendor.id,
    cycle: 'daily',
    date: period.date,
    status: 'paid',
    deliveries: 1,
    order_value: 5000,
    delivery_cost: 450,
    charges: [{ type: 'delivery', count: 1, amount: 450, tax: 20 }],
    net: 5000 - 450 + FUNDS,
    amount: 5000,
    destination: 'wallet',
  });
  const id = String(own?.['id']);
  expect((await call(house, `GET /settlement/vendors/${id}`, { token: vendor.key })).body).toEqual(own);
  expect((await call(house, `GET /settlement/vendors/${id}`, { token: other.key })).body).toMatchObject({
    code: 'settlement_not_found',
  });
  expect(await read(vendor.key, '/vendor/settlement/payouts')).toMatchObject([
    { object: 'settlement_payout', id, amount: 5000, status: 'paid', paid_at: expect.any(String) },
  ]);
  expect(await read(other.key, '/vendor/settlement/payouts')).toEqual([]);
  expect(await read(other.key, '/settlement/vendors')).toMatchObject([{ status: 'closed', carried_out: 70 }]);
  const [finance, service] = [await addStaff(house, 'finance'), await ctx.credentials.issueInternal('reports', 600)];
  for (const token of [finance, service]) {
    const all = await read(token, '/settlement/vendors?live_mode=false&limit=100');
    expect(all.map((one) => one['vendor_id'])).toEqual(expect.arrayContaining([vendor.id, other.id]));
    const live = await read(token, '/settlement/vendors');
    expect(live.every((one) => one['live_mode'] === true)).toBe(true);
    const one = await read(token, `/settlement/vendors?live_mode=false&vendor_id=${vendor.id}`);
    expect(one).toEqual([own]);
  }
  expect((await call(house, 'GET /settlement/vendors', { token: await addStaff(house, 'support') })).status).toBe(403);
});

test('[J199] filters narrow the list, pages are stable, and CSV has all rows', async () => {
  const vendor = await addVendor(house);
  for (const day of [0, 1, 2]) {
    await sell(vendor.id, 1000 + day);
    await seal();
    await turn(dueAt(day));
  }
  const path = '/settlement/vendors';
  const dates = async (query: string) => (await read(vendor.key, `${path}${query}`)).map(({ date }) => date);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [first, second, third] = [0, 1, 2].map((day) => dayOf(period.from + day * DAY_MS));
  expect(await dates('')).toEqual([third, second, first]);
  expect(await dates(`?date_range=${first}/${second}`)).toEqual([first]);
  expect([await dates('?cycle=weekly'), await dates('?cycle=daily')]).toEqual([[], [third, second, first]]);
  const { body } = await call(house, `GET ${path}?limit=2`, { token: vendor.key });
  expect(await dates(`?limit=2&cursor=${String(body['next_cursor'])}`)).toEqual([first]);
  const csv = await call(house, `GET ${path}?format=csv`, { token: vendor.key });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="settlement-vendors.csv"');
  const rows = csv.text.trimEnd().split('\r\n');
  expect([rows.length, rows[0]?.startsWith('"id","vendor_id","cycle","date","status"')]).toEqual([4, true]);
});

test('[J199] staff set the cycle and the cut-off of a vendor', async () => {
  const [{ id, key }, staff] = [await addVendor(house), await addStaff(house, 'admin')];
  const set = (settlement: object) => call(house, `PATCH /vendors/${id}`, { token: staff, body: { settlement } });
  const weekly = { cycle: 'weekly', cut_off: '04:00' };
  expect((await set(weekly)).body).toMatchObject({ settlement: weekly });
  expect((await call(house, 'GET /vendor/profile', { token: key })).body).toMatchObject({ settlement: weekly });
  expect((await set({ cycle: 'weekly', cut_off: '24:00' })).status).toBe(400);
});

test('[J191] an internal service creates a delivery whose order value it has collected', async () => {
  const [vendor, token] = [await addVendor(house), await ctx.credentials.issueInternal('chat', 600)];
  const create = async (over: object) => {
    const body = aCreate({ vendor_id: vendor.id, ...over });
    return (await call(house, 'POST /deliveries', { token, body })).body['order_value_collected_by'];
  };
  expect(await create({ order_value_collected_by: 'service' })).toBe('service');
  expect([await create({ order_value_collected_by: 'vendor' }), await create({})]).toEqual(['vendor', 'vendor']);
});

test('[J192] a process whose account is stale changes nothing, also if its period has no entries', async () => {
  const account = anAccount();
  const settlement = await settleOnce({ ...ctx, mongo: house.mongo }, account);
  const { next } = aSettlement(account);
  expect(await ctx.settlements.issue({ ...next, link: 99 }, null)).toBe(false);
  expect(await ctx.settlements.replace({ ...settlement, version: 3 }, null, null)).toBe(false);
  expect(await ctx.settlements.find(settlement.id)).toEqual(settlement);
});

test('[J366] a settlement counts a delivery that the platform pays, which costs its vendor nothing', async () => {
  const vendor = await addVendor(house);
  await sell(vendor.id, 5000);
  const { commands } = endOf('charge', funded10('in_transit', { vendorId: vendor.id }, 1000));
  for (const command of commands) await ctx.ledger.post(command, null);
  await seal();
  await turn(dueAt());
  const charges = [{ type: 'delivery', count: 1, amount: 450, tax: 20 }];
  expect(await read(vendor.key, '/settlement/vendors')).toMatchObject([{ deliveries: 2, delivery_cost: 450, charges }]);
});
