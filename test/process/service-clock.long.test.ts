import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { openServiceClock } from '../../src/process/service-clock.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { SETTINGS } from '../../src/models/setting-shapes.ts';

const HOUR_MS = 3_600_000;

const mongos: Awaited<ReturnType<typeof connectMongo>>[] = [];
let databases = 0;

afterAll(() => Promise.all(mongos.map((mongo) => mongo.close())));

/** A database without a clock, and processes that begin on it. */
async function aSite() {
  databases += 1;
  const mongo = await connectMongo(testEngines(`service-clock-${databases}`).mongoUrl, keptLog());
  mongos.push(mongo);
  const log = keptLog();
  const observed: [string, number][] = [];
  const start = async (scale = 1) => {
    const opened = await openServiceClock(mongo, scale, log, {
      observe: (name, seconds) => void observed.push([name, seconds]),
    });
    onTestFinished(() => opened.stop());
    return opened;
  };
  return { mongo, log, start, observed };
}

const rightNow = Date.now.bind(Date);

/** From now on, the wall clock of the machine is so far ahead as this process sees it. */
function stepWall(ms: number): void {
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + ms);
  onTestFinished(() => spy.mockRestore());
}

test('[C1] service time does not follow a wall clock that steps back, nor does it after a restart', async () => {
  const { start } = await aSite();
  const first = await start();
  const before = first.clock.now();
  stepWall(-HOUR_MS);
  expect(first.clock.now()).toBeGreaterThanOrEqual(before);
  await first.stop();
  const last = first.clock.now();
  const second = await start();
  expect(second.clock.now()).toBeGreaterThanOrEqual(last);
  expect(second.clock.now() - last).toBeLessThan(60_000);
});

test('[Z34] the clock of a server reports how late its repeated tasks begin, in seconds', async () => {
  const { start, observed } = await aSite();
  await start();
  await until(() => observed.length > 0);
  expect(observed[0]).toEqual(['event_loop_delay_seconds', expect.any(Number)]);
  expect(observed[0]?.[1]).toBeLessThan(1);
});

test('[C8] receivers see the wall clock of the database, even if the clock of the machine is wrong', async () => {
  const { start } = await aSite();
  stepWall(-HOUR_MS);
  const { clock } = await start();
  const isRight = (): boolean => Math.abs(clock.real.wall() - rightNow()) < 60_000;
  expect(isRight()).toBe(true);
  stepWall(HOUR_MS);
  await until(() => clock.now() - rightNow() > HOUR_MS / 2);
  expect(isRight()).toBe(true);
});

test('[C4] a step forward of one wall clock moves the time of all processes, and they agree', async () => {
  const { start, mongo } = await aSite();
  const [one, other] = [await start(20), await start(20)];
  const hasMoved = (by: number): boolean => [one, other].every(({ clock }) => clock.now() - before >= 20 * by);
  const before = one.clock.now();
  // A third process on another machine has gone forward.
  const rows = mongo.collection(SETTINGS);
  await rows.updateOne({ _id: 'clock' }, { $inc: { markMs: HOUR_MS } });
  await until(() => hasMoved(HOUR_MS), 10_000);
  stepWall(2 * HOUR_MS);
  await until(() => hasMoved(2 * HOUR_MS), 10_000);
  const late = await start(20);
  const times = [one, other, late].map(({ clock }) => clock.now());
  // A process is behind by the age of the mark that it adopted: one look, and what the answer took.
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(20 * 5_000);
});

test('[C5] a wall clock a day ahead of the database moves nothing, and its process does not start', async () => {
  const { start, log } = await aSite();
  const { clock } = await start();
  const before = clock.now();
  stepWall(30 * HOUR_MS);
  await until(() => log.lines.some(({ level }) => level === 'error'));
  expect(clock.now() - before).toBeLessThan(HOUR_MS);
  await expect(start()).rejects.toThrow(/30 hours ahead of the database's/);
});

test('[C6] a process with another scale on the same database does not start', async () => {
  const { start } = await aSite();
  await start(20);
  await expect(start(1)).rejects.toThrow('CLOCK_SCALE=20');
});
