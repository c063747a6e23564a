import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arriveAtStop,
  deliverStop,
  depart,
  failStop,
  pickUp,
} from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import type { Doer } from '../../../src/dispatch/commands.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { EVENTS } from '../../../src/domain/deliveries/events.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { hasCourier, isTerminal } from '../../../src/domain/deliveries/lifecycle.ts';
import { chargedOf } from '../../../src/domain/pricing/funds.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { aNewDelivery, aNewStop } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { entryOf, holdOf } from '../shop.ts';
import { eventsOf, openWorld, storeCourier, storeVendor } from '../world.ts';

const world = await openWorld('walks');

const vendor = await storeVendor(world);
/** The deliveries at the end of each walk. */
const walked: Delivery[] = [];

/** A delivery of two drop-offs with this tip, whose money is held. */
async function create(tip: number): Promise<Delivery> {
  const command = aNewDelivery({ vendorId: vendor.id, dropOffs: [aNewStop(1), aNewStop(2)], extras: { tip } });
  return (await createDelivery(world, command, asVendor({ vendorId: vendor.id, liveMode: false }))).delivery;
}

type Walker = { readonly delivery: Delivery; readonly courier: Courier };
type Move = (walker: Walker, doer: Doer, stop: number) => Promise<unknown>;

const at = ({ delivery }: Walker, stop: number) => ({ deliveryId: delivery.id, stop, overrideReason: 'no satellites' });
const MOVES: readonly Move[] = [
  (walker) => assignCourier(world, { ...at(walker, 0), courierId: walker.courier.id, offerId: null }, asStaff()),
  (walker, doer) => unassignCourier(world, { ...at(walker, 0), reason: 'r' }, doer),
  (walker, doer, stop) => arriveAtStop(world, at(walker, stop), doer),
  (walker, doer) => pickUp(world, at(walker, 0), doer),
  (walker, doer) => depart(world, at(walker, 0), doer),
  (walker, doer, stop) => deliverStop(world, at(walker, stop), doer),
  (walker, doer, stop) => failStop(world, { ...at(walker, stop), reason: 'lost', contactTries: [] }, doer),
  (walker, doer) => cancelDelivery(world, { ...at(walker, 0), reason: null }, doer),
  (walker, doer, stop) =>
    updateDelivery(world, { ...at(walker, 0), ifVersion: null, stops: [{ stop, instructions: `${stop}` }] }, doer),
  (walker, doer) => markReady(world, { ...at(walker, 0), ifVersion: null, readyAt: null }, doer),
  (walker, doer, stop) => delayPickup(world, { ...at(walker, 0), to: { minutes: 5 + stop }, reason: null }, doer),
];

const moves = fc.record({
  // Weighted towards the whole way through, so that walks get far.
  move: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 2, 3, 4, 5) },
    { weight: 1, arbitrary: fc.nat(MOVES.length - 1) },
  ),
  delivery: fc.nat(1),
  courier: fc.nat(2),
  by: fc.constantFrom('courier', 'courier', 'courier', 'staff', 'vendor'),
  stop: fc.nat(2),
});
/** Steps one after the other, each of a few moves at the same time. */
const walks = fc.array(fc.array(moves, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 25 });
/** Assigned, collected, on the way and canceled by the vendor, who pays: one fixed walk, so that one always gets far. */
const FAR = [0, 3, 4, 7].map((move) => [
  { move, delivery: 0, courier: 0, by: move === 7 ? 'vendor' : 'staff', stop: 0 },
]);

test('[L17] random walks, also several at once, leave no hole in a history and never two couriers on a delivery', async () => {
  const seen = new Set<string>();
  const holds = fc.asyncProperty(walks, async (walk) => {
    const couriers = await Promise.all(Array.from({ length: 3 }, () => storeCourier(world)));
    const deliveries = await Promise.all([create(100), create(0)]);
    for (const step of walk) {
      await Promise.all(
        step.map(async ({ move, delivery: d, courier: c, by, stop }) => {
          const walker = { delivery: deliveries[d]!, courier: couriers[c]! };
          const doers = { courier: asCourier(walker.courier), staff: asStaff(), vendor: asVendor(walker.delivery) };
          try {
            await MOVES[move]!(walker, doers[by as keyof typeof doers], stop);
          } catch (error) {
            // Most moves of a random walk are refused. The test looks for any other error.
            if (!(error instanceof Refusal)) throw error;
          }
        }),
      );
    }
    await check(deliveries, couriers, seen);
  });
  await fc.assert(holds, { numRuns: 25, examples: [[FAR]] });
  expect([...seen].toSorted()).toEqual(expect.arrayContaining(['assigned', 'canceled', 'in_transit', 'picked_up']));
}, 300_000);

async function check(deliveries: readonly Delivery[], couriers: readonly Courier[], seen: Set<string>): Promise<void> {
  const now = await world.deliveries.findMany(deliveries.map(({ id }) => id));
  const returns = await world.deliveries.findMany(now.flatMap(({ related }) => related));
  const holders = await world.couriers.findMany(couriers.map(({ id }) => id));
  for (const delivery of [...now, ...returns]) {
    const events = await eventsOf(world, delivery.id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(delivery.sequence).toBe(events.length);
    for (const [index, { type, data }] of events.entries()) {
      expect(EVENTS[type].data.safeParse(data).error).toBeUndefined();
      expect(data.from).toBe(events[index - 1]?.data.to ?? null);
      seen.add(data.to);
    }
    const holding = holders.filter(({ active }) => active.includes(delivery.id)).map(({ id }) => id);
    expect(holding).toEqual(hasCourier(delivery.state) ? [delivery.courierId] : []);
  }
  expect(holders.every(({ active, capacity }) => active.length <= capacity)).toBe(true);
  walked.push(...now);
}

test('[J69] after the walks, the wallet holds the money of open deliveries, and each end has booked what it shows', async () => {
  for (const delivery of walked) await checkMoney(delivery);
  expect(walked.some(({ funds }) => chargedOf(funds?.charges ?? []) > 0)).toBe(true);
});

/** The wallet holds the money of an open delivery. The end of a delivery booked exactly what the delivery says. */
async function checkMoney(delivery: Delivery): Promise<void> {
  const [hold, entry] = await Promise.all([holdOf(world, delivery), entryOf(world, delivery)]);
  const lines = delivery.funds?.charges;
  expect(hold?.state === 'open').toBe(!isTerminal(delivery.state));
  expect(lines === undefined).toBe(!isTerminal(delivery.state));
  const paid = (entry?.postings ?? []).filter(({ account }) => /^(wallet|receivable):/.test(account));
  expect(paid.reduce((sum, { amount }) => sum - Number(amount), 0)).toBe(chargedOf(lines ?? []));
}
