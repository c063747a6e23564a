import { assert as check, asyncProperty, array, nat } from 'fast-check';
import { expect, test } from 'vitest';
import { createGroups } from '../../src/engines/groups.ts';
import { handClock } from '../clock.ts';

const settled = <T>(values: readonly T[]): PromiseSettledResult<T>[] =>
  values.map((value) => ({ status: 'fulfilled', value }));

/** Groups that end when the test says so. `seen` has the inputs of each. */
function held(clock = handClock(), factsOf?: (input: number) => readonly string[]) {
  const seen: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const add = createGroups<number, string>(
    clock,
    (inputs) => {
      seen.push(inputs);
      return new Promise((resolve) => ends.push(() => resolve(settled(inputs.map(String)))));
    },
    factsOf,
  );
  return { add, seen, end: () => ends.shift()?.() };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('[D200] inputs that arrive during a group go together into the next one, 64 at most', async () => {
  const { add, seen, end } = held();
  const results = numbers(66).map((input) => add(input));
  // The first starts alone. The next 64 are a full group, which waits for nothing.
  expect(seen).toEqual([[0], numbers(65).slice(1)]);
  end();
  end();
  await Promise.all(results.slice(0, 65));
  expect(seen.at(-1)).toEqual([65]);
  end();
  expect(await Promise.all(results)).toEqual(numbers(66).map(String));
});

test('[D200] a group that hangs holds up the next one for 50 ms only', async () => {
  const clock = handClock();
  const { add, seen } = held(clock);
  void add(1);
  void add(2);
  await clock.advance(49);
  expect(seen).toEqual([[1]]);
  await clock.advance(1);
  expect(seen).toEqual([[1], [2]]);
  void add(3);
  await clock.advance(50);
  expect(seen).toEqual([[1], [2], [3]]);
});

test('[D200] if a group rejects, each of its inputs gets the error, and the next group runs', async () => {
  let isFirst = true;
  const add = createGroups<number, string>(handClock(), async (inputs) => {
    if (!isFirst) return settled(inputs.map(String));
    isFirst = false;
    throw new Error('away');
  });
  const [first, second] = [add(1), add(2)];
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe('2');
});

test('[D202] inputs that share a fact never share a group, and each input has its own result', async () => {
  await check(
    asyncProperty(array(nat(9), { maxLength: 200 }), async (facts) => {
      const groups: (readonly number[])[] = [];
      const add = createGroups<number, number>(
        handClock(),
        async (inputs) => {
          groups.push(inputs);
          await Promise.resolve();
          return settled(inputs);
        },
        (input) => [`fact ${facts[input]}`],
      );
      expect(await Promise.all(facts.map((_, input) => add(input)))).toEqual(numbers(facts.length));
      expect(groups.flat().toSorted((a, b) => a - b)).toEqual(numbers(facts.length));
      for (const group of groups) expect(new Set(group.map((input) => facts[input])).size).toBe(group.length);
    }),
  );
});
