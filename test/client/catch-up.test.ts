import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId, type DeliveryId } from '../../src/domain/ids.ts';
import { createCatchUp } from '../../packages/client/src/sockets/catch-up.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const always = (): boolean => true;
const some = (count: number) => Array.from({ length: count }, () => [newId('del'), 3] as const);

test('[V92] missed events are requested in batches of 20, one a second and each after the answers to the last', async () => {
  const asked: DeliveryId[] = [];
  const answers: (() => void)[] = [];
  const catchUp = createCatchUp<DeliveryId>(always, (id) => {
    asked.push(id);
    return new Promise((resolve) => void answers.push(resolve));
  });
  const missed = some(50);
  catchUp(missed);
  expect(asked).toHaveLength(20);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(20);
  answers.splice(0).forEach((answer) => answer());
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(40);
  answers.splice(0).forEach((answer) => answer());
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(40);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(missed.map(([id]) => id));
});

test('[V92] a delivery that is named again while it waits is requested once, up to its newest event', async () => {
  const asked: (readonly [DeliveryId, number])[] = [];
  const catchUp = createCatchUp<DeliveryId>(always, async (...one) => void asked.push(one));
  const [first, second] = [some(20), some(1)];
  catchUp([...first, ...second]);
  catchUp(second.map(([id]) => [id, 7] as const));
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked).toEqual([...first, [second[0]?.[0], 7]]);
});

test('[V92] at most 5,000 deliveries wait', async () => {
  let count = 0;
  const catchUp = createCatchUp<DeliveryId>(always, async () => void (count += 1));
  catchUp(some(6000));
  await vi.advanceTimersByTimeAsync(400_000);
  expect(count).toBe(5000);
});

test('[V92] deliveries that have caught up by other ways hold up no batch', async () => {
  const asked: DeliveryId[] = [];
  const [first, read, last] = [some(20), some(100), some(1)];
  const caughtUp = new Set<DeliveryId>();
  const catchUp = createCatchUp<DeliveryId>(
    (id) => !caughtUp.has(id),
    async (id) => void asked.push(id),
  );
  catchUp([...first, ...read, ...last]);
  for (const [id] of read) caughtUp.add(id);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([...first, ...last].map(([id]) => id));
});

test('[V92] after deliveries that need no request, the next one waits for nothing', async () => {
  const asked: DeliveryId[] = [];
  const [known, missed] = [some(1), some(1)];
  const catchUp = createCatchUp<DeliveryId>(
    (id) => id !== known[0]?.[0],
    async (id) => void asked.push(id),
  );
  catchUp(known);
  catchUp(missed);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(missed.map(([id]) => id));
});
