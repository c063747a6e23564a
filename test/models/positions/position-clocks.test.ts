import { expect, test } from 'vitest';
import type { Position } from '../../../src/domain/couriers/position.ts';
import { aPosition, CENTER } from '../../builders.ts';
import { handClock, type HandClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { regionOf } from '../../regions.ts';
import { until } from '../../until.ts';
import { aProcess } from './position-process.ts';

const REGION = regionOf(CENTER);
const HOUR_MS = 3_600_000;

/** The same moment on a machine with another boot time and another wall clock. */
function onAnotherMachine(clock: HandClock, wallDiffersMs: number): HandClock {
  const now = (): number => clock.real.now() + wallDiffersMs;
  const real = { ...clock.real, now, wall: now, elapsed: () => clock.real.elapsed() + 5_000_000 };
  return { ...clock, now, real };
}

for (const wallDiffersMs of [-HOUR_MS, HOUR_MS]) {
  test(`[C3] processes agree which couriers are present if their wall clocks differ by ${wallDiffersMs / HOUR_MS} h`, async () => {
    const at = testEngines('clocks');
    const clock = handClock();
    const redisNow = (): number => clock.now();
    const right = await aProcess({ at, clock, redisNow });
    const [here, gone] = [aPosition(), aPosition()];
    right.index.put(gone);
    await right.tick();
    await clock.advance(20_000);
    right.index.put(here);
    await right.tick();
    const wrong = await aProcess({ at, clock: onAnotherMachine(clock, wallDiffersMs), redisNow });
    expect(await wrong.index.listPresent([REGION])).toEqual([here]);
    const silent = await wrong.index.silentForMs([here.courierId, gone.courierId], 0);
    expect([...silent.values()].map((ms) => Math.round(ms / 1000))).toEqual([0, 20]);
    const there: Position = aPosition();
    wrong.index.put(there);
    await wrong.tick();
    await until(() => right.index.last(there.courierId) !== null);
    expect((await right.index.silentForMs([there.courierId], 0)).get(there.courierId)).toBeLessThan(1000);
    const late = await aProcess({ at, clock, redisNow });
    expect(new Set(await late.index.listPresent([REGION]))).toEqual(new Set([here, there]));
  });
}

test('[C3] a process follows if the clock of Redis changes', async () => {
  const at = testEngines('clocks-redis');
  const clock = handClock();
  let redisDiffersMs = 0;
  const redisNow = (): number => clock.now() + redisDiffersMs;
  const one = await aProcess({ at, clock, redisNow });
  redisDiffersMs = HOUR_MS;
  await clock.advance(10_000);
  const position = aPosition();
  one.index.put(position);
  await one.tick();
  const late = await aProcess({ at, clock, redisNow });
  expect(await late.index.listPresent([REGION])).toEqual([position]);
});

test('[C3] if the clock of Redis steps back, a silent courier is absent all the same, in new processes too', async () => {
  const at = testEngines('clocks-back');
  const clock = handClock();
  let redisDiffersMs = HOUR_MS;
  const redisNow = (): number => clock.now() + redisDiffersMs;
  const one = await aProcess({ at, clock, redisNow });
  const [gone, here] = [aPosition(), aPosition()];
  for (const position of [gone, here]) one.index.put(position);
  await one.tick();
  redisDiffersMs = 0;
  await clock.advance(10_000);
  const late = await aProcess({ at, clock, redisNow });
  expect(new Set(await late.index.listPresent([REGION]))).toEqual(new Set([gone, here]));
  const inFuture = () =>
    one.redis.commands.zcount(`${one.redis.prefix}{r:${REGION}}:seen`, clock.now() + 60_000, '+inf');
  expect(await inFuture()).toBe(2);
  await clock.advance(60_000);
  await until(async () => (await inFuture()) === 0);
  for (let heartbeats = 0; heartbeats < 3; heartbeats += 1) {
    await clock.advance(6000);
    one.index.touch([here.courierId]);
    await one.tick();
  }
  const next = await aProcess({ at, clock, redisNow });
  for (const { index } of [late, next]) expect(await index.listPresent([REGION])).toEqual([here]);
  const silent = await late.index.silentForMs([gone.courierId], 0);
  expect(silent.get(gone.courierId)).toBeGreaterThan(10_000);
});
