import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId, type DeliveryId } from '../../src/domain/ids.ts';
import { ODD } from '../odd-rows.ts';
import { REGISTRATIONS } from '../../src/models/webhooks/webhook-shapes.ts';
import { until } from '../until.ts';
import { openLines } from './lines-house.ts';

const lines = await openLines('order');
const { house, state, needs, register, attempts, deliver, rowOf, startPolled, triesOf } = lines;

/** A vendor with a registration that gets the events of a delivery in order. */
async function ordered() {
  const vendorId = newId('ven');
  return { vendorId, registration: await register(vendorId, '/', 'per_delivery') };
}

/** Answers 500 to the requests of which this is true. */
function failing(isFailed: (received: (typeof state.received)[number]) => boolean): void {
  state.answer = (response) => {
    const last = state.received.at(-1);
    response.writeHead(last !== undefined && isFailed(last) ? 500 : 200).end();
  };
}

test('[W61] a failed event holds back the later ones of its delivery, and no other delivery', async () => {
  const { vendorId } = await ordered();
  const [held, free] = [await deliver(vendorId, 4), await deliver(vendorId, 4)];
  let failures = 0;
  failing(({ event }) => event.delivery_id === held && failures++ === 0);
  const sending = startPolled();
  await until(() => triesOf(free).length === 4);
  await until(async () => {
    sending.poll();
    // The later ones wait at least for the time of the next try.
    const first = await rowOf(held, 1);
    const waiting = await attempts.countDocuments({ 'line.deliveryId': held, dueAt: { $gte: first.dueAt } });
    return first.number === 1 && waiting === 4;
  });
  expect([triesOf(held), triesOf(free)]).toEqual([[1], [1, 2, 3, 4]]);
  state.now = (await rowOf(held, 1)).dueAt;
  sending.poll();
  await until(() => triesOf(held).length === 5);
  await sending.stop();
  expect(triesOf(held)).toEqual([1, 1, 2, 3, 4]);
});

test('[W61] a registration that asks for best effort gets later events while an earlier one fails', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  await register(vendorId, '/ordered', 'per_delivery');
  const delivery = await deliver(vendorId, 3);
  failing(({ event }) => event.sequence === 1);
  const sending = startPolled();
  const at = (path: string) => state.received.filter((one) => one.path === path).map(({ event }) => event.sequence);
  await until(() => at('/').length === 3 && at('/ordered').length === 1);
  await sending.stop();
  expect([at('/').toSorted((one, other) => one - other), at('/ordered')]).toEqual([[1, 2, 3], [1]]);
  expect(await attempts.countDocuments({ 'line.deliveryId': delivery })).toBe(3);
});

test('[W61] an event that fails for good lets the next one go', async () => {
  const { vendorId } = await ordered();
  const delivery = await deliver(vendorId, 3);
  failing(({ event }) => event.sequence === 1);
  await needs().webhooks.fanOut(100);
  const sending = startPolled();
  let recorded = 0;
  await until(async () => {
    const { state: is, dueAt, number } = await rowOf(delivery, 1);
    if (is === 'failed') return true;
    if (number > recorded) state.now = dueAt;
    recorded = number;
    sending.poll();
    return false;
  });
  await until(() => triesOf(delivery).length === 12);
  await sending.stop();
  expect(triesOf(delivery)).toEqual([...Array.from({ length: 10 }, () => 1), 2, 3]);
});

test.each(['disabled', 'removed'] as const)('[W61] the line of a %s registration ends', async (how) => {
  const { vendorId, registration } = await ordered();
  await deliver(vendorId, 5);
  const sending = startPolled();
  failing(() => true);
  await until(async () => (await attempts.countDocuments({ number: 1 })) === 1);
  if (how === 'disabled') await needs().webhooks.change(registration, { isEnabled: false });
  else await needs().webhooks.remove(registration);
  state.now = (await attempts.findOne({ number: 1 }))?.dueAt ?? 0;
  sending.poll();
  await until(async () => (await attempts.countDocuments({ state: 'failed' })) === 5);
  await sending.stop();
  expect(state.received).toHaveLength(1);
});

