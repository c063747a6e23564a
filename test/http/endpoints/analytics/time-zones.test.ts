import { expect, test } from 'vitest';
import { rebuildRollUps } from '../../../../src/dispatch/analytics/rebuild-roll-ups.ts';
import { dateIn } from '../../../../src/domain/analytics/local-date.ts';
import { shiftDate } from '../../../../src/domain/analytics/range.ts';
import { scopeOf } from '../../../../src/domain/analytics/roll-up.ts';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { makeChange } from '../../../../src/dispatch/change-delivery.ts';
import { aMoment, NOON } from '../../../builders.ts';
import { aChange } from '../../../engines/mongo-house.ts';
import { aRefund, charged } from '../../../money/charges/charged.ts';
import { aCreate, call } from '../../house.ts';
import { openSite } from './site.ts';

const { house, vendor, locationId, courier, staff, fold, end } = await openSite('analytics zones');
const { ctx } = house;
const DAY_MS = 24 * 60 * 60_000;
const ZONE = 'Pacific/Kiritimati'; // UTC+14
const day = dateIn('UTC', ctx.clock.now() - 3 * DAY_MS);
const next = shiftDate(day, 1);
/** 23:00 on the day in UTC, and 13:00 on the next one in Kiritimati. */
const LATE = Date.parse(`${day}T23:00:00Z`);

const setZone = (timezone: string | null) =>
  call(house, 'PATCH /vendor/profile', { token: vendor.key, body: { timezone } });
const countOn = async (date: string, query = '', token = vendor.key) => {
  const range = `date_range=${date}/${shiftDate(date, 1)}`;
  const { body } = await call(house, `GET /vendor/analytics/success-rate?${range}${query}`, { token });
  return [body['delivered'], body['time_zone']];
};

const chargedOn = async (date: string): Promise<number> => {
  const range = `date_range=${date}/${shiftDate(date, 1)}`;
  const { body } = await call(house, `GET /vendor/analytics/delivery-costs?${range}`, { token: vendor.key });
  return (body.data as { readonly charged: number }[]).reduce((sum, { charged: some }) => sum + some, 0);
};
const rebuild = () =>
  rebuildRollUps({ ...ctx, clock: { ...ctx.clock, real: { ...ctx.clock.real, sleep: async () => {} } } }, () => {});
const refundOf = (before: Delivery, amount: number) => {
  const made = aRefund(amount);
  const happening = { type: 'delivery.refunded', actor: { type: 'system', id: null } } as const;
  const details = { refund: { id: made.id, amount, tax: 0 }, reason: made.reason };
  const after = { ...before, funds: { ...charged(450), refunds: [made] } };
  return ctx.commit(makeChange(before, after, [{ ...happening, ...details }], aMoment(NOON)));
};

test('[N2] deliveries without time zones count in those of the moment, and a rebuild moves them', async () => {
  expect((await setZone(ZONE)).body).toMatchObject({ timezone: ZONE });
  const first = await end({ state: 'delivered', courierId: courier.id, at: LATE });
  await call(house, `POST /deliveries/${first}/rating`, { token: vendor.key, body: { rating: 5 } });
  await fold();
  expect(await countOn(day)).toEqual([0, ZONE]);
  expect(await countOn(next)).toEqual([1, ZONE]);
  expect(await countOn(next, `&location_id=${locationId}`)).toEqual([1, ZONE]);
  expect(await countOn(day, '&live_mode=false', staff)).toEqual([1, 'UTC']);
  expect(await countOn(next, `&live_mode=false&vendor_id=${vendor.id}`, staff)).toEqual([1, ZONE]);
  const hours = { location_id: locationId, timezone: 'America/Lima', weekly: null };
  expect((await call(house, 'PATCH /vendor/hours', { token: vendor.key, body: hours })).status).toBe(200);
  await setZone(null);
  await end({ state: 'delivered', courierId: courier.id, at: LATE });
  await fold();
  expect(await Promise.all([day, next].map((date) => countOn(date)))).toEqual([
    [1, 'UTC'],
    [1, 'UTC'],
  ]);
  expect(await countOn(day, `&location_id=${locationId}`)).toEqual([1, 'America/Lima']);
  // A changed rating changes the sums of the date on which it was counted.
  await call(house, `POST /deliveries/${first}/rating`, { token: vendor.key, body: { rating: 3 } });
  await fold();
  await rebuild();
  expect(await countOn(day)).toEqual([2, 'UTC']);
  expect(await countOn(day, `&location_id=${locationId}`)).toEqual([2, 'America/Lima']);
  const riders = `GET /vendor/analytics/rider-performance?date_range=${day}/${shiftDate(next, 1)}`;
  const { body } = await call(house, riders, { token: vendor.key });
  expect(body.data).toMatchObject([{ deliveries: 2, ratings: 1, rating: 3 }]);
});

