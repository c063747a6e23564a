import { expect, test } from 'vitest';
import { createTimelyGroups } from '../../src/work/timely-groups.ts';
import { handClock } from '../clock.ts';

test('[D205] changes that were given up take no place, so the next one does not wait for their rests', async () => {
  const clock = handClock();
  let pauses = 0;
  const pause = async (): Promise<void> => void (pauses += 1);
  const [ran, ends] = [[] as number[], [] as (() => void)[]];
  const add = createTimelyGroups<number, null>(
    { real: { ...clock.real, pause } },
    async (inputs, onConflict) => {
      ran.push(...inputs);
      onConflict();
      await new Promise<void>((resolve) => ends.push(resolve));
      return inputs.map(() => ({ status: 'fulfilled', value: null }));
    },
    { placesOf: () => ['wallet'] },
    { budgetMs: 5000, most: 1000, refuse: (hasStarted) => (hasStarted ? null : new Error('too late')) },
  );
  const first = add(0);
  await new Promise((resolve) => void setImmediate(resolve));
  const late = Array.from({ length: 200 }, (_, index) => add(index + 1));
  const refused = Promise.allSettled(late);
  await clock.advance(5000);
  expect((await refused).every(({ status }) => status === 'rejected')).toBe(true);
  const next = add(201);
  ends.shift()?.();
  await first;
  await expect.poll(() => ran).toEqual([0, 201]);
  expect(pauses).toBe(1);
  ends.shift()?.();
  expect(await next).toBe(null);
});
