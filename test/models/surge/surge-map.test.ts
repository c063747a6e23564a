import { gridDisk } from 'h3-js';
import { expect, test } from 'vitest';
import { viewCellOf } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { centerOf, surgeCellOf, type SurgeCell } from '../../../src/domain/surge/surge.ts';
import { createHintTurns } from '../../../src/models/surge/hint-turns.ts';
import { createSurgeMap } from '../../../src/models/surge/surge-map.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { CENTER } from '../../builders.ts';
import { regionOf, regionOfCell } from '../../regions.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { connectFor } from '../../engines/redis-house.ts';

const engines = testEngines('surge-map');
const settings = defaultSettings();
const region = regionOf(CENTER);
const cell = surgeCellOf(CENTER, region);
const other = gridDisk(cell, 1).find((each) => each !== cell && regionOfCell(each) === region)!;

const clock = handClock();
const row = (over: Partial<SurgeCell> = {}): SurgeCell => ({
  cell,
  liveMode: true,
  demand: 5,
  supply: 2,
  ratio: 2.25,
  surge: 2.2,
  at: clock.now(),
  ...over,
});

async function openMap() {
  const redis = await connectFor(engines);
  return { redis, map: createSurgeMap({ redis, clock, settings }) };
}

test('[O53] every process reads the surge that another one publishes, by place, cell and region', async () => {
  const [{ map }, { map: elsewhere }] = [await openMap(), await openMap()];
  const [live, test] = [row(), row({ liveMode: false, ratio: 0.5, surge: 1, supply: 20 })];
  await map.publish(region, [live, test, row({ cell: other })]);
  expect(await elsewhere.at(CENTER, true)).toEqual(live);
  expect(await elsewhere.at(CENTER, false)).toEqual(test);
  expect(await elsewhere.listIn([cell, viewCellOf({ lat: 0.5, lng: 0.5 })])).toHaveLength(2);
  expect(await elsewhere.listIn([])).toEqual([]);
  expect(await elsewhere.list([region])).toHaveLength(3);
  expect(await elsewhere.at({ lat: 0.5, lng: 0.5 }, true)).toMatchObject({ surge: 1, demand: 0, supply: null });
});

test('[O53] a publication replaces the last one completely', async () => {
  const { map } = await openMap();
  await map.publish(region, [row(), row({ cell: other })]);
  await map.publish(region, [row({ cell: other, surge: 1.5 })]);
  expect(await map.list([region])).toMatchObject([{ cell: other, surge: 1.5 }]);
  await map.publish(region, []);
  expect(await map.list([region])).toEqual([]);
  expect((await map.at(centerOf(other), true)).surge).toBe(1);
});

test('[O53] readers see a surge fade that is no longer counted, and the store forgets it', async () => {
  const { map, redis } = await openMap();
  await map.publish(region, [row()]);
  await clock.advance(15_000);
  expect((await map.at(CENTER, true)).surge).toBe(2.2);
  await clock.advance(120_000);
  expect(await map.at(CENTER, true)).toMatchObject({ surge: 1.4, demand: 0, supply: null });
  expect(await map.listIn([cell])).toMatchObject([{ surge: 1.4, demand: 0, supply: null }]);
  await clock.advance(120_000);
  expect((await map.at(CENTER, true)).surge).toBe(1);
  const leftMs = await redis.commands.pttl(`${redis.prefix}{r:${region}}:surge`);
  expect(leftMs).toBeGreaterThan(900_000);
  expect(leftMs).toBeLessThanOrEqual(975_000);
});

test('[O53] without Redis the surge at a place is 1 and never fails; lists and publications are refused', async () => {
  const redis = await connectFor(engines);
  const map = createSurgeMap({ redis, clock, settings });
  const turns = createHintTurns({ redis, clock, settings });
  await map.publish(region, [row()]);
  await redis.close();
  expect(await map.at(CENTER, true)).toMatchObject({ cell, surge: 1, ratio: 0, demand: 0, supply: null });
  for (const work of [map.list([region]), map.listIn([cell]), map.publish(region, [row()])]) {
    await expect(work).rejects.toMatchObject({ code: 'busy' });
  }
  expect(await turns.take(newId('cou'))).toBe(false);
});

test('[O55] if many processes want to send a courier a hint, one may, and again after the gap', async () => {
  const processes = await Promise.all(Array.from({ length: 5 }, () => connectFor(engines)));
  const turns = processes.map((redis) => createHintTurns({ redis, clock, settings }));
  const courierId = newId('cou');
  const taken = await Promise.all(turns.map((each) => each.take(courierId)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  const other = newId('cou');
  const brief = { hints: { ...settings.hints, gapMs: 1 } };
  const soon = createHintTurns({ redis: processes[0]!, clock, settings: brief });
  expect(await soon.take(other)).toBe(true);
  await until(() => soon.take(other));
});
