import { cellToChildren, cellToLatLng } from 'h3-js';
import { expect, test } from 'vitest';
import type { Coordinates } from '../../../src/domain/geo/geo.ts';
import { areaOf, crowSpeedMps } from '../../../src/domain/learning/travel.ts';
import { LearnedTravel } from '../../../src/models/learning/learned-travel.ts';
import { NOON } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { until } from '../../until.ts';
import { aSample, cellOf, freshPlace, HOUR, many, openLearned } from './travel-house.ts';

const { store, travelHere } = await openLearned('areas');
const UNTAUGHT = crowSpeedMps('scooter');

/** The middles of the 49 cells of an area that no other test has. */
function freshArea(): readonly [Coordinates, Coordinates, ...Coordinates[]] {
  const [first, second, ...others] = cellToChildren(areaOf(cellOf(freshPlace())), 7).map((cell) => {
    const [lat, lng] = cellToLatLng(cell);
    return { lat, lng };
  });
  if (first === undefined || second === undefined) throw new Error('an area has many cells');
  return [first, second, ...others];
}

test('[K20] legs of one cell change what is expected in the others of its area, in every process, and nowhere else', async () => {
  const [taught, neighbour, ...others] = freshArea();
  expect(others).toHaveLength(47);
  const [elsewhere] = freshArea();
  const [here, there] = [travelHere(), travelHere()];
  const stretchAt = ({ travel }: typeof here, from: Coordinates): number =>
    travel.stretchAt({ from, to: from, vehicle: 'scooter', liveMode: true }, NOON);
  // One process knows the neighbour before its area learns, and the other one does not.
  expect([neighbour, elsewhere].map((place) => here.scooterAt(place))).toEqual([UNTAUGHT, UNTAUGHT]);
  await here.look();
  await there.travel.record(many(60, aSample(taught, 2, { routedS: 250 })));
  await here.look(61_000);
  there.scooterAt(neighbour);
  there.scooterAt(elsewhere);
  await there.look();
  for (const process of [here, there]) {
    await until(() => process.scooterAt(neighbour) < 2.5 && stretchAt(process, neighbour) > 1.4);
    expect(process.scooterAt(elsewhere)).toBe(UNTAUGHT);
    expect(stretchAt(process, elsewhere)).toBe(1);
    expect(process.scooterAt(neighbour, false)).toBe(UNTAUGHT);
    expect(process.travel.speedsAt([neighbour], NOON, true)[0]).toBe(crowSpeedMps('bicycle'));
  }
});

test('[K20] the legs of a cell outweigh those of its area', async () => {
  const [slow, quick, ...others] = freshArea();
  await store.record([...many(50, aSample(quick, 8)), ...others.flatMap((place) => many(4, aSample(place, 2)))]);
  const { scooterAt, look } = travelHere();
  const ask = (): number[] => [slow, quick].map((place) => scooterAt(place));
  ask();
  await look();
  await until(() => ask().every((speed) => speed !== UNTAUGHT));
  expect(ask()[0]).toBeLessThan(2.5);
  expect(ask()[1]).toBeGreaterThan(7);
});

test('[K20] an area without a document gives the defaults, as of legs from before areas learned', async () => {
  const [known, unknown] = freshArea();
  const sums = { metres: 40_000, seconds: 20_000, seen: 50 };
  const load = (cells: readonly { readonly cell: string; readonly liveMode: boolean }[]) =>
    Promise.resolve(
      cells
        .filter(({ cell }) => cell === cellOf(known))
        .map((of) => ({
          ...of,
          vehicle: 'scooter' as const,
          hours: new Map([[HOUR, sums]]),
          routed: new Map(),
          setOff: null,
          changedAt: 1,
        })),
    );
  const learned = new LearnedTravel({ load }, handClock());
  const at = (place: Coordinates): number | undefined => learned.speedsAt([place], NOON, true)[1];
  at(known);
  at(unknown);
  await learned.refresh();
  expect(at(known)).toBeLessThan(2.1);
  expect(at(unknown)).toBe(UNTAUGHT);
});

test('[K20] an area is read once for all its cells, and as long as one of them is used', async () => {
  const [kept, unused, ...others] = freshArea();
  const area = areaOf(cellOf(kept));
  const clock = handClock();
  let read: string[] = [];
  const load = (cells: readonly { readonly cell: string }[]) => {
    read.push(...cells.map(({ cell }) => cell));
    return Promise.resolve([]);
  };
  const learned = new LearnedTravel({ load }, clock);
  learned.speedsAt([kept, unused, ...others], NOON, true);
  await learned.refresh();
  expect(read.toSorted()).toEqual([area, ...[kept, unused, ...others].map(cellOf)].toSorted());
  for (const minutes of [9, 9]) {
    await clock.advance(minutes * 60_000);
    read = [];
    learned.speedsAt([kept], NOON, true);
    await learned.refresh();
  }
  expect(read.toSorted()).toEqual([area, cellOf(kept)].toSorted());
});
