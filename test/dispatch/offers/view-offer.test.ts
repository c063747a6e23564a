import { expect, test } from 'vitest';
import { viewOffer } from '../../../src/dispatch/offers/view-offer.ts';
import { OfferView } from '../../../src/domain/offers/offer-view.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { deliverStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { anOffer, aPosition, aStop, CENTER } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { at, bookedFor, openShop, storeFunded } from '../shop.ts';
import { openWorld, storeCourier, storeDelivery, storeOffer, storeVendor } from '../world.ts';

const world = await openWorld('view-offer');

test('[O80] an offer names pay, vendor, weight, drop-offs, the way to the pickup and the clock of the server', async () => {
  const vendor = await storeVendor(world, { name: 'Corner Bakery' });
  const courier = await storeCourier(world);
  const now = world.clock.now();
  const dropOffs = [aStop(1), aStop(2)];
  const over = { vendorId: vendor.id, fee: 450, metadata: { weight: 2.5 }, dropOffs };
  const delivery = await storeDelivery(world, { ...over, times: { createdAt: now, updatedAt: now } });
  const offer = await storeOffer(world, delivery, courier);
  const unplaced = await viewOffer(world, offer, delivery);
  expect(unplaced.to_pickup).toBeNull();
  world.positions.put(aPosition({ courierId: courier.id, ...offsetBy(CENTER, 1000, 0), at: now }));
  const view = await viewOffer(world, offer, delivery);
  expect(OfferView.safeParse(view).error).toBeUndefined();
  expect(view).toMatchObject({
    payout: { amount: 360, currency: 'EUR' },
    vendor_name: 'Corner Bakery',
    weight: 2.5,
    drop_off_count: 2,
    server_time: isoTime(world.clock.now()),
  });
  // 1 km as the crow flies is more along streets, and a scooter takes some minutes.
  expect(view.to_pickup?.distance_m).toBeGreaterThan(1000);
  expect(view.to_pickup?.distance_m).toBeLessThan(2000);
  expect(view.to_pickup?.duration_s).toBeGreaterThan(60);
  expect(view.to_pickup?.duration_s).toBeLessThan(900);
});

test('[J71] a change of the settings changes neither the pay that an offer names nor the pay that is booked', async () => {
  const shop = await openShop(world, 10_000);
  const { delivery, courier } = await storeFunded(world, shop, 'in_transit');
  const pay = { courierShareBp: 5000, taxRateBp: 1900 };
  const changed = { ...world, settings: { ...world.settings, pay } };
  const { payout } = await viewOffer(changed, anOffer({ deliveryId: delivery.id, courierId: courier.id }), delivery);
  expect(payout.amount).toBe(360);
  await deliverStop(changed, at(delivery, 1), asStaff());
  expect(await bookedFor(world, delivery)).toMatchObject({ earnings: payout.amount });
});
