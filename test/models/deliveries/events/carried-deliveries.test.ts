import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { carriedOf, type Carried } from '../../../../src/domain/deliveries/carried.ts';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../../../src/domain/deliveries/events.ts';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { followCarried } from '../../../../src/models/deliveries/events/carried-deliveries.ts';
import { deliveryRow } from '../../../../src/models/deliveries/delivery-rows.ts';
import { DELIVERIES } from '../../../../src/models/deliveries/delivery-shape.ts';
import type { CarriedDeliveries } from '../../../../src/ports/deliveries.ts';
import { aCourier, aDelivery, heldBy } from '../../../builders.ts';
import { handClock } from '../../../clock.ts';
import {
  aChange,
  anAssignment,
  openHouse,
  QUIET,
  SETTINGS,
  storeCourier,
  storeDelivery,
} from '../../../engines/mongo-house.ts';
import { until } from '../../../until.ts';

const house = await openHouse('carried');
const rows = house.mongo.collection(DELIVERIES);
const MINUTE = 60_000;

beforeEach(async () => void (await rows.deleteMany({})));

/** A process that follows what couriers carry. The test can cut its log, which loses events, and can report a gap. */
async function follow() {
  const clock = handClock();
  const log = { isCut: false, gap: () => {}, repeat: (() => {}) as (event: DomainEvent) => void };
  const carried = await followCarried({
    ...house,
    clock,
    log: QUIET,
    eventLog: {
      follow: (listener, onGap) => {
        Object.assign(log, { gap: onGap, repeat: listener });
        return house.eventLog.follow((event) => void (log.isCut || listener(event)), onGap);
      },
    },
  });
  onTestFinished(() => carried.stop());
  const told: (readonly [Carried | null, Carried | null])[] = [];
  carried.onChange((before, after) => void told.push([before, after]));
  return { carried, clock, log, told };
}

async function storeAssigned(): Promise<Delivery> {
  const courier = await storeCourier(house);
  const change = anAssignment(await storeDelivery(house, { state: 'searching' }), courier);
  expect(await house.commit(change)).toMatchObject({ ok: true });
  return change.after;
}

async function move(before: Delivery, sets: Partial<Delivery>): Promise<Delivery> {
  const change = aChange(before, sets);
  expect(await house.commit(change)).toMatchObject({ ok: true });
  return change.after;
}

const isKnown = (carried: CarriedDeliveries, { id, sequence }: Delivery): boolean =>
  carried.get(id)?.sequence === sequence;

