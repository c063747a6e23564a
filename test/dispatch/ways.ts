/** Shared by tests of legs: a world whose couriers ride from stop to stop, and what the server learned from them. */
import { latLngToCell } from 'h3-js';
import { arriveAtStop, depart, pickUp } from '../../src/dispatch/deliveries/advance-delivery.ts';
import { assignCourier } from '../../src/dispatch/offers/assign-courier.ts';
import { startLearningTravel } from '../../src/dispatch/learning/learn-travel.ts';
import type { Courier } from '../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { CELL_RESOLUTION } from '../../src/domain/learning/travel.ts';
import { aStop, CENTER } from '../builders.ts';
import { asCourier, asStaff } from '../callers.ts';
import { keptTravel } from '../kept-ports.ts';
import { until } from '../until.ts';
import { courierAt, leaseDesk, pass, passUntil, running, stand } from './region-world.ts';
import { openWorld, storeDelivery } from './world.ts';

export const MINUTE = 60_000;
export const place = (eastM: number, northM = 0): Coordinates => offsetBy(CENTER, eastM, northM);

export const at = (delivery: Delivery, stop = 0, overrideReason: string | null = null) => ({
  deliveryId: delivery.id,
  stop,
  overrideReason,
});

export async function openWays(name: string) {
  const travel = keptTravel();
  const world = { ...(await openWorld(name)), travel };
  /** The number of the last event of each delivery that was heard. */
  const heard = new Map<DeliveryId, number>();

  const learning = async (over: Partial<Parameters<typeof startLearningTravel>[0]> = {}) => {
    const worker = running(await startLearningTravel({ ...world, leases: leaseDesk(world.clock).of('one'), ...over }));
    // Called after the learner, so the learner has heard everything that is heard here.
    const stop = await world.eventLog.follow(
      ({ sequence, delivery_id: id }) => void heard.set(id, sequence),
      () => undefined,
    );
    running({ stop: () => Promise.resolve(stop()) });
    return worker;
  };

  /** A delivery from the first place to the others. */
  const from = (
    [pickup = CENTER, ...dropOffs]: Coordinates[],
    over: Partial<Omit<Delivery, 'times'>> = {},
  ): Promise<Delivery> => {
    const now = world.clock.now();
    return storeDelivery(world, {
      pickup: aStop(0, { place: pickup }),
      dropOffs: dropOffs.map((to, index) => aStop(index + 1, { place: to })),
      searchFromAt: now,
      searchUntilAt: now + 60 * MINUTE,
      ...over,
      times: { createdAt: now, updatedAt: now },
    });
  };

  /**
   * Waits until the learner has heard of this change of a courier's way. It looks where they are then, so they must still be
   * there.
   */
  const hearsOf = async (change: Promise<Delivery>): Promise<void> => {
    const { id, sequence } = await change;
    await until(() => (heard.get(id) ?? 0) >= sequence);
  };

  const assign = (delivery: Delivery, courier: Courier): Promise<void> => {
    const command = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
    return hearsOf(assignCourier(world, command, asStaff()));
  };

  const collect = async (delivery: Delivery, courier: Courier): Promise<void> => {
    stand(world, courier.id, delivery.pickup.place);
    await pickUp(world, at(delivery), asCourier(courier));
    await hearsOf(depart(world, at(delivery), asCourier(courier)));
  };

  /** The courier needs this long to the place, and is there from then on. */
  const ride = async (courier: Courier, minutes: number, to: Coordinates): Promise<void> => {
    await pass(world, minutes * MINUTE, 5000);
    stand(world, courier.id, to);
  };

  /** A courier is assigned 1.5 km from a pickup and arrives after five minutes. */
  const rideOnce = async (to: Coordinates = place(0)): Promise<void> => {
    const courier = await courierAt(world, offsetBy(to, 0, -1500));
    const delivery = await from([to, place(2000)]);
    await assign(delivery, courier);
    await ride(courier, 5, to);
    await arriveAtStop(world, at(delivery), asCourier(courier));
  };

  /** Waits until a leg elsewhere is learned, and with it everything heard before. Then takes it out again. */
  const settle = async (): Promise<void> => {
    await rideOnce(place(0, 20_000));
    const elsewhere = latLngToCell(place(0, 18_500).lat, place(0, 18_500).lng, CELL_RESOLUTION);
    const find = (): number => travel.learned.findIndex(({ cell }) => cell === elsewhere);
    await passUntil(world, () => find() >= 0);
    travel.learned.splice(find(), 1);
  };

  /** Kilometres and minutes of the learned legs, in order. */
  const told = (): (readonly [number, number])[] =>
    travel.learned.map(({ metres, seconds }) => [Math.round(metres / 100) / 10, Math.round(seconds / 6) / 10]);

  return { world, learning, from, assign, hearsOf, collect, ride, rideOnce, settle, told };
}
