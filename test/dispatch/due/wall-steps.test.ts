import { expect, onTestFinished, test } from 'vitest';
import { LEASE_MS, startLed } from '../../../src/work/hold-lease.ts';
import { pace } from '../../../src/work/pace.ts';
import { handClock, type HandClock } from '../../clock.ts';
import { keptLog } from '../../kept-ports.ts';

const HOUR_MS = 3_600_000;

/** A clock moved by hand whose wall clock can be stepped. Timers and the monotonic clock continue. */
function steppedClock(): HandClock & { step(ms: number): void } {
  const hand = handClock();
  let stepMs = 0;
  const wall = (): number => hand.now() + stepMs;
  const real = { ...hand.real, now: wall, wall };
  return { ...hand, now: wall, real, step: (ms) => void (stepMs += ms) };
}

/** Leases that are granted until `isAway`. After that no renewal is answered. */
function desk() {
  const state = { isAway: false };
  const tryHold = (): Promise<number> => (state.isAway ? Promise.reject(new Error('away')) : Promise.resolve(1));
  return { state, leases: { tryHold, release: () => Promise.resolve() } };
}

for (const stepMs of [-HOUR_MS, HOUR_MS]) {
  test(`[C2] a lease that is not renewed ends in its time if the wall clock steps by ${stepMs / HOUR_MS} h`, async () => {
    const clock = steppedClock();
    const runs: number[] = [];
    const { state, leases } = desk();
    const turn = (): Promise<void> => Promise.resolve(void runs.push(clock.real.elapsed()));
    const led = startLed({ clock, leases, log: keptLog() }, { name: 'test', everyMs: 500, leastRealMs: 100, turn });
    onTestFinished(() => led.stop());
    await clock.advance(2000);
    state.isAway = true;
    clock.step(stepMs);
    const steppedAt = clock.real.elapsed();
    await clock.advance(2 * LEASE_MS);
    const after = runs.filter((at) => at > steppedAt).map((at) => at - steppedAt);
    expect(after.length).toBeGreaterThanOrEqual(4);
    expect(after[0]).toBeLessThanOrEqual(500);
    expect(after.at(-1)).toBeLessThanOrEqual(LEASE_MS);
  });

  test(`[C2] paced and led work continues if the wall clock steps by ${stepMs / HOUR_MS} h`, async () => {
    const clock = steppedClock();
    const runs: string[] = [];
    const paced = pace(clock, 100, () => Promise.resolve(void runs.push('paced')));
    const leases = { tryHold: () => Promise.resolve(1), release: () => Promise.resolve() };
    const turn = (): Promise<void> => Promise.resolve(void runs.push('led'));
    const led = startLed({ clock, leases, log: keptLog() }, { name: 'test', everyMs: 1000, leastRealMs: 100, turn });
    onTestFinished(() => led.stop());
    paced.request(0);
    await clock.advance(2000);
    expect(new Set(runs)).toEqual(new Set(['paced', 'led']));
    clock.step(stepMs);
    runs.length = 0;
    paced.request(0);
    await clock.advance(5000);
    expect(runs.filter((run) => run === 'paced')).toHaveLength(1);
    expect(runs.filter((run) => run === 'led').length).toBeGreaterThanOrEqual(4);
    await paced.stop();
  });
}
