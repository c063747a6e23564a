import { expect, onTestFinished, test } from 'vitest';
import { pass } from '../region-world.ts';
import { searchesIn } from '../searches.ts';
import { openWorld, type World } from '../world.ts';

const MINUTE = 60_000;

const world = await openWorld('slow-duty');
const { due, search, stateOf } = searchesIn(world);

test('[C10] a search starts on time although another duty takes long', async () => {
  const now = world.clock.now();
  const times = { searchFromAt: now + 10_000, searchUntilAt: now + 25 * MINUTE };
  const delivery = await search({ state: 'scheduled', priority: 'scheduled', ...times });
  let isAsked = false;
  let finish = (): void => {};
  const listOpen: World['alarms']['listOpen'] = () =>
    new Promise((resolve) => {
      isAsked = true;
      finish = () => resolve({ items: [], next: null });
    });
  due({ alarms: { ...world.alarms, listOpen } });
  onTestFinished(() => finish());
  await pass(world, 15_000);
  expect([isAsked, await stateOf(delivery)]).toEqual([true, 'searching']);
});
