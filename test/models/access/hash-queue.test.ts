import { expect, test } from 'vitest';
import { createHashQueue } from '../../../src/models/access/staff/hash-queue.ts';
import { handClock } from '../../clock.ts';

/** Work that ends on demand, and the names of the callers whose work has begun, in order. */
function aQueue() {
  const clock = handClock();
  const queue = createHashQueue(clock);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (who: string): Promise<string> =>
    queue(who, async () => {
      begun.push(who);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return who;
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begun, endOne, clock };
}

test('[A56] one password is hashed at a time, and addresses take turns', async () => {
  const { ask, begun, endOne } = aQueue();
  const all = [...Array.from({ length: 6 }, () => ask('attacker')), ask('owner')];
  expect(begun).toEqual(['attacker']);
  for (let done = 1; done < all.length; done += 1) {
    await endOne();
    expect(begun).toHaveLength(done + 1);
  }
  expect(begun.indexOf('owner')).toBe(2);
  await endOne();
  expect(await Promise.all(all)).toHaveLength(7);
});

test('[A56] few tries of one address may wait, and not many in all; others are refused at once', async () => {
  const { ask, begun, endOne } = aQueue();
  const settled = (who: string) =>
    ask(who).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  const ofOne = Array.from({ length: 20 }, () => settled('attacker'));
  const ofMany = Array.from({ length: 40 }, (_, index) => settled(`address ${index}`));
  for (let ended = 0; ended < 33; ended += 1) await endOne();
  const outcomes = await Promise.all([...ofOne, ...ofMany]);
  expect(begun.filter((who) => who === 'attacker')).toHaveLength(17);
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(33);
  expect(outcomes.filter((each) => each === 'busy')).toHaveLength(27);
});

test('[A56] after each hash the process rests for three times as long as the hash took', async () => {
  const { ask, begun, endOne, clock } = aQueue();
  const all = [ask('a'), ask('b')];
  await clock.advance(40);
  await endOne();
  await clock.advance(119);
  expect(begun).toEqual(['a']);
  await clock.advance(1);
  await all[0];
  expect(begun).toEqual(['a', 'b']);
  await endOne();
  await Promise.all(all);
});

test('[A56] after failed work the next work starts', async () => {
  const queue = createHashQueue(handClock());
  const failed = queue('a', () => Promise.reject(new Error('no')));
  const next = queue('b', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