/** All that is carried, by id. */
function all(carried: CarriedDeliveries): Carried[] {
  return [...carried.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

test('[S34] a process knows what couriers carry from its start on, as stored, and each change of it', async () => {
  const before = await storeAssigned();
  const { carried, told } = await follow();
  expect(all(carried)).toStrictEqual([carriedOf(before)]);
  expect(carried.of(before.courierId!)).toStrictEqual([carriedOf(before)]);
  const later = await storeAssigned();
  await until(() => isKnown(carried, later));
  const collected = await move(later, { state: 'picked_up', times: { ...later.times, pickedUpAt: 7_000 } });
  await until(() => isKnown(carried, collected));
  expect(carried.get(later.id)).toStrictEqual(carriedOf(collected));
  expect(carried.of(later.courierId!)).toStrictEqual([carriedOf(collected)]);
  await move(collected, { state: 'delivered' });
  await until(() => carried.get(later.id) === null);
  expect(carried.of(later.courierId!)).toEqual([]);
  expect(all(carried)).toStrictEqual([carriedOf(before)]);
  const [assigned, moved] = [carriedOf(later), carriedOf(collected)];
  expect(told).toStrictEqual([
    [null, assigned],
    [assigned, moved],
    [moved, null],
  ]);
});

test('[S34] after a gap in the log a process knows again what couriers carry, and its listeners what has changed', async () => {
  const [ended, moved, still] = [await storeAssigned(), await storeAssigned(), await storeAssigned()];
  const { carried, log, told } = await follow();
  log.isCut = true;
  await move(ended, { state: 'delivered' });
  const collected = await move(moved, { state: 'picked_up' });
  const fresh = await storeAssigned();
  expect(all(carried)).toHaveLength(3);
  log.gap();
  await until(() => carried.get(ended.id) === null && isKnown(carried, collected) && isKnown(carried, fresh));
  expect(all(carried).map(({ id }) => id)).toEqual([moved.id, still.id, fresh.id].toSorted());
  expect(new Set(told.map(([before, after]) => (after ?? before)?.id))).toEqual(
    new Set<DeliveryId>([ended.id, moved.id, fresh.id]),
  );
});

test('[S34] within a minute a process corrects what it missed, and forgets deliveries that are no longer stored', async () => {
  const [lost, gone, still] = [await storeAssigned(), await storeAssigned(), await storeAssigned()];
  const { carried, clock, log } = await follow();
  log.isCut = true;
  const collected = await move(lost, { state: 'picked_up' });
  await rows.deleteOne({ _id: gone.id });
  await clock.advance(MINUTE - 2000);
  expect(all(carried)).toHaveLength(3);
  await clock.advance(2000);
  await until(() => isKnown(carried, collected) && carried.get(gone.id) === null);
  expect(carried.get(still.id)).toStrictEqual(carriedOf(still));
});

test('[S34] events that the log repeats change nothing', async () => {
  const assigned = await storeAssigned();
  const { carried, log, told } = await follow();
  const collected = await move(assigned, { state: 'picked_up' });
  await move(collected, { state: 'delivered' });
  await until(() => carried.get(assigned.id) === null);
  const changes = told.length;
  for (const event of await house.eventLog.list(assigned.id, 0, 10)) log.repeat(event);
  expect(all(carried)).toEqual([]);
  expect(told).toHaveLength(changes);
});

test('[S34] a read that is older than the last event changes nothing', async () => {
  const { carried, log } = await follow();
  const searching = await storeDelivery(house, { state: 'searching' });
  const outdated = await rows.findOne({ _id: searching.id });
  const assignment = anAssignment(searching, await storeCourier(house));
  expect(await house.commit(assignment)).toMatchObject({ ok: true });
  await until(() => isKnown(carried, assignment.after));
  log.isCut = true;
  // The database now answers as an outdated read would.
  await rows.replaceOne({ _id: searching.id }, outdated!);
  const other = await storeAssigned();
  log.gap();
  await until(() => isKnown(carried, other));
  expect(carried.get(searching.id)).toStrictEqual(carriedOf(assignment.after));
});

test('[S34] a delivery that a read did not find is known again with the next comparison', async () => {
  const assigned = await storeAssigned();
  const { carried, clock, log } = await follow();
  const row = await rows.findOne({ _id: assigned.id });
  await rows.deleteOne({ _id: assigned.id });
  log.gap();
  await until(() => carried.get(assigned.id) === null);
  await rows.insertOne(row!);
  await clock.advance(MINUTE);
  await until(() => isKnown(carried, assigned));
  expect(carried.get(assigned.id)).toStrictEqual(carriedOf(assigned));
});

test('[S35] what couriers carry is compared from an index alone, and only deliveries that differ are read', async () => {
  const courier = aCourier();
  const crowd = Array.from({ length: 600 }, () => aDelivery(heldBy(courier, 'assigned', { sequence: 1 })));
  await rows.insertMany(crowd.map((delivery) => deliveryRow(delivery, SETTINGS)));
  const { carried, clock, log } = await follow();
  expect(all(carried)).toHaveLength(600);
  log.isCut = true;
  await rows.updateOne({ _id: crowd[7]!.id }, { $set: { sequence: 2, state: 'picked_up' } });
  const { db } = house.mongo;
  await db.command({ profile: 2 });
  await clock.advance(MINUTE);
  await until(() => carried.get(crowd[7]!.id)?.state === 'picked_up');
  await db.command({ profile: 0 });
  const reads = await db
    .collection('system.profile')
    .find({ op: 'query', ns: /deliveries$/ }, { sort: { ts: 1 } })
    .toArray();
  expect(reads.map(({ docsExamined, nreturned }) => [docsExamined, nreturned])).toEqual([
    [0, 600],
    [1, 1],
  ]);
});
