import { expect, onTestFinished, test } from 'vitest';
import type { DomainEvent } from '../../../../src/domain/deliveries/events.ts';
import { newId } from '../../../../src/domain/ids.ts';
import type { Stop } from '../../../../src/ports/process.ts';
import { until } from '../../../until.ts';
import { aBirth, aChange, killStreams, openHouse, storeDelivery } from '../../../engines/mongo-house.ts';
import { EVENTS_LOG } from '../../../../src/models/deliveries/events/event-rows.ts';

const house = await openHouse('event-log');

type Follower = { readonly seen: DomainEvent[]; gaps: number; readonly stop: Stop };

async function follow(onEvent: (event: DomainEvent) => void = () => {}): Promise<Follower> {
  const seen: DomainEvent[] = [];
  const follower: Follower = { seen, gaps: 0, stop: () => stop() };
  const hear = (event: DomainEvent): void => {
    seen.push(event);
    onEvent(event);
  };
  const stop = await house.eventLog.follow(hear, () => void (follower.gaps += 1));
  onTestFinished(stop);
  return follower;
}

/** Stores a delivery and changes it `count` times. Returns its events. */
async function live(count: number): Promise<readonly DomainEvent[]> {
  const events: DomainEvent[] = [];
  let delivery = await storeDelivery(house);
  events.push(...(await house.eventLog.list(delivery.id, 0, 1)));
  for (let fee = 0; fee < count; fee += 1) {
    const change = aChange(delivery, { fee });
    await house.commit(change);
    events.push(...change.events);
    delivery = change.after;
  }
  return events;
}

function eventsOf(seen: readonly DomainEvent[], events: readonly DomainEvent[]): DomainEvent[] {
  return seen.filter((event) => event.delivery_id === events[0]?.delivery_id);
}

test('[S9] a follower receives each new event once, as stored and in order, and no earlier ones', async () => {
  await live(2);
  const follower = await follow();
  const runs = await Promise.all([live(10), live(10), live(10)]);
  await until(() => follower.seen.length >= 33);
  expect(follower.seen).toHaveLength(33);
  for (const events of runs) expect(eventsOf(follower.seen, events)).toStrictEqual(events);
  expect(follower.gaps).toBe(0);
});

test('[S9] the events of one commit come in order, and then those of the return that it opens', async () => {
  const follower = await follow();
  const delivery = await storeDelivery(house);
  const change = aChange(delivery, { state: 'failed' }, 'delivery.failed');
  const back = aBirth({ kind: 'return', state: 'in_transit', related: [delivery.id] });
  await house.commit({ ...change, effects: [{ kind: 'open_delivery', change: back }] });
  await until(() => follower.seen.length >= 3);
  expect(follower.seen.slice(1)).toStrictEqual([...change.events, ...back.events]);
});

test('[S10] a stream that the server kills continues where it was: no event is lost or repeated', async () => {
  const follower = await follow();
  let kills = 0;
  const runs = [];
  for (let round = 0; round < 3; round += 1) {
    const running = live(15);
    kills += await killStreams(house, 'events');
    runs.push(await running);
  }
  await until(async () => (kills += await killStreams(house, 'events')) > 0);
  runs.push(await live(1));
  await until(() => follower.seen.length >= 50);
  expect(kills).toBeGreaterThan(0);
  for (const events of runs) expect(eventsOf(follower.seen, events)).toStrictEqual(events);
  expect(follower.seen).toHaveLength(50);
  expect(follower.gaps).toBe(0);
});

test('[S10] if a listener throws, it still receives all other events', async () => {
  const follower = await follow(({ sequence }) => {
    if (sequence === 1) throw new Error('the listener failed');
  });
  const events = await live(2);
  await until(() => follower.seen.length >= 3);
  expect(follower.seen).toStrictEqual(events);
});

test('[S11] a stopped follower receives nothing more', async () => {
  const stopped = await follow();
  const other = await follow();
  await live(1);
  await until(() => stopped.seen.length === 2 && other.seen.length === 2);
  stopped.stop();
  await live(1);
  await until(() => other.seen.length === 4);
  expect(stopped.seen).toHaveLength(2);
});

test('[S12] the events of a delivery are read by sequence, after a given number and up to a limit', async () => {
  const events = await live(11);
  const id = events[0]?.delivery_id ?? newId('del');
  expect(await house.eventLog.list(id, 0, 100)).toStrictEqual(events);
  expect(await house.eventLog.list(id, 9, 2)).toStrictEqual(events.slice(9, 11));
  expect(await house.eventLog.list(id, 12, 10)).toEqual([]);
  expect(await house.eventLog.list(newId('del'), 0, 10)).toEqual([]);
});

// This test comes last, because it drops the collection.
test('[S10] a place in the log that is gone is reported as a gap, and later events still arrive', async () => {
  const follower = await follow();
  await live(0);
  await until(() => follower.seen.length === 1);
  await house.mongo.collection(EVENTS_LOG).drop();
  await until(() => follower.gaps > 0);
  const before = follower.seen.length;
  const events = await live(2);
  await until(() => follower.seen.length >= before + 3);
  expect(follower.seen.slice(before)).toStrictEqual(events);
});
