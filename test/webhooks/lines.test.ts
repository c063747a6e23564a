import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { Mongo } from '../../src/engines/mongo.ts';
import { EVENTS_LOG } from '../../src/models/deliveries/events/event-rows.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';
import type { Attempt } from '../../src/ports/webhooks.ts';
import { LEASE_MS, openLines, sequencesOf } from './lines-house.ts';

const { house, state, needs, register, attempts, deliver, rowOf, claim, end } = await openLines('lines');

/** A registration that gets the events of a delivery in order, and a delivery whose events have attempts. */
async function aLine(count: number) {
  const vendorId = newId('ven');
  const registration = await register(vendorId, '/', 'per_delivery');
  const delivery = await deliver(vendorId, count);
  await needs().webhooks.fanOut(100);
  const next = async (): Promise<Attempt> => {
    const claimed = await claim(registration);
    const [attempt] = claimed.attempts;
    if (attempt === undefined || claimed.attempts.length > 1) throw new Error('one attempt of the line is due');
    return attempt;
  };
  return { vendorId, registration, delivery, next };
}

/** Sends the next three attempts with success. Returns the numbers of their events. */
async function sendThree(next: () => Promise<Attempt>): Promise<number[]> {
  const sent: number[] = [];
  while (sent.length < 3) {
    const attempt = await next();
    sent.push(attempt.event.sequence);
    await end(attempt);
  }
  return sent;
}

test('[W62] an attempt that waits is put off until the first of its line is due again', async () => {
  const { registration, delivery, next } = await aLine(3);
  const first = await next();
  expect(first.event.sequence).toBe(1);
  expect((await rowOf(delivery, 2)).dueAt).toBe(state.now + 1000);
  state.now += 1000;
  expect(await claim(registration)).toEqual({ attempts: [], ended: [], isMore: false });
  const leased = await rowOf(delivery, 1);
  expect([leased.dueAt > state.now, (await rowOf(delivery, 2)).dueAt]).toEqual([true, leased.dueAt]);
  expect(await end(first)).toBe(true);
  const second = await next();
  expect(second.event.sequence).toBe(2);
  expect(await end(second, { nextAt: state.now + 5000 })).toBe(false);
  expect(await claim(registration)).toMatchObject({ attempts: [] });
});

test('[W62] a claim that finds only attempts that wait goes on to those of other deliveries', async () => {
  const { vendorId, registration, next } = await aLine(6);
  await next();
  await deliver(vendorId, 1);
  await attempts.updateMany({ claim: { $exists: false } }, { $set: { dueAt: state.now - 1 } });
  await needs().webhooks.fanOut(100);
  let claimed = await claim(registration, 2);
  let turns = 1;
  for (; claimed.isMore && claimed.attempts.length === 0; turns += 1) claimed = await claim(registration, 2);
  expect([turns, sequencesOf(claimed)]).toEqual([3, [1]]);
});

test('[W63] a line goes on if the process of its first ends before a result', async () => {
  const { registration, delivery, next } = await aLine(3);
  await next();
  state.now += 1000;
  expect(sequencesOf(await claim(registration))).toEqual([]);
  state.now += 2 * LEASE_MS;
  const again = await next();
  expect(again.event.sequence).toBe(1);
  await end(again);
  await end(await next());
  expect((await next()).event.sequence).toBe(3);
  expect((await rowOf(delivery, 1)).state).toBe('done');
});

test('[W63] a line goes on if the process ends between a result and the next attempt', async () => {
  const { registration, delivery, next } = await aLine(2);
  const { lease } = await next();
  state.now += 1000;
  expect(sequencesOf(await claim(registration))).toEqual([]);
  await attempts.updateOne({ _id: lease.key }, { $set: { state: 'done' } });
  expect(sequencesOf(await claim(registration))).toEqual([]);
  state.now = (await rowOf(delivery, 2)).dueAt;
  expect((await next()).event.sequence).toBe(2);
});

/** The same database, where something happens before attempts are put off. */
function interrupted(before: () => Promise<unknown>): Mongo {
  return {
    ...house.mongo,
    collection: ((of: Parameters<typeof house.mongo.collection>[0]) => {
      const rows = house.mongo.collection(of);
      if (of.name !== ATTEMPTS.name) return rows;
      const bulkWrite = async (...given: Parameters<typeof rows.bulkWrite>) => {
        await before();
        return rows.bulkWrite(...given);
      };
      return Object.assign(Object.create(rows) as typeof rows, { bulkWrite });
    }) as typeof house.mongo.collection,
  };
}

test('[W63] an attempt whose turn comes while a claim puts it off keeps its turn', async () => {
  const { registration, next } = await aLine(2);
  const first = await next();
  state.now += 1000;
  const late = needs(interrupted(() => end(first)));
  expect(sequencesOf(await claim(registration, 10, late))).toEqual([]);
  expect((await next()).event.sequence).toBe(2);
});

test('[W63] an event waits for earlier ones that have no attempts yet', async () => {
  const { registration, delivery, next } = await aLine(2);
  const events = house.mongo.collection(EVENTS_LOG);
  const first = await rowOf(delivery, 1);
  await attempts.deleteOne({ _id: first._id });
  await events.updateOne({ _id: first.eventKey }, { $set: { webhooks: 'due' } });
  expect(sequencesOf(await claim(registration))).toEqual([]);
  state.now += 1000;
  await needs().webhooks.fanOut(100);
  expect((await next()).event.sequence).toBe(1);
});

test('[W63] an event does not wait for one whose type only processes of a newer version know', async () => {
  const { delivery, next } = await aLine(2);
  const first = await rowOf(delivery, 1);
  await attempts.deleteOne({ _id: first._id });
  const newer = { webhooks: 'due', type: 'delivery.unheard_of' };
  await house.mongo.db.collection(EVENTS_LOG.name).updateOne({ id: first.eventId }, { $set: newer });
  expect((await next()).event.sequence).toBe(2);
});

test('[W65] replayed events wait for earlier ones of their delivery that are due, and hold back none for good', async () => {
  const { registration, delivery, next } = await aLine(4);
  const { webhooks } = needs();
  await end(await next());
  await end(await next(), { nextAt: null });
  const third = await next();
  expect(third.event.sequence).toBe(3);
  // The third is under way. The second waits for nothing and does not disturb it.
  await webhooks.replayEvent(registration, (await rowOf(delivery, 2)).eventId);
  const second = await next();
  expect(second.event.sequence).toBe(2);
  expect(await end(second)).toBe(false);
  await end(third, { nextAt: null });
  await webhooks.replayEvent(registration, (await rowOf(delivery, 1)).eventId);
  await webhooks.replaySince(registration, new Date(0).toISOString(), 100);
  expect(await sendThree(next)).toEqual([1, 3, 4]);
});

test('[W65] an attempt that was tried before is not put off by the replay of an earlier one', async () => {
  const { registration, delivery, next } = await aLine(2);
  await end(await next());
  await end(await next(), { nextAt: state.now + 500 });
  await needs().webhooks.replayEvent(registration, (await rowOf(delivery, 1)).eventId);
  expect((await next()).event.sequence).toBe(1);
  state.now += 500;
  expect((await next()).event.sequence).toBe(2);
});

test('[W65] a replay of events without attempts keeps their order', async () => {
  const { registration, next } = await aLine(3);
  await attempts.deleteMany({});
  await needs().webhooks.replaySince(registration, new Date(0).toISOString(), 100);
  expect(await sendThree(next)).toEqual([1, 2, 3]);
});
