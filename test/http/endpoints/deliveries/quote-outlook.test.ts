import { expect, test } from 'vitest';
import { aPosition } from '../../../builders.ts';
import { until } from '../../../until.ts';
import { addCourier, addVendor, call, DROP_OFF, openHouse, PICKUP } from '../../house.ts';

const house = await openHouse('quote-outlook');

test('[D206] a quote says how many free couriers are near, and when the first could be there', async () => {
  const { key: token } = await addVendor(house);
  const asked = {
    pickup: { coordinates: PICKUP.coordinates },
    drop_off: { coordinates: DROP_OFF.coordinates },
    vehicle_types: ['scooter'],
  };
  const quote = async (over: object = {}) =>
    (await call(house, 'POST /express/quotes', { token, body: { ...asked, ...over } })).body;
  expect(await quote()).toMatchObject({ couriers_near: 0, pickup_eta: null });
  const courier = await addCourier(house);
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  house.ctx.positions.put(aPosition({ courierId: courier.id, ...PICKUP.coordinates, at: house.ctx.clock.now() }));
  await until(async () => (await quote())['couriers_near'] === 1);
  const { pickup_eta: eta, created_at: at } = await quote();
  const { at: expected, lower_at: early, upper_at: late } = eta as Record<string, string>;
  const [from, ...times] = [at as string, early, expected, late].map((time) => Date.parse(time ?? ''));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect((times[1] ?? 0) - (from ?? 0)).toBeGreaterThan(0);
  expect((times[1] ?? Infinity) - (from ?? 0)).toBeLessThan(120_000);
  expect(await quote({ vehicle_types: ['van'] })).toMatchObject({ couriers_near: 0, pickup_eta: null });
});
