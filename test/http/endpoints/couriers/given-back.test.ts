import { expect, test } from 'vitest';
import { anOffer } from '../../../builders.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('given-back');

test('[T67] the repeat of a release shows its courier nothing of the next one, of an offer to them, nor of the end', async () => {
  const [staff, vendor] = [await addStaff(house, 'dispatcher'), await addVendor(house)];
  const id = await addDelivery(house, vendor.key);
  const goOnline = async (): Promise<Awaited<ReturnType<typeof addCourier>>> => {
    const courier = await addCourier(house);
    await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
    return courier;
  };
  const assign = async (): Promise<{ id: string; token: string }> => {
    const courier = await goOnline();
    const body = { delivery_id: id, courier_id: courier.id };
    expect((await call(house, 'POST /dispatch/assign', { token: staff, body })).status).toBe(200);
    return courier;
  };
  const { id: courierId, token } = await assign();
  const release = () => call(house, `POST /deliveries/${id}/release`, { token, body: { reason: 'Flat tyre' } });
  const shown = { status: 200, body: { id, status: 'searching', stage: null } };
  expect(await release()).toMatchObject(shown);
  const { region, version } = await house.ctx.deliveries.get(id);
  const now = house.ctx.clock.now();
  const whose = { deliveryId: id, deliveryVersion: version, courierId: (await goOnline()).id, region };
  const offer = anOffer({ ...whose, createdAt: now, expiresAt: now + 25_000 });
  expect(await house.ctx.offers.open(offer)).toBe(true);
  expect((await call(house, `GET /deliveries/${id}/status`, { token: vendor.key })).body['stage']).toBe('offering');
  expect(await release()).toMatchObject(shown);
  const repeat = { token: staff, body: { reason: 'Flat tyre', courier_id: courierId } };
  expect((await call(house, `POST /deliveries/${id}/release`, repeat)).body['stage']).toBe('offering');
  await house.ctx.offers.close(offer.id, 'declined', null, now);
  await assign();
  expect(await release()).toMatchObject(shown);
  expect((await call(house, `POST /deliveries/${id}/cancel`, { token: vendor.key, body: {} })).status).toBe(200);
  expect(await release()).toMatchObject(shown);
});
