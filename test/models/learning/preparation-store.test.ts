import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { PreparationKey, PreparationSample } from '../../../src/domain/learning/preparation.ts';
import { createRandom } from '../../../load-tests/random.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { PREPARATION } from '../../../src/models/learning/learning-shapes.ts';

const house = await openHouse('preparation');
// A test makes hundreds of writes one after the other, and a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });
const { preparation } = house;
const MINUTE = 60_000;
const RULE = { quantile: 0.6, memory: 60 };

function aKey(over: Partial<PreparationKey> = {}): PreparationKey {
  return { vendorId: newId('ven'), liveMode: false, cell: '8b1f1d4a9b6dfff', hour: 12, ...over };
}

const sample = (key: PreparationKey, minutes: number, isBound = false): PreparationSample => ({
  ...key,
  ms: minutes * MINUTE,
  isBound,
});

async function learned(key: PreparationKey) {
  const [own] = await preparation.findMany([key]);
  if (own === undefined) throw new Error('there is one for each key');
  return own;
}

/** The quantile and the fading number of ready times, computed in a simple way with one entry per minute. */
function plain(samples: readonly PreparationSample[], { quantile, memory }: typeof RULE): { ms: number; seen: number } {
  const keep = 1 - 1 / memory;
  let counts = Array.from({ length: 90 }, () => 0);
  let seen = 0;
  for (const { ms, isBound } of samples) {
    const bin = Math.min(89, Math.floor(ms / MINUTE));
    const below = counts.slice(0, bin + 1).reduce((sum, count) => sum + count, 0);
    const share = (count: number, at: number): number => {
      if (!isBound) return at === bin ? 1 : 0;
      if (below === 0) return at === 0 ? 1 : 0;
      return at <= bin ? count / below : 0;
    };
    counts = counts.map((count, at) => count * keep + share(count, at));
    seen = seen * keep + (isBound ? 0 : 1);
  }
  let rest = quantile * counts.reduce((sum, count) => sum + count, 0);
  for (const [at, count] of counts.entries()) {
    if (count > 0 && rest <= count) return { ms: (at + rest / count) * MINUTE, seen };
    rest -= count;
  }
  throw new Error('the quantile lies in some entry');
}

