import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeDay } from '../../../load-tests/day/day.ts';
import { playProven } from '../../../load-tests/dispatch/contenders.ts';
import { findDays } from '../../../load-tests/dispatch/find-days.ts';
import { measure, meanOf } from '../../../load-tests/dispatch/metrics.ts';
import { playNearest } from '../../../load-tests/dispatch/play/nearest.ts';
import { writeSolution } from '../../../load-tests/dispatch/solution-files.ts';
import { generateDay } from '../../../load-tests/day/generate-day.ts';
import { interpolatedQuantile } from '../../../load-tests/statistics.ts';
import { BOTH, outcomeOf, THIRD, TINY_DAY } from './tiny-day.ts';

const OPTIONS = { accept: 1, prep: 'known', seed: 1 } as const;
const REQUEST = { seed: 3, orders: 60, couriers: 8, restaurants: 9, fromMin: 690, toMin: 840 };

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('[Y21] the yardstick sends the nearest idle courier at once, one order after the other', () => {
  const { bundles } = playNearest(TINY_DAY, OPTIONS);
  expect(bundles).toEqual([
    { courier: 0, departMin: 10, pickupMin: 20, orders: [{ order: 0, decidedMin: 10 }] },
    // The courier is free at 29 at the first drop-off and takes the order that waits longest. The last order goes to
    // the courier whose shift begins.
    { courier: 0, departMin: 29, pickupMin: 34, orders: [{ order: 1, decidedMin: 29 }] },
    { courier: 1, departMin: 40, pickupMin: 42, orders: [{ order: 2, decidedMin: 40 }] },
  ]);
});

test('[Y21] a refusal costs a minute, and no courier is asked twice for one order', () => {
  const always = playNearest(generateDay(REQUEST), OPTIONS);
  const often = playNearest(generateDay(REQUEST), { ...OPTIONS, accept: 0.5 });
  expect(often).not.toEqual(always);
  expect(playNearest(generateDay(REQUEST), { ...OPTIONS, accept: 0.5 }).bundles).toEqual(often.bundles);
  expect(measure(often).clickToDoor.mean).toBeGreaterThan(measure(always).clickToDoor.mean);
  // With one courier and one order the first answer decides: the courier sets out at once or never.
  const alone = { ...TINY_DAY, orders: TINY_DAY.orders.slice(0, 1), couriers: TINY_DAY.couriers.slice(0, 1) };
  const departs = Array.from({ length: 20 }, (_, seed) => {
    const { bundles } = playNearest(alone, { accept: 0.5, prep: 'known', seed });
    return bundles.map(({ departMin }) => departMin).join();
  });
  expect(new Set(departs)).toEqual(new Set(['', '10']));
});

test('[Y22] the figures of a day are those of the papers, and undelivered orders stand beside delivered ones', () => {
  const { runMs, ...figures } = measure(outcomeOf(BOTH));
  expect(figures).toMatchObject({ orders: 3, delivered: 2, hopelessPct: 0, ordersPerBundle: 2 });
  expect(figures.undeliveredPct).toBeCloseTo(100 / 3);
  expect(figures.undeliveredWithHopePct).toBeCloseTo(100 / 3);
  // The orders were placed at 10 and 12, ready at 20 and 25, picked up at 25, and delivered at 32 and 40.
  expect(figures.clickToDoor).toEqual({ mean: 25, p50: 25, p90: 27.4 });
  expect(figures.readyToDoor.mean).toBe(13.5);
  expect(figures.readyToPickup).toMatchObject({ mean: 2.5, p90: 4.5 });
  expect(figures.overage).toBe(0);
  // One courier has 3 + 3 + 4 minutes on the way and three services of 4 in a shift of 60. The other one does nothing.
  expect(figures.utilisation.mean).toBe(11 / 60);
  // Two orders pay 20, which is more than the hour's 15. The other shift of two hours pays 30.
  expect(figures.costPerOrder).toBe(25);
  // The orders are ready after 10, 13 and 7 minutes, their drop-offs are 3, 5 and 1 minutes away, and half of each
  // service counts.
  expect(figures.floor).toBe((10 + 3 + 4 + 13 + 5 + 4 + 7 + 1 + 4) / 3);
  expect(figures.excess).toBe(25 - figures.floor);
  expect(runMs).toEqual({ runs: 3, p50: 2, p95: 2.9, max: 3 });
});

test('[Y22] an order that is ready too late for any courier is hopeless, and counts apart if it is not delivered', () => {
  const orders = TINY_DAY.orders.map((order) => (order.id === 'o3' ? { ...order, readyMin: 15 + 90 - 4 } : order));
  const figures = measure({ ...outcomeOf(BOTH), day: { ...TINY_DAY, orders } });
  expect(figures.hopelessPct).toBeCloseTo(100 / 3);
  expect(figures.undeliveredWithHopePct).toBe(0);
  const justInTime = orders.map((order) => (order.id === 'o3' ? { ...order, readyMin: 15 + 90 - 5 } : order));
  expect(measure({ ...outcomeOf(BOTH), day: { ...TINY_DAY, orders: justInTime } }).hopelessPct).toBe(0);
});

