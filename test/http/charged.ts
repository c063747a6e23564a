import { pickUp } from '../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../src/dispatch/deliveries/cancel-delivery.ts';
import { setAvailability } from '../../src/dispatch/couriers/set-availability.ts';
import { assignCourier } from '../../src/dispatch/offers/assign-courier.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { chargedOf } from '../../src/domain/pricing/funds.ts';
import { asInternal, asStaff } from '../callers.ts';
import { addCourier, addDelivery, type House } from './house.ts';

type Charged = { readonly id: DeliveryId; readonly courierToken: string; readonly amount: number };

/** A delivery that was canceled after the pickup, so that it was charged. */
export async function addCharged(house: House, key: string): Promise<Charged> {
  const { ctx } = house;
  const id = await addDelivery(house, key);
  const { id: courierId, token: courierToken } = await addCourier(house);
  await setAvailability(ctx, { courierId, availability: 'online' }, asStaff());
  await assignCourier(ctx, { deliveryId: id, courierId, offerId: null, overrideReason: 'by hand' }, asInternal());
  await pickUp(ctx, { deliveryId: id, overrideReason: 'by hand' }, asStaff());
  const { funds } = await cancelDelivery(ctx, { deliveryId: id, reason: 'price' }, asStaff());
  return { id, courierToken, amount: chargedOf(funds?.charges ?? []) };
}