test('[N37] an end, its rating and its refund keep the time zones of the birth, also in a rebuild', async () => {
  await setZone(ZONE);
  const body = { ...aCreate(), pickup: { location_id: locationId } };
  const { body: born } = await call(house, 'POST /deliveries', { token: vendor.key, body });
  const open = await ctx.deliveries.get(born['id'] as DeliveryId);
  expect(open.timeZones).toEqual({ vendor: ZONE, location: 'America/Lima' });
  await setZone(null);
  const funds = charged(450);
  const ended = aChange(
    open,
    {
      state: 'delivered',
      courierId: courier.id,
      funds,
      dropOffs: open.dropOffs.map((stop) => ({ ...stop, state: 'delivered', doneAt: LATE })),
      times: { ...open.times, deliveredAt: LATE },
    },
    'delivered',
  );
  const ratings = async (date: string) => {
    const range = { from: date, to: date };
    return (await ctx.rollUps.sum({ subject: 'couriers', scope: scopeOf(false, vendor.id), ...range }))['rated'] ?? 0;
  };
  const figures = async () =>
    Promise.all(
      [day, next].map(async (date) => [await chargedOn(date), (await countOn(date))[0], await ratings(date)]),
    );
  const before = await figures();
  const grown = (by: readonly number[]) => [before[0], before[1]?.map((figure, at) => Number(figure) + (by[at] ?? 0))];
  await ctx.commit(ended);
  await fold();
  await call(house, `POST /deliveries/${open.id}/rating`, { token: vendor.key, body: { rating: 5 } });
  await fold();
  expect(await figures()).toEqual(grown([450, 1, 1]));
  await setZone('America/Lima');
  await refundOf(ended.after, 50);
  await fold();
  expect(await figures()).toEqual(grown([400, 1, 1]));
  await setZone(null);
  await rebuild();
  expect(await figures()).toEqual(grown([400, 1, 1]));
});

test('[N9] plain dates of lists begin at midnight in the time zone of the vendor, for staff in UTC', async () => {
  const id = await end({ state: 'delivered', courierId: courier.id, at: LATE });
  const list = async (path: string, from: string, token: string) => {
    const range = `date_range=${from}/${shiftDate(from, 1)}&limit=100`;
    const { body } = await call(house, `GET ${path}?${range}`, { token });
    return (body.data as { readonly id: string }[]).some((one) => one.id === id);
  };
  const found = (token: string, path = '/deliveries') =>
    Promise.all([day, next].map((date) => list(path, date, token)));
  expect(await found(vendor.key)).toEqual([true, false]);
  await setZone(ZONE);
  expect(await found(vendor.key)).toEqual([false, true]);
  expect(await found(staff)).toEqual([true, false]);
  expect(await found(courier.token, `/couriers/${courier.id}/deliveries`)).toEqual([true, false]);
});

test('[H495] a time zone in another case is stored as IANA spells it', async () => {
  expect((await setZone('europe/vaduz')).body).toMatchObject({ timezone: 'Europe/Vaduz' });
  expect((await setZone('asia/KOLKATA')).body).toMatchObject({ timezone: 'Asia/Kolkata' });
});

test('[N2] a time zone that does not exist is refused', async () => {
  for (const timezone of ['Mars/Olympus', '+02:00', '']) {
    const { status, body } = await setZone(timezone);
    expect([400, 422]).toContain(status);
    expect(body['errors']).toMatchObject([{ pointer: '/timezone' }]);
  }
});
