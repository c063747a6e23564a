import { afterEach, beforeEach } from 'vitest';
import { carriedOf } from '../../src/domain/deliveries/carried.ts';
import { createClock } from '../../src/clock.ts';
import { followCarried } from '../../src/models/deliveries/events/carried-deliveries.ts';
import type { CarriedDeliveries } from '../../src/ports/deliveries.ts';
import { deliveriesIn, findDeliveries } from '../../src/models/deliveries/delivery-rows.ts';
import type { World } from './world.ts';

/** The carried deliveries of the world. Each test begins with those that are stored then. */
export function carriedIn(world: World) {
  const clock = createClock();
  let current: Awaited<ReturnType<typeof followCarried>>;
  beforeEach(async () => {
    current = await followCarried({ ...world, clock });
  });
  afterEach(() => current.stop());
  const carried: CarriedDeliveries = {
    get: (id) => current.get(id),
    all: () => current.all(),
    of: (courierId) => current.of(courierId),
    onChange: (listener) => current.onChange(listener),
  };
  /** Whether each delivery is known as it is stored. */
  const isUpToDate = async (): Promise<boolean> => {
    const stored = await findDeliveries(deliveriesIn(world.mongo), {}).toArray();
    return stored.every(
      (delivery) => (carriedOf(delivery)?.sequence ?? null) === (carried.get(delivery.id)?.sequence ?? null),
    );
  };
  return { carried, isUpToDate };
}
