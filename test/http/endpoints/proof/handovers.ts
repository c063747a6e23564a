/** Deliveries that couriers have on their way, and forms of proof, on a house of its own. */
import { assignCourier } from '../../../../src/dispatch/offers/assign-courier.ts';
import { setAvailability } from '../../../../src/dispatch/couriers/set-availability.ts';
import { depart, pickUp } from '../../../../src/dispatch/deliveries/advance-delivery.ts';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import { newId, type CourierId, type DeliveryId } from '../../../../src/domain/ids.ts';
import { asInternal } from '../../../callers.ts';
import { addCourier, addDelivery, addVendor, call, DROP_OFF, openHouse } from '../../house.ts';

/** The courier as the caller of a use case. */
export const as = (id: CourierId) => ({
  type: 'courier' as const,
  courierId: id,
  liveMode: false,
  sessionId: newId('ses'),
  expiresAt: Number.MAX_SAFE_INTEGER,
});

type Part = string | Buffer | readonly Buffer[];

export async function openHandovers(name: string) {
  const house = await openHouse(name);
  const vendor = await addVendor(house);
  const courier = await addCourier(house);
  /** A delivery that was just assigned to the courier. */
  const assigned = async (over: object, { id: courierId } = courier): Promise<Delivery> => {
    const deliveryId = await addDelivery(house, vendor.key, over);
    await setAvailability(house.ctx, { courierId, availability: 'online' }, as(courierId));
    return assignCourier(house.ctx, { deliveryId, courierId, offerId: null, overrideReason: 'test' }, asInternal());
  };
  return {
    house,
    vendor,
    courier,
    assigned,
    /** A delivery on its way to the drop-off, which requires this proof. */
    underway: async (verification: object, carrier = courier): Promise<DeliveryId> => {
      const { id } = await assigned({ drop_off: { ...DROP_OFF, verification } }, carrier);
      const at = { deliveryId: id, stop: 0, overrideReason: 'no satellites' };
      await pickUp(house.ctx, at, as(carrier.id));
      await depart(house.ctx, at, as(carrier.id));
      return id;
    },
    /** Sends a form of files and fields as proof of stop 1. */
    prove: (
      id: string,
      parts: Record<string, Part>,
      { token = courier.token, stop = '1', headers = {} }: Partial<Record<'token' | 'stop', string>> & Headed = {},
    ) => {
      const form = new FormData();
      for (const [field, part] of Object.entries(parts)) {
        if (typeof part === 'string') form.append(field, part);
        else for (const file of [part].flat()) form.append(field, jpegOf(file), 'photo.jpg');
      }
      return call(house, `POST /deliveries/${id}/stops/${stop}/proof`, { token, form, headers });
    },
  };
}

type Headed = { readonly headers?: Record<string, string> };

function jpegOf(content: Buffer): Blob {
  return new Blob([new Uint8Array(content)], { type: 'image/jpeg' });
}
