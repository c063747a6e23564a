import { expect, test } from 'vitest';
import { COURIERS } from '../../../src/models/couriers/courier-rows.ts';
import { passUntil } from '../region-world.ts';
import { storeCourier } from '../world.ts';
import { openRoboWorld } from './robo-world.ts';

const { world, process, order, isIn } = await openRoboWorld('robo-vehicles');

/** A delivery that nobody carries fails its test soon. */
const BRIEFLY = { timeoutMs: 30_000 };

test('[B6] the vehicle can bear the goods, also if an idle scooter is near', async () => {
  const light = await order(30);
  await process();
  await passUntil(world, isIn(light, 'delivered'));
  const heavy = await order(30, { metadata: { weight: 50 } });
  const both = await order(30, { metadata: { weight: 50 }, vehicleTypes: ['bicycle', 'van'] });
  for (const delivery of [heavy, both]) await passUntil(world, isIn(delivery, 'delivered'), BRIEFLY);
  const carried = await world.deliveries.findMany([light.id, heavy.id, both.id]);
  const vehicles = new Map(carried.map(({ id, courier }) => [id, courier?.vehicle_type]));
  expect([light, heavy, both].map(({ id }) => vehicles.get(id))).toEqual(['scooter', 'car', 'van']);
});

test('[B6] if there are no more robo-couriers to make, an idle one changes their vehicle', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await Promise.all(
    numbers.map((number) => {
      const phone = `+9990${String(number).padStart(6, '0')}`;
      return storeCourier(world, { kind: 'robo', phone, liveMode: false, vehicleType: 'scooter' });
    }),
  );
  const delivery = await order(30, { vehicleTypes: ['van'] });
  await process();
  await passUntil(world, isIn(delivery, 'delivered'), BRIEFLY);
  expect((await world.deliveries.get(delivery.id)).courier?.vehicle_type).toBe('van');
  expect(await world.mongo.collection(COURIERS).countDocuments({ kind: 'robo' })).toBe(200);
});
