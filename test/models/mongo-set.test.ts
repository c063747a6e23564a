import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { storeDelivery } from './mongo-house.ts';
import { openSetHouse } from './set-house.ts';

const house = await openSetHouse();

test('[S26] when the primary is killed, the stores go on with the next one and keep what was answered', async () => {
  const before = await storeDelivery(house);
  const killed = await house.set.waitForPrimary();
  await house.set.kill(killed);
  const storesAgain = () =>
    storeDelivery(house).then(
      () => true,
      () => false,
    );
  await until(storesAgain);
  expect(await house.deliveries.get(before.id)).toStrictEqual(before);
  await house.set.start(killed);
});
