/** Shared by tests of searches: searches that count from now, and the worker that looks after them. */
import { startDue } from '../../src/dispatch/due/run-due.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { carriedIn } from './carried-in.ts';
import { leaseDesk, running } from './region-world.ts';
import { storeDelivery, type World } from './world.ts';

const LIMIT_MS = 900_000;
const LEAD_MS = 300_000;

export function searchesIn(world: World) {
  const { carried } = carriedIn(world);
  return {
    /** Starts the worker, which stops with the test. */
    due: (over: Partial<Parameters<typeof startDue>[0]> = {}) =>
      running(startDue({ ...world, carried, leases: leaseDesk(world.clock).of('one'), ...over })),
    /** A delivery whose search started 5 min ago and counts from now, for 15 min. */
    search: (over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> => {
      const now = world.clock.now();
      const times = { createdAt: now, updatedAt: now };
      const span = { searchFromAt: now - LEAD_MS, searchCountsFromAt: now, searchUntilAt: now + LIMIT_MS };
      return storeDelivery(world, { ...span, times, ...over });
    },
    stateOf: async ({ id }: Delivery) => (await world.deliveries.get(id)).state,
  };
}
