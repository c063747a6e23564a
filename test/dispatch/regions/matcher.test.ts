import type { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../../src/clock.ts';
import { answerRun, type RunRequest } from '../../../src/dispatch/match/answer.ts';
import { startMatcher } from '../../../src/dispatch/regions/matcher.ts';
import type { Clock } from '../../../src/ports/process.ts';
import { handClock } from '../../clock.ts';
import { keptLog, keptMetrics } from '../../kept-ports.ts';
import { aWorld, someRules } from '../match/worlds.ts';

/** The started worker threads, so that a test can end one. */
const started: Worker[] = [];
const note = (worker: Worker): void => void started.push(worker);
process.on('worker', note);
afterAll(() => void process.off('worker', note));

const rules = someRules({ search: { mostRounds: 50, realMs: 60_000 } });
const request = (seed: number): RunRequest => ({
  world: aWorld({
    couriers: Array.from({ length: 6 }, (_, i) => ({ at: [i * 900, 0] })),
    orders: Array.from({ length: 12 }, (_, i) => ({ at: [i * 400, 500], readyS: i * 60 })),
  }),
  kept: [],
  rules,
  seed,
});

/** A request that searches until its worker is ended. */
const endless: RunRequest = {
  ...request(1),
  rules: { ...rules, search: { ...rules.search, mostRounds: 1e9, roundsPerOrder: 1e9 } },
};
/** A request that cannot be made: its world is missing. */
const broken: RunRequest = { ...request(1), world: JSON.parse('{}') };

function open(clock: Clock = createClock()) {
  const log = keptLog();
  const tookS: number[] = [];
  const metrics = { ...keptMetrics(), observe: (_: string, value: number) => void tookS.push(value) };
  const matcher = startMatcher({ clock, log, metrics });
  onTestFinished(() => matcher.stop());
  return { matcher, log, tookS };
}

test('[M43] the worker thread answers a request as it is answered on the spot, and its time is measured', async () => {
  const { matcher, tookS } = open();
  const seeds = [1, 2, 3, 4];
  const answers = await Promise.all(seeds.map((seed) => matcher.answer(request(seed))));
  expect(answers).toEqual(seeds.map((seed) => answerRun(request(seed))));
  expect(tookS).toHaveLength(4);
});

test('[M43] a run ends when its machine time is over, with the best plan so far', async () => {
  const { matcher } = open();
  const { rounds, decisions } = await matcher.answer({
    ...endless,
    rules: { ...endless.rules, search: { ...endless.rules.search, realMs: 20 } },
  });
  expect(rounds).toBeLessThan(1e9);
  expect(decisions).toHaveLength(12);
});

test('[M44] a run that cannot be made is refused alone: the same worker answers those before and after it', async () => {
  const { matcher, log } = open();
  const before = started.length;
  const all = await Promise.allSettled([request(1), broken, request(2)].map((one) => matcher.answer(one)));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(started.length - before).toBe(1);
  expect(log.lines).toEqual([]);
});

test('[M45] a worker that ends loses its runs, and the next run gets another worker', async () => {
  const { matcher } = open();
  await matcher.answer(request(1));
  const lost = Promise.allSettled([matcher.answer(endless), matcher.answer(request(2))]);
  await started.at(-1)!.terminate();
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const before = started.length;
  expect(await matcher.answer(request(3))).toEqual(answerRun(request(3)));
  expect(started.length - before).toBe(1);
});

test('[M45] a worker that is silent for ten seconds is ended and reported, and the next run gets another worker', async () => {
  const clock = handClock();
  const { matcher, log } = open(clock);
  const stuck = Promise.allSettled([matcher.answer(endless)]);
  await clock.advance(9999);
  expect(log.lines).toEqual([]);
  await clock.advance(1);
  expect(await stuck).toMatchObject([{ reason: { message: 'the matcher is stuck' } }]);
  expect(log.lines.map(({ level }) => level)).toEqual(['error']);
  expect(await matcher.answer(request(3))).toEqual(answerRun(request(3)));
});

test('[M54] a worker with a queue stays as long as it answers, however long the last run has waited', async () => {
  const clock = handClock();
  const { matcher, log } = open(clock);
  const before = started.length;
  const [first, second] = [matcher.answer(request(1)), matcher.answer(request(2))];
  const last = Promise.allSettled([matcher.answer(endless)]);
  await clock.advance(6000);
  await first;
  await second;
  // Twelve seconds in the queue, six of silence.
  await clock.advance(6000);
  expect(log.lines).toEqual([]);
  expect(started.length - before).toBe(1);
  // And ten of silence.
  await clock.advance(4000);
  expect(await last).toMatchObject([{ reason: { message: 'the matcher is stuck' } }]);
  expect(log.lines).toHaveLength(1);
});

test('[M54] a worker without requests may be silent for any time', async () => {
  const clock = handClock();
  const { matcher, log } = open(clock);
  const before = started.length;
  await matcher.answer(request(1));
  await clock.advance(9999);
  await Promise.allSettled([matcher.answer(broken)]);
  await clock.advance(100_000);
  const after = matcher.answer(request(2));
  await clock.advance(9999);
  await after;
  expect(log.lines).toEqual([]);
  expect(started.length - before).toBe(1);
});

test('[M45] a stopped matcher answers nothing more, and refuses its waiting requests', async () => {
  const { matcher } = open();
  const lost = Promise.allSettled([matcher.answer(endless)]);
  await matcher.stop();
  expect((await lost).map(({ status }) => status)).toEqual(['rejected']);
  await expect(matcher.answer(request(1))).rejects.toThrow('stopped');
});