describe('a stored histogram', () => {
  const seen = fc.array(fc.tuple(fc.integer({ min: 0, max: 120 * MINUTE }), fc.boolean()), {
    minLength: 1,
    maxLength: 40,
  });
  const rules = fc.record({ quantile: fc.constantFrom(0.05, 0.5, 0.6, 0.95), memory: fc.constantFrom(10, 60, 1000) });

  test('[D73] equals a simple one of the same samples', async () => {
    const property = fc.asyncProperty(seen, rules, async (spans, rule) => {
      const key = aKey();
      const samples = spans.map(([ms, isBound]) => ({ ...key, ms, isBound }));
      // The samples come in one write or in two.
      await preparation.record(samples.slice(0, 20), rule);
      await preparation.record(samples.slice(20), rule);
      const { hour, location, vendor } = await learned(key);
      expect([location, vendor]).toEqual([hour, hour]);
      const told = plain(samples, rule);
      expect(hour?.seen).toBeCloseTo(told.seen, 6);
      expect(Math.abs((hour?.ms ?? NaN) - told.ms)).toBeLessThan(2);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('[D73] loses no sample of concurrent writers, not even the first of a place', async () => {
    const keys = [aKey(), aKey()];
    const writers = Array.from({ length: 30 }, (_, index) => sample(keys[index % 2] ?? aKey(), 10));
    await Promise.all(writers.map((one) => preparation.record([one], RULE)));
    const keep = 1 - 1 / RULE.memory;
    for (const key of keys) expect((await learned(key)).hour?.seen).toBeCloseTo((1 - keep ** 15) / (1 - keep), 6);
  });

  test('[D73] lets old samples fade, so that the memory of a place is bounded', async () => {
    const key = aKey();
    await preparation.record(
      Array.from({ length: 60 }, () => sample(key, 10)),
      { quantile: 0.6, memory: 10 },
    );
    expect((await learned(key)).hour?.seen).toBeLessThanOrEqual(10);
    await preparation.record(
      Array.from({ length: 40 }, () => sample(key, 30)),
      { quantile: 0.6, memory: 10 },
    );
    expect((await learned(key)).hour?.ms).toBeGreaterThan(29 * MINUTE);
    const row = await house.mongo.collection(PREPARATION).findOne({});
    expect(row?.endsOn.getTime()).toBeGreaterThan(Date.parse('2026-01-01'));
  });

  test('[D72] of a place counts all its hours, and that of a vendor all its places; vendors and modes share nothing', async () => {
    const key = aKey();
    await preparation.record([sample(key, 10)], RULE);
    const others: PreparationKey[] = [
      { ...key, hour: 13 },
      { ...key, cell: '8b1f1d4a9b69fff' },
      { ...key, liveMode: true },
      { ...key, vendorId: newId('ven') },
    ];
    const found = await preparation.findMany([key, ...others]);
    expect(found.map(({ hour, location, vendor }) => [hour, location, vendor].map((span) => span !== null))).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, false],
      [false, false, false],
    ]);
    expect(await preparation.findMany([])).toEqual([]);
    await preparation.record([], RULE);
  });

  test('[D72] is read for any number of keys at once, and only its quantiles are read', async () => {
    const keys = Array.from({ length: 300 }, (_, index) => aKey({ hour: index % 24 }));
    await preparation.record(
      keys.map((key) => sample(key, 10)),
      RULE,
    );
    const { db } = house.mongo;
    await db.command({ profile: 2 });
    const found = await preparation.findMany([...keys, ...keys]);
    await db.command({ profile: 0 });
    expect(found).toHaveLength(600);
    expect(found.every(({ hour }) => hour?.ms === 10.6 * MINUTE)).toBe(true);
    const reads = await db
      .collection('system.profile')
      .find({ ns: `${db.databaseName}.preparation`, op: { $in: ['query', 'getmore'] } })
      .toArray();
    expect(reads.map(({ op }) => op)).toEqual(['query', 'getmore']);
    expect(reads[0]).toMatchObject({ command: { projection: { ms: 1, seen: 1 } } });
  });
});

describe('the estimate for a kitchen', () => {
  /** Minutes between being served and having collected the goods. */
  const HANDOVER_MIN = 1;

  /** Simulates pickups without calls: couriers arrive around the estimate, or when they can. Returns the estimates. */
  async function play(
    key: PreparationKey,
    pickups: number,
    prepare: () => number,
    arrive: (estimateMin: number) => number,
  ): Promise<number[]> {
    const estimates: number[] = [];
    for (let done = 0; done < pickups; done += 10) {
      const { hour } = await learned(key);
      const estimateMin = hour === null || hour.seen < 8 ? 0 : hour.ms / MINUTE;
      estimates.push(estimateMin);
      const samples = Array.from({ length: 10 }, () => {
        const arrivedMin = arrive(estimateMin);
        const collectedMin = Math.max(arrivedMin, prepare()) + HANDOVER_MIN;
        return sample(key, collectedMin, collectedMin - arrivedMin <= 2);
      });
      await preparation.record(samples, RULE);
    }
    return estimates;
  }
  const late = (estimates: readonly number[]): number => {
    const last = estimates.slice(-20);
    return last.reduce((sum, minutes) => sum + minutes, 0) / last.length;
  };

  test.each([8, 15, 25])('[D74] of about %i minutes settles near the true quantile', async (meanMin) => {
    const random = createRandom(meanMin);
    const prepare = (): number => Math.max(1, random.normal(meanMin, 4));
    const arrive = (estimateMin: number): number => Math.max(4, estimateMin + random.normal(0, 2));
    const estimates = await play(aKey(), 600, prepare, arrive);
    // The 0.6 quantile of a normal distribution is 0.253 deviations above the mean. Couriers need at least 4 min.
    const trueMin = meanMin + 0.253 * 4;
    expect(Math.abs(late(estimates) - trueMin)).toBeLessThan(2);
    expect(Math.max(...estimates)).toBeLessThan(trueMin + 6);
  });

  test('[D74] does not rise if couriers are always late', async () => {
    const random = createRandom(1);
    const estimates = await play(
      aKey(),
      300,
      () => Math.max(1, random.normal(8, 3)),
      () => random.between(20, 40),
    );
    expect(Math.max(...estimates)).toBe(0);
  });

  test('[D74] follows a kitchen that gets slower, and one that gets faster', async () => {
    const random = createRandom(2);
    const key = aKey();
    const arrive = (estimateMin: number): number => Math.max(4, estimateMin + random.normal(0, 2));
    const kitchen = (meanMin: number) => (): number => Math.max(1, random.normal(meanMin, 4));
    const first = late(await play(key, 400, kitchen(12), arrive));
    const slower = late(await play(key, 400, kitchen(24), arrive));
    const faster = late(await play(key, 600, kitchen(12), arrive));
    expect(slower - first).toBeGreaterThan(8);
    expect(faster).toBeLessThan(slower - 8);
  });
});
