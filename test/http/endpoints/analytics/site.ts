import { foldSome } from '../../../../src/dispatch/analytics/fold-log.ts';
import { cardOf } from '../../../../src/domain/couriers/courier.ts';
import type { CourierId } from '../../../../src/domain/ids.ts';
import { aBirth, aChange } from '../../../engines/mongo-house.ts';
import { aLocation, aStop } from '../../../builders.ts';
import { charged } from '../../../money/charges/charged.ts';
import { addCourier, addStaff, addVendor, openHouse } from '../../house.ts';

export const MINUTE = 60_000;

type End = {
  readonly state: 'delivered' | 'canceled' | 'failed';
  readonly courierId: CourierId;
  readonly category?: 'Food' | 'Package';
  readonly at?: number;
  /** By default the delivery comes from the vendor's location. */
  readonly isLocated?: false;
};

/** A server with two vendors, a courier and staff. Deliveries of the first vendor end as the tests say. */
export async function openSite(name: string, over?: Parameters<typeof openHouse>[1]) {
  const house = await openHouse(name, over);
  const { ctx } = house;
  const [vendor, other] = [await addVendor(house), await addVendor(house)];
  const location = aLocation({ vendorId: vendor.id });
  await ctx.vendors.addLocation(location);
  const [courier, staff] = [await addCourier(house), await addStaff(house, 'dispatcher')];
  return {
    house,
    vendor,
    other,
    locationId: location.id,
    courier,
    staff,
    fold: async (): Promise<void> => {
      while (await foldSome(ctx));
    },
    /** Ends a delivery that took ten minutes from the assignment. Returns its id. */
    end: async ({ state, courierId, category, at = ctx.clock.now(), isLocated }: End): Promise<string> => {
      const birth = aBirth({
        vendorId: vendor.id,
        courierId,
        courier: cardOf(await ctx.couriers.get(courierId)),
        state: 'in_transit',
        ...(CHARGES[state] === 0 ? {} : { funds: charged(CHARGES[state]) }),
        ...(category === undefined ? {} : { metadata: { category } }),
        ...(isLocated === false ? {} : { locationId: location.id }),
        times: { createdAt: at - 20 * MINUTE, assignedAt: at - 10 * MINUTE, pickedUpAt: at - 5 * MINUTE },
      });
      await ctx.commit(birth);
      const { type, time, reason } = ENDS[state];
      const sets = {
        state,
        ending: reason === null ? null : ({ by: 'vendor', reason } as const),
        dropOffs: [aStop(1, { state: 'delivered', doneAt: at })],
        times: { ...birth.after.times, [time]: at },
      };
      await ctx.commit(aChange(birth.after, sets, type));
      return birth.after.id;
    },
  };
}

/** The charge of each end, minor units. */
const CHARGES = { delivered: 450, canceled: 100, failed: 0 } as const;
const ENDS = {
  delivered: { type: 'delivered', time: 'deliveredAt', reason: null },
  canceled: { type: 'canceled', time: 'canceledAt', reason: 'duplicate' },
  failed: { type: 'delivery.failed', time: 'failedAt', reason: 'lost' },
} as const;
