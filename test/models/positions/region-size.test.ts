import { expect, test } from 'vitest';
import { offsetBy, regionAndNeighbours, regionOf, regionsAt, sizeOf } from '../../../src/domain/geo/geo.ts';
import { defaultSettings, type Settings } from '../../../src/settings.ts';
import { createRandom } from '../../../load-tests/random.ts';
import { aPosition, CENTER } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { aProcess } from './position-process.ts';

const SIZES = [4, 5, 6];

function sized(regionResolution: number): Settings {
  const settings = defaultSettings();
  return { ...settings, dispatch: { ...settings.dispatch, regionResolution } };
}

test('[O61] a region contains its size, and the regions of another size that cover it are found', () => {
  const random = createRandom(3);
  for (const size of SIZES) {
    const home = regionOf(CENTER, size);
    expect(sizeOf(home)).toBe(size);
    for (const other of SIZES) {
      const covering = new Set(regionsAt(regionAndNeighbours(home), other));
      expect(new Set([...covering].map(sizeOf))).toEqual(new Set([other]));
      for (let count = 0; count < 200; count += 1) {
        const place = offsetBy(CENTER, random.between(-9000, 9000), random.between(-9000, 9000));
        if (regionOf(place, size) === home) expect(covering).toContain(regionOf(place, other));
      }
    }
  }
  expect(regionsAt([regionOf(CENTER, 5)], 5)).toEqual([regionOf(CENTER, 5)]);
});

test('[O62] processes with different sizes receive all couriers, find them in both sizes, and store each in one region', async () => {
  const at = testEngines('region-size');
  const clock = handClock();
  const [old, fresh] = await Promise.all([5, 6].map((size) => aProcess({ at, clock, settings: sized(size) })));
  const [his, hers] = [aPosition(), aPosition()];
  old!.index.put(his);
  await old!.tick();
  fresh!.index.put(hers);
  await fresh!.tick();
  await until(() => old!.index.last(hers.courierId) !== null && fresh!.index.last(his.courierId) !== null);
  for (const { index } of [old!, fresh!]) {
    for (const size of SIZES) {
      const found = await index.listPresent([regionOf(CENTER, size)]);
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([his, hers]));
    }
  }
  // The courier comes back to a process of the new size and leaves the old region.
  fresh!.index.put({ ...his, at: his.at + 1 });
  await fresh!.tick();
  const { redis } = fresh!;
  const isIn = async (size: number): Promise<boolean> => {
    const key = `${redis.prefix}{r:${regionOf(CENTER, size)}}:seen`;
    return (await redis.commands.zscore(key, his.courierId)) !== null;
  };
  expect([await isIn(5), await isIn(6)]).toEqual([false, true]);
});
