import { beforeEach, describe, expect, test } from 'vitest';
import { arriveAtStop, deliverStop, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import type { Ride } from '../../../src/domain/learning/ways.ts';
import { createMetrics } from '../../../src/metrics.ts';
import type { EventLog } from '../../../src/ports/deliveries.ts';
import type { TravelTimes } from '../../../src/ports/dispatch/learning.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { courierAt, leaseDesk, pass, passUntil, stand } from '../region-world.ts';
import { at, MINUTE, openWays, place } from '../ways.ts';

const { world, learning, from, assign, hearsOf, collect, ride, rideOnce, settle, told } =
  await openWays('learn-travel');

beforeEach(() => {
  world.travel.learned.length = 0;
});

describe('legs', () => {
  test('[K3] run from where a courier was at the assignment, and from the pickup to each drop-off', async () => {
    await learning();
    const courier = await courierAt(world, place(-1500));
    const delivery = await from([place(0), place(3000), place(3000, 1200)]);
    await assign(delivery, courier);
    await ride(courier, 5, place(0));
    await arriveAtStop(world, at(delivery), asCourier(courier));
    await pass(world, 4 * MINUTE, 5000);
    await collect(delivery, courier);
    await ride(courier, 10, place(3000));
    await arriveAtStop(world, at(delivery, 1), asCourier(courier));
    await pass(world, 2 * MINUTE, 5000);
    await hearsOf(deliverStop(world, at(delivery, 1), asCourier(courier)));
    await ride(courier, 6, place(3000, 1200));
    // The courier was not seen to arrive, so the handover is the end of the leg.
    await deliverStop(world, at(delivery, 2), asCourier(courier));
    await passUntil(world, () => world.travel.learned.length === 3);
    // Waiting at the pickup and at the drop-off does not count for a leg.
    expect(told()).toEqual([
      [1.5, 5],
      [3, 10],
      [1.2, 6],
    ]);
    expect(world.travel.learned[0]).toMatchObject({ vehicle: 'scooter', liveMode: false });
  });

  test('[K3] run from stop to stop over all deliveries of the courier', async () => {
    await learning();
    const courier = await courierAt(world, place(0, -1000), { capacity: 2 });
    const [first, second] = [await from([place(0), place(2000)]), await from([place(0), place(2000, 2000)])];
    for (const one of [first, second]) await assign(one, courier);
    await ride(courier, 4, place(0));
    for (const one of [first, second]) await arriveAtStop(world, at(one), asCourier(courier));
    for (const one of [first, second]) await collect(one, courier);
    await ride(courier, 8, place(2000));
    await hearsOf(deliverStop(world, at(first, 1), asCourier(courier)));
    await ride(courier, 7, place(2000, 2000));
    await deliverStop(world, at(second, 1), asCourier(courier));
    await passUntil(world, () => world.travel.learned.length === 3);
    expect(told()).toEqual([
      [1, 4],
      [2, 8],
      [2, 7],
    ]);
  });

  test('[K3] start again from where a courier is when their way changes', async () => {
    await learning();
    const courier = await courierAt(world, place(0, -1000), { capacity: 2 });
    const [first, second] = [await from([place(0), place(2000)]), await from([place(0, -4000), place(2000, 2000)])];
    await assign(first, courier);
    await ride(courier, 2, place(0, -500));
    await assign(second, courier);
    await hearsOf(cancelDelivery(world, { deliveryId: first.id, reason: 'other' }, asStaff()));
    await ride(courier, 9, place(0, -4000));
    await arriveAtStop(world, at(second), asCourier(courier));
    await passUntil(world, () => world.travel.learned.length === 1);
    expect(told()).toEqual([[3.5, 9]]);
  });

  test('[K3] end when the courier came into the circle, if the circle reported it', async () => {
    await learning();
    const courier = await courierAt(world, place(0, -1500));
    const delivery = await from([place(0), place(2000)]);
    await assign(delivery, courier);
    await ride(courier, 5, place(0));
    await arriveAtStop(world, at(delivery), { type: 'system' });
    await passUntil(world, () => world.travel.learned.length === 1);
    expect(told()).toEqual([[1.5, 4.5]]);
  });

  test('[K4] give no sample for robo-couriers, corrections by staff and couriers elsewhere', async () => {
    await learning();
    const [robo, helped, away] = [
      await courierAt(world, place(0, -1500), { kind: 'robo' }),
      await courierAt(world, place(0, -1500)),
      await courierAt(world, place(0, -1500)),
    ];
    const [first, second, third] = [
      await from([place(0), place(2000)], { robo: { timeScale: 1 } }),
      await from([place(0), place(2000)]),
      await from([place(0), place(2000)]),
    ];
    await assign(first, robo);
    await assign(second, helped);
    await assign(third, away);
    await ride(robo, 5, place(0));
    await arriveAtStop(world, at(first), asCourier(robo));
    await pickUp(world, at(second), asStaff());
    await arriveAtStop(world, at(third, 0, 'the gate is closed'), asCourier(away));
    await settle();
    expect(told()).toEqual([]);
  });

  test('[K4] give no sample if the place where the courier set out is unknown', async () => {
    await learning();
    const courier = await courierAt(world, place(0, -1500));
    await pass(world, 2 * MINUTE, 5000);
    const delivery = await from([place(0), place(2000)]);
    await assign(delivery, courier);
    await ride(courier, 5, place(0));
    await arriveAtStop(world, at(delivery), asCourier(courier));
    await settle();
    expect(told()).toEqual([]);
  });

  test('[K4] give no sample if they started before a gap in the log', async () => {
    let gap = (): void => undefined;
    const follow: EventLog['follow'] = (listener, onGap) => {
      gap = onGap;
      return world.eventLog.follow(listener, onGap);
    };
    await learning({ eventLog: { ...world.eventLog, follow } });
    const courier = await courierAt(world, place(0, -1500));
    const delivery = await from([place(0), place(2000)]);
    await assign(delivery, courier);
    await settle();
    gap();
    stand(world, courier.id, place(0));
    await arriveAtStop(world, at(delivery), asCourier(courier));
    await settle();
    expect(told()).toEqual([]);
  });
});

describe('learning', () => {
  test('[K5] happens in one process of two, and in the other when the first stops', async () => {
    const desk = leaseDesk(world.clock);
    const first = await learning({ leases: desk.of('one') });
    await learning({ leases: desk.of('two') });
    await rideOnce();
    await passUntil(world, () => world.travel.learned.length > 0);
    // Gives another process that has heard of it the time to learn it too.
    await pass(world, 20_000);
    expect(told()).toEqual([[1.5, 5]]);
    await first.stop();
    await rideOnce();
    await passUntil(world, () => world.travel.learned.length > 1);
  });

  test('[K5] keeps no courier from arriving when it fails', async () => {
    const lines = world.log.lines.length;
    await learning({ travel: { ...world.travel, record: () => Promise.reject(new Error('away')) } });
    await rideOnce();
    await passUntil(world, () => world.log.lines.length > lines);
    expect(world.log.lines.at(-1)).toMatchObject({ level: 'error', fields: { what: 'travel' } });
  });

  /** Travel times of a routing server that answers in the background, or does not answer (null). */
  const answering = (seconds: readonly (number | null)[], stretch = 1) => {
    const asked: Ride[] = [];
    const travel: TravelTimes = {
      ...world.travel,
      hasRouter: () => true,
      stretchAt: () => stretch,
      routedS: (ride) => {
        asked.push(ride);
        // The pace of a cell beside does not teach a stretch.
        return 111;
      },
      legs: (rides) =>
        Float64Array.from(rides, ({ from }) => {
          const index = asked.findLastIndex((one) => one.from.lat === from.lat && one.from.lng === from.lng);
          return (seconds[index] ?? NaN) * stretch;
        }),
    };
    return { travel, asked };
  };

  test('[E44] compares a leg with the answer for its way, which it requests and waits for once', async () => {
    const { travel, asked } = answering([240, null, 20]);
    await learning({ travel });
    for (const told of [1, 2, 3]) {
      await rideOnce(place(told * 5000));
      await passUntil(world, () => world.travel.learned.length === told);
    }
    expect(asked.map(({ vehicle }) => vehicle)).toEqual(['scooter', 'scooter', 'scooter']);
    expect(distanceM(asked[0]?.from ?? place(0), place(5000, -1500))).toBeLessThan(1);
    // It took 300 s. An answer of 20 s was for another way.
    expect(world.travel.learned.map(({ routedS }) => routedS)).toEqual([240, undefined, undefined]);
  });

  test('[E44] learns the speed after a bounded wait if the routing server is late', async () => {
    const { travel } = answering([]);
    const slept: number[] = [];
    const sleep = (ms: number) => (slept.push(ms), world.clock.real.sleep(ms));
    await learning({ travel, clock: { ...world.clock, real: { ...world.clock.real, sleep } } });
    await rideOnce();
    await passUntil(world, () => world.travel.learned.length === 1);
    expect(slept).toEqual([1500]);
    expect(world.travel.learned[0]).not.toHaveProperty('routedS');
  });

  test('[K12] measures the error of the expected time along streets, if there was an answer', async () => {
    const timed: number[] = [];
    const metrics = { ...world.metrics, observe: (_name: string, error: number) => void timed.push(Math.round(error)) };
    await learning({ metrics, travel: answering([240], 1.5).travel });
    await rideOnce();
    await passUntil(world, () => timed.length > 0);
    // 240 s times 1.5 are 360 s. It took 300.
    expect(timed).toEqual([60]);
  });

  test('[K12] measures the error of the expected time, and the sample of each leg', async () => {
    const timed: object[] = [];
    const metrics = {
      ...world.metrics,
      observe: (...of: [string, number, object?]) => void timed.push([of[0], Math.round(of[1]), of[2]]),
    };
    await learning({ metrics });
    await rideOnce();
    await passUntil(world, () => timed.length > 0);
    // 1500 m at 6.5 m/s and 1.35 times as long are 312 s. It took 300.
    expect(timed).toEqual([['travel_error_seconds', 12, { side: 'sooner' }]]);
    expect(world.metrics.counts.get('travel_legs_total learned')).toBeGreaterThan(0);
    const real = createMetrics();
    real.observe('travel_error_seconds', 12, { side: 'sooner' });
    real.count('travel_legs_total', { verdict: 'learned' });
    real.observe('travel_router_seconds', 0.02, { result: 'ok' });
    expect(await real.text()).toMatch(/travel_error_seconds_bucket\{.*le="15".*\} 1\n/);
  });
});
