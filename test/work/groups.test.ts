import { assert as check, asyncProperty, array, nat } from 'fast-check';
import { expect, test } from 'vitest';
import { createGroups, type Apart } from '../../src/work/groups.ts';
import { handClock } from '../clock.ts';
import { until } from '../until.ts';

const settled = <T>(values: readonly T[]): PromiseSettledResult<T>[] =>
  values.map((value) => ({ status: 'fulfilled', value }));

/** Groups that end, and conflict, when the test says so. `seen` has the inputs of each. */
function held(clock = handClock(), apart?: Apart<number>) {
  const seen: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const conflicts: (() => void)[] = [];
  const add = createGroups<number, string>(
    clock,
    (inputs, onConflict) => {
      seen.push(inputs);
      conflicts.push(onConflict);
      return new Promise((resolve) => ends.push(() => resolve(settled(inputs.map(String)))));
    },
    apart,
  );
  return { add, seen, end: () => ends.shift()?.(), conflict: () => conflicts.at(-1)?.() };
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
        { factsOf: (input) => [`fact ${facts[input]}`] },
      );
      expect(await Promise.all(facts.map((_, input) => add(input)))).toEqual(numbers(facts.length));
      expect(groups.flat().toSorted((a, b) => a - b)).toEqual(numbers(facts.length));
      for (const group of groups) expect(new Set(group.map((input) => facts[input])).size).toBe(group.length);
    }),
  );
});

test('[J14] an input waits for the end of the group that has its place, and others do not', async () => {
  const clock = handClock();
  const { add, seen, end } = held(clock, { placesOf: (input) => [input % 2 === 0 ? 'even' : 'odd'] });
  void add(1);
  await turn();
  for (const input of [3, 2, 5]) void add(input);
  await clock.advance(20);
  expect(seen).toEqual([[1], [2]]);
  void add(4);
  await clock.advance(100);
  expect(seen).toEqual([[1], [2]]);
  end();
  await turn();
  expect(seen).toEqual([[1], [2], [3, 5]]);
  end();
  await clock.advance(20);
  expect(seen).toEqual([[1], [2], [3, 5], [4]]);
});

test('[D205] after a conflict, a place rests before its next group, and other places do not', async () => {
  const clock = handClock();
  const { add, seen, end, conflict } = held(clock, { placesOf: (input) => [input % 2 === 0 ? 'even' : 'odd'] });
  for (const input of [1, 3]) void add(input);
  await turn();
  conflict();
  void add(5);
  void add(2);
  end();
  await turn();
  expect(seen).toEqual([[1, 3], [2]]);
  end();
  await until(() => seen.length === 3);
  expect(seen.at(-1)).toEqual([5]);
  // The place belongs to that group now, although two inputs had it before the rest.
  void add(7);
  await turn();
  await clock.advance(20);
  expect(seen.length).toBe(3);
  end();
  await until(() => seen.length === 4);
  expect(seen.at(-1)).toEqual([7]);
});

test('[D205] the places of a group rest together, so that their next inputs share a group', async () => {
  const { add, seen, end, conflict } = held(handClock(), { placesOf: (input) => [input % 2 === 0 ? 'even' : 'odd'] });
  for (const input of [1, 2]) void add(input);
  await turn();
  conflict();
  for (const input of [3, 4]) void add(input);
  end();
  await until(() => seen.length === 2);
  expect(seen.at(-1)).toEqual([3, 4]);
});

test('[J14] groups that are under way never share a place, and each input runs once', async () => {
  await check(
    asyncProperty(array(nat(9), { maxLength: 200 }), nat(1000), async (places, seed) => {
      const clock = handClock();
      const ends: (() => void)[] = [];
      const ran: number[] = [];
      let clashes = 0;
      const taken = new Set<number>();
      const add = createGroups<number, number>(
        clock,
        async (inputs, onConflict) => {
          if (inputs.length % 2 === 0) onConflict();
          const own = new Set(inputs.map((input) => places[input] ?? 0));
          clashes += [...own].filter((place) => taken.has(place)).length;
          for (const place of own) taken.add(place);
          await new Promise<void>((resolve) => ends.push(resolve));
          for (const place of own) taken.delete(place);
          ran.push(...inputs);
          return settled(inputs);
        },
        { placesOf: (input) => [`place ${places[input]}`] },
      );
      const results: Promise<number>[] = [];
      for (const [input] of places.entries()) {
        results.push(add(input));
        if ((input * 31 + seed) % 7 === 0) await turn();
        if ((input * 17 + seed) % 5 === 0) await clock.advance(20);
        if ((input * 13 + seed) % 3 === 0) ends.shift()?.();
      }
      await until(async () => {
        for (const end of ends.splice(0)) end();
        await clock.advance(20);
        return ran.length === places.length;
      });
      expect(await Promise.all(results)).toEqual(numbers(places.length));
      expect(clashes).toBe(0);
      expect(ran.toSorted((a, b) => a - b)).toEqual(numbers(places.length));
    }),
    { numRuns: 50 },
  );
});
