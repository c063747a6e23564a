import { assert as check, asyncProperty, array, nat } from 'fast-check';
import { expect, test } from 'vitest';
import { createGroups } from '../../src/work/groups.ts';
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

/** The end of this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('[D200] inputs of one turn of the event loop share a group, and further ones the next group', async () => {
  const { add, seen, end } = held();
  const early = [add(1), add(2)];
  await turn();
  const late = [add(3), add(4)];
  await turn();
  expect(seen).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(early)).toEqual(['1', '2']);
  expect(seen).toEqual([
    [1, 2],
    [3, 4],
  ]);
  end();
  expect(await Promise.all(late)).toEqual(['3', '4']);
});

test('[D200] a group has 64 inputs at most, and a full one waits for nothing', async () => {
  const { add, seen, end } = held();
  const results = numbers(130).map((input) => add(input));
  expect(seen).toEqual([numbers(64), numbers(128).slice(64)]);
  end();
  end();
  await Promise.all(results.slice(0, 128));
  expect(seen.at(-1)).toEqual([128, 129]);
  end();
  expect(await Promise.all(results)).toEqual(numbers(130).map(String));
});

test('[D200] a group that hangs holds up the next one for 20 ms only', async () => {
  const clock = handClock();
  const { add, seen } = held(clock);
  void add(1);
  await turn();
  void add(2);
  await clock.advance(19);
  expect(seen).toEqual([[1]]);
  await clock.advance(1);
  expect(seen).toEqual([[1], [2]]);
  void add(3);
  await clock.advance(20);
  expect(seen).toEqual([[1], [2], [3]]);
});

test('[D200] if a group rejects, each of its inputs gets the error, and the next group runs', async () => {
  let isFirst = true;
  const add = createGroups<number, string>(handClock(), async (inputs) => {
    if (!isFirst) return settled(inputs.map(String));
    isFirst = false;
    throw new Error('away');
  });
  const first = Promise.allSettled([add(1), add(2)]);
  await turn();
  const second = add(3);
  const away = { status: 'rejected', reason: new Error('away') };
  expect(await first).toEqual([away, away]);
  expect(await second).toBe('3');
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
