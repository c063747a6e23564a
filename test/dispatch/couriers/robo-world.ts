import { beforeEach } from 'vitest';
import { startRobos } from '../../../src/dispatch/couriers/robo/robo-courier.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { leaseDesk, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeDelivery } from '../world.ts';

/** A world in which robo-couriers carry deliveries. Each test begins without any of them. */
export async function openRoboWorld(name: string) {
  const world = await openWorld(name);
  beforeEach(async () => {
    // The leases of a test number their leaders from 1, and a stored higher number would refuse the offers of these.
    for (const rows of ['deliveries', 'offers', 'couriers', 'claims', 'regions'] as const) {
      await world.mongo.db.collection(rows).deleteMany({});
    }
  });
  return {
    world,
    /** Starts the workers of one process. Returns a function that stops its robo-couriers alone. */
    process: async (over: Partial<Parameters<typeof startRobos>[0]> = {}) => {
      const bell = sharedBell();
      const leases = leaseDesk(world.clock).of('one');
      running(startRegions({ ...world, bell, leases, notices: phones({ isThere: false }) }));
      return running(await startRobos({ ...world, bell, leases, ...over }));
    },
    order: (timeScale: number, over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> => {
      const now = world.clock.now();
      return storeDelivery(world, {
        robo: { timeScale },
        searchFromAt: now,
        searchUntilAt: now + 900_000,
        times: { createdAt: now, updatedAt: now, searchingAt: now },
        ...over,
      });
    },
    isIn: (delivery: Delivery, state: Delivery['state']) => async () =>
      (await world.deliveries.get(delivery.id)).state === state,
  };
}