test('[W62] the end of an event makes the next one due at once, so a line needs no poll', async () => {
  const { vendorId } = await ordered();
  const delivery = await deliver(vendorId, 10);
  const sending = startPolled();
  await until(() => triesOf(delivery).length === 10);
  await until(async () => (await attempts.countDocuments({ state: 'done' })) === 10);
  await sending.stop();
  expect(triesOf(delivery)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
});

test('[W62] an event that becomes due during a claim of its registration needs no poll either', async () => {
  const { vendorId } = await ordered();
  const { webhooks } = needs();
  // A receiver that was never tried gets one event at a time.
  await deliver(vendorId, 1);
  let held: DeliveryId | null = null;
  const answers: (() => void)[] = [];
  state.answer = (response) => {
    const { delivery_id: of, sequence } = state.received.at(-1)?.event ?? {};
    const answer = (): void => void response.writeHead(200).end();
    if (of === held && sequence === 1) answers.push(answer);
    else answer();
  };
  const turns: (() => void)[] = [];
  const sending = startPolled({
    claimDue: async (...asked) => {
      const claimed = await webhooks.claimDue(...asked);
      // The first event is received after the claim has read what is due, and before the sender knows it.
      const answer = answers.pop();
      if (answer !== undefined) {
        const ended = new Promise<void>((resolve) => void turns.push(resolve));
        answer();
        await ended;
      }
      return claimed;
    },
    record: async (...given) => {
      const isNextDue = await webhooks.record(...given);
      setImmediate(() => turns.pop()?.());
      return isNextDue;
    },
  });
  await until(async () => (await attempts.countDocuments({ state: 'done' })) === 1);
  held = await deliver(vendorId, 2);
  sending.poll();
  await until(() => answers.length === 1);
  await deliver(vendorId, 1);
  sending.poll();
  await until(() => state.received.length === 4);
  await sending.stop();
  expect(triesOf(held)).toEqual([1, 2]);
});

test('[W41] a registration whose receiver is gone is disabled before the next event of the line may go', async () => {
  const { vendorId, registration } = await ordered();
  const { webhooks } = needs();
  await deliver(vendorId, 3);
  state.answer = (response) => void response.writeHead(410).end();
  const disabled: boolean[] = [];
  const sending = startPolled({
    record: async (...given) => {
      disabled.push((await webhooks.find(registration))?.disabled !== null);
      return webhooks.record(...given);
    },
  });
  await until(async () => (await attempts.countDocuments({ state: 'failed' })) === 3);
  await sending.stop();
  expect([disabled, state.received.length]).toEqual([[true], 1]);
});

test('[W64] a change of the order concerns attempts that are made later', async () => {
  const { vendorId, registration } = await ordered();
  const first = await deliver(vendorId, 2);
  await needs().webhooks.fanOut(100);
  const changed = await needs().webhooks.change(registration, { ordering: 'best_effort' });
  expect(changed).toMatchObject({ ordering: 'best_effort' });
  const second = await deliver(vendorId, 2);
  await needs().webhooks.fanOut(100);
  expect([(await rowOf(first, 2)).line, (await rowOf(second, 2)).line]).toEqual([
    { deliveryId: first, sequence: 2 },
    undefined,
  ]);
  const { attempts: claimed } = await lines.claim(registration);
  const sent = claimed.map(({ event }) => `${event.delivery_id}:${event.sequence}`);
  expect(sent.toSorted()).toEqual([`${first}:1`, `${second}:1`, `${second}:2`].toSorted());
});

test('[W64] a registration that an earlier release stored asks for best effort', async () => {
  const { vendorId, registration } = await ordered();
  await house.mongo.collection(REGISTRATIONS).updateOne({ _id: registration.id }, { $unset: { ordering: '' } }, ODD);
  expect(await needs().webhooks.find(registration)).toMatchObject({ ordering: 'best_effort' });
  const delivery = await deliver(vendorId, 1);
  await needs().webhooks.fanOut(100);
  expect((await rowOf(delivery, 1)).line).toBe(undefined);
});

/** Whether all attempts have ended. Otherwise moves the clock to where the next one is due, unless a try is under way. */
async function isOver(): Promise<boolean> {
  const due = await attempts.find({ state: 'due' }).sort({ dueAt: 1 }).toArray();
  const [next] = due;
  if (next !== undefined && due.every(({ claim }) => claim === undefined)) state.now = Math.max(state.now, next.dueAt);
  return next === undefined && !(await needs().webhooks.isAnyEventDue());
}

type Try = { readonly sequence: number; readonly isReceived: boolean };

/** The tries at which an earlier event of the delivery had neither been received nor failed for good. */
function tooEarly(tries: readonly Try[], failed: readonly number[]): Try[] {
  return tries.filter(({ sequence }, at) => {
    const isOf = (earlier: number) => (one: Try) => one.sequence === earlier;
    const isEnded = (earlier: number): boolean => {
      if (tries.slice(0, at).some((one) => one.isReceived && isOf(earlier)(one))) return true;
      return failed.includes(earlier) && !tries.slice(at).some(isOf(earlier));
    };
    return !Array.from({ length: sequence - 1 }, (_, index) => index + 1).every(isEnded);
  });
}

test('[W61] two processes keep the order of each delivery, whatever fails', async () => {
  const failures = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 20, maxLength: 20 });
  const doomed = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 1 });
  await fc.assert(
    fc.asyncProperty(failures, doomed, async (chances, lost) => {
      await attempts.deleteMany({});
      state.received.length = 0;
      const { vendorId } = await ordered();
      const answers: boolean[] = [];
      state.answer = (response) => {
        const at = state.received.length - 1;
        const { sequence = 0 } = state.received[at]?.event ?? {};
        answers[at] = chances[at % chances.length] !== 0 && !lost.includes(sequence);
        response.writeHead(answers[at] === true ? 200 : 500).end();
      };
      const deliveries = [await deliver(vendorId, 4), await deliver(vendorId, 4)];
      const senders = [startPolled(), startPolled()];
      await until(async () => {
        for (const { poll } of senders) poll();
        return (await attempts.countDocuments()) === 8 && isOver();
      });
      for (const sender of senders) await sender.stop();
      const tries = state.received.map(({ event }, at) => ({ ...event, isReceived: answers[at] === true }));
      for (const delivery of deliveries) {
        const own = tries.filter((one) => one.delivery_id === delivery);
        expect(new Set(own.map(({ sequence }) => sequence)).size).toBe(4);
        const failed = await attempts.find({ 'line.deliveryId': delivery, state: 'failed' }).toArray();
        const numbers = failed.map(({ line }) => line?.sequence ?? 0);
        expect(tooEarly(own, numbers)).toEqual([]);
      }
    }),
    { numRuns: 3 },
  );
});