test('[Y22] each day counts the same in a mean, and a day without deliveries does not count', () => {
  const [two, three, none] = [outcomeOf(BOTH), outcomeOf(BOTH, THIRD), outcomeOf()].map(measure);
  if (two === undefined || three === undefined || none === undefined) throw new Error('three days were measured');
  const means = meanOf([two, three, none]);
  expect(means.clickToDoor.mean).toBeCloseTo((two.clickToDoor.mean + three.clickToDoor.mean) / 2);
  expect(means.undeliveredPct).toBeCloseTo((100 / 3 + 0 + 100) / 3);
  expect([means.orders, means.delivered]).toEqual([9, 5]);
  expect(interpolatedQuantile([4, 1, 2, 3], 0.5)).toBe(2.5);
});

test('[Y23] a solution is written as the evaluator of the published days reads it', async () => {
  const dir = join(await folder(), 'day');
  await writeSolution(dir, outcomeOf(THIRD, BOTH));
  const read = (name: string): Promise<string> => readFile(join(dir, `solution_info_${name}.txt`), 'utf8');
  expect(await read('assignments')).toBe('assignment_time pickup_time courier orders\n15 42 c2 o3\n12 25 c1 o1 o2\n');
  expect(await read('orders')).toBe(
    'order placement_time ready_time pickup_time dropoff_time courier\no3 15 22 42 47 c2\no1 10 20 25 32 c1\no2 12 25 25 40 c1\n',
  );
  expect(await read('couriers')).toBe(
    'courier departure_time origin destination\nc1 10 0 r1\nc1 27 r1 o1\nc1 34 o1 o2\nc2 40 0 r2\nc2 44 r2 o3\n',
  );
});

test('[Y24] a path is a day or a folder of days, and one without a day is refused by its name', async () => {
  const root = await folder();
  for (const name of ['b', 'a', 'c/deep']) await writeDay(join(root, name), TINY_DAY);
  await writeFile(join(root, 'notes.csv'), '');
  const names = async (...paths: string[]): Promise<string[]> => (await findDays(paths)).map(({ name }) => name);
  expect(await names(root)).toEqual(['a', 'b']);
  expect(await names(join(root, 'b'), root, join(root, 'a/'))).toEqual(['b', 'a']);
  await writeDay(join(root, 'other/a'), TINY_DAY);
  expect(await names(join(root, 'a'), join(root, 'other'))).toEqual(['a', 'a-2']);
  await mkdir(join(root, 'empty'));
  await expect(findDays([root, join(root, 'empty')])).rejects.toThrow('empty: no day there');
  await expect(findDays([join(root, 'absent')])).rejects.toThrow('absent: not a folder');
});

test('[Y25] a policy that breaks a rule gets no figures, and the error names the day and the policy', () => {
  const cheat = (): ReturnType<typeof outcomeOf> => outcomeOf({ ...BOTH, pickupMin: 24 });
  expect(() => playProven('monday, matcher', cheat, TINY_DAY, OPTIONS)).toThrow(
    'monday, matcher: broken: a bundle is picked up only when all of it is ready',
  );
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

function bench(...args: readonly string[]): Promise<Ran> {
  const script = join(import.meta.dirname, '../../../load-tests/bench-dispatch.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

test('[Y26] the same seed gives the same figures, however many days are played at a time', async () => {
  const root = await folder();
  for (const seed of [1, 2, 3])
    await writeDay(join(root, `day-${seed}`), generateDay({ ...REQUEST, orders: 24, seed }));
  const args = [root, '--accept', '0.7', '--seed', '9', '--json'];
  const [alone, together] = await Promise.all([bench(...args, '--workers', '1'), bench(...args, '--workers', '3')]);
  const figures = ({ stdout }: Ran): unknown => {
    const { instances, means } = JSON.parse(stdout) as { instances: unknown; means: unknown };
    // Only machine times may differ from run to run.
    return JSON.parse(JSON.stringify({ instances, means }, (key, value: unknown) => (key.endsWith('Ms') ? 0 : value)));
  };
  expect(alone.stderr).toMatch(/3\/3 day-\d CtD [\d.]+ \(nearest [\d.]+\)/u);
  expect(figures(together)).toEqual(figures(alone));
  expect(JSON.stringify(figures(alone))).toContain('"name":"day-3"');
});

test('[Y27] a wrong command line ends with one sentence and code 2, and --help prints the usage and ends with 0', async () => {
  const help = await bench('--help');
  expect([help.code, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('bench:dispatch -- DAYS');
  const wrong: readonly [string[], RegExp][] = [
    [[], /name at least one day folder/u],
    [['nowhere'], /nowhere: not a folder/u],
    [['nowhere', '--accept', '1.2'], /--accept must be a number from 0 to 1/u],
    [['nowhere', '--prep', 'guess'], /--prep must be known or mean/u],
    [['nowhere', '--workers', '0'], /--workers must be a whole number from 1 to 64/u],
    [['nowhere', '--speed', '9'], /Unknown option '--speed'/u],
  ];
  for (const [args, says] of wrong) {
    const { code, stdout, stderr } = await bench(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  }
});
