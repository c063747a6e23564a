import { cellToChildren, gridDisk } from 'h3-js';
import { expect, test } from 'vitest';
import { countCells } from '../../../src/dispatch/surge/count-cells.ts';
import { leadRegion } from '../../../src/dispatch/regions/lead-region.ts';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import { offsetBy, VIEW_RESOLUTION, viewCellOf } from '../../../src/domain/geo/geo.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { NOON, aCourier, aStop, heldBy } from '../../builders.ts';
import { keptSurge } from '../../kept-ports.ts';
import { regionOfCell } from '../../regions.ts';
import { runCourier, runInput, settings } from '../match/fixtures.ts';
import { courierAt, pass, passUntil, running } from '../region-world.ts';
import { AWAY, away, cell, MIDDLE, MINUTE, near, region, waiting, watch } from '../surge-house.ts';
import { openWorld, storeDelivery } from '../world.ts';

const counted = (over: Partial<RunInput>, liveMode = true) =>
  Object.fromEntries(countCells(runInput(over), liveMode, settings.surge.soonMs));

test('[O51] deliveries count if their search is on and their goods are ready within ten minutes', () => {
  const deliveries = [
    waiting(0),
    waiting(10),
    waiting(10.1),
    waiting(0, { searchFromAt: NOON + 1 }),
    waiting(0, { searchUntilAt: NOON }),
    waiting(0, { robo: { timeScale: 1 } }),
    waiting(0, { liveMode: false }),
  ];
  expect(counted({ deliveries })).toEqual({ [cell]: { demand: 2, supply: 0 } });
  expect(counted({ deliveries }, false)).toEqual({ [cell]: { demand: 1, supply: 0 } });
});

test('[O51] couriers count if they are free within ten minutes, where they will be free', () => {
  const live = { liveMode: true };
  const busy = (dropOff = near(200)) => {
    const courier = aCourier(live);
    const delivery = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { place: dropOff })] });
    return { courier, place: near(0), assigned: [delivery] };
  };
  const couriers = [
    runCourier(near(0), live),
    runCourier(AWAY, live),
    runCourier(near(0), { ...live, kind: 'robo' }),
    runCourier(near(0)),
    busy(near(100)),
    busy(offsetBy(MIDDLE, 0, 4500)),
  ];
  // The last one rides 4.5 km and is free in more than ten minutes. The one before is free here.
  expect(counted({ couriers })).toEqual({ [cell]: { demand: 0, supply: 2 }, [away]: { demand: 0, supply: 1 } });
  const soon = busy(offsetBy(MIDDLE, 2000, 0));
  const there = viewCellOf(offsetBy(MIDDLE, 2000, 0));
  expect(counted({ couriers: [soon] })).toEqual({ [there]: { demand: 0, supply: 1 } });
});

const scarce = (now: number): RunInput =>
  runInput({ now, deliveries: [0, 1, 2].map(() => waiting(0, { searchUntilAt: Infinity })) });

test('[O52] a leader publishes at most every four seconds, and nothing when another leads', async () => {
  const surge = keptSurge();
  const one = watch({ surge });
  for (const afterMs of [0, 1000, 3999, 4000, 5000, 8000]) await one.watch.look(scarce(NOON + afterMs));
  expect(surge.times).toBe(3);
  expect(surge.published.get(region)).toContainEqual(expect.objectContaining({ cell, demand: 3, supply: 0 }));
  await watch({ surge }, () => false).watch.look(scarce(NOON + 60_000));
  expect(surge.times).toBe(3);
});

test('[O52] another leader continues where the last one stopped', async () => {
  const [surge, whole] = [keptSurge(), keptSurge()];
  const steady = watch({ surge: whole });
  let leader = watch({ surge });
  for (let at = NOON; at < NOON + 5 * MINUTE; at += 5000) {
    if (at === NOON + 2 * MINUTE) leader = watch({ surge });
    await leader.watch.look(scarce(at));
    await steady.watch.look(scarce(at));
  }
  expect(surge.published).toEqual(whole.published);
  expect((await surge.at(MIDDLE, true)).surge).toBeGreaterThan(1.5);
});

test('[O52] demand beyond the border counts in the cells along it', async () => {
  const ringOf = (each: string) => gridDisk(each, 1).filter((other) => regionOfCell(other) !== region);
  const border = cellToChildren(region, VIEW_RESOLUTION).find((each) => ringOf(each).length > 0)!;
  const [beyond = ''] = ringOf(border);
  const surge = keptSurge();
  const row = { cell: beyond, liveMode: true, demand: 40, supply: 0, ratio: 2, surge: 2, at: NOON };
  await surge.publish(regionOfCell(beyond), [row]);
  const { watch: mine } = watch({ surge });
  for (const afterMs of [0, 5000]) await mine.look(scarce(NOON + afterMs));
  const cells = new Map(surge.published.get(region)?.map((each) => [each.cell, each]));
  expect(cells.get(border)).toMatchObject({ demand: 0, ratio: expect.closeTo(2.5 * (1 - Math.exp(-5 / 240)), 9) });
  expect(cells.has(beyond)).toBe(false);
  expect(surge.published.get(regionOfCell(beyond))).toEqual([row]);
});

test('[O52] an unreachable store costs a run nothing, and is logged once', async () => {
  const busy = () => Promise.reject(new Refusal('busy'));
  const { watch: cut, log } = watch({ surge: { ...keptSurge(), list: busy, publish: busy } });
  for (const afterMs of [0, 5000, 10_000]) await cut.look(scarce(NOON + afterMs));
  expect(log.lines.map(({ message }) => message)).toEqual(['failed; will retry']);
});

const world = await openWorld('publish-surge');

test('[O52] a region publishes while a search is on in it, and reads and writes nothing while it is quiet', async () => {
  let reads = 0;
  const positions: typeof world.positions = {
    ...world.positions,
    listPresent: (regions) => {
      reads += 1;
      return world.positions.listPresent(regions);
    },
  };
  const term = { region, ownsLease: () => true, fence: () => 1 };
  const leader = running(leadRegion({ ...world, positions }, term));
  await pass(world, 12_000);
  expect([reads, world.surge.times]).toEqual([0, 0]);
  await courierAt(world, near(300));
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, searchingAt: now };
  await storeDelivery(world, {
    pickup: aStop(0, { place: MIDDLE }),
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times,
  });
  leader.request(0);
  await passUntil(world, () => world.surge.times > 0);
  expect(await world.surge.at(MIDDLE, false)).toMatchObject({ cell, demand: 1, supply: 1, surge: 1 });
});
