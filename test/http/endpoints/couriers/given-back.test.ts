import { expect, test } from 'vitest';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('given-back');

test('[T67] the repeat of a release shows its courier nothing of the next one, nor of the end', async () => {
  const [staff, vendor] = [await addStaff(house, 'dispatcher'), await addVendor(house)];
  const id = await addDelivery(house, vendor.key);
  const assign = async (): Promise<string> => {
    const courier = await addCourier(house);
    await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
    const body = { delivery_id: id, courier_id: courier.id };
    expect((await call(house, 'POST /dispatch/assign', { token: staff, body })).status).toBe(200);
    return courier.token;
  };
  const token = await assign();
  const release = () => call(house, `POST /deliveries/${id}/release`, { token, body: { reason: 'Flat tyre' } });
  const shown = { status: 200, body: { id, status: 'searching', stage: null } };
  expect(await release()).toMatchObject(shown);
  await assign();
  expect(await release()).toMatchObject(shown);
  expect((await call(house, `POST /deliveries/${id}/cancel`, { token: vendor.key, body: {} })).status).toBe(200);
  expect(await release()).toMatchObject(shown);
});
