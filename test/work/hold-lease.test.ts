import { expect, onTestFinished, test } from 'vitest';
import { startLed } from '../../src/work/hold-lease.ts';
import { handClock } from '../clock.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';

test.each([
  { everyMs: 500, leaseMs: 3000, renewals: 60 },
  { everyMs: 2000, leaseMs: 6000, renewals: 30 },
  { everyMs: 60_000, leaseMs: 15_000, renewals: 12 },
])(
  '[R31] work that is done every $everyMs ms has a lease of $leaseMs ms, which is renewed three times meanwhile',
  async ({ everyMs, leaseMs, renewals }) => {
    const clock = handClock();
    const asked: number[] = [];
    const tryHold = (_name: string, ttlMs: number): Promise<number> => {
      asked.push(ttlMs);
      return Promise.resolve(1);
    };
    const leases = { tryHold, release: () => Promise.resolve() };
    const runs: number[] = [];
    const turn = (): Promise<void> => Promise.resolve(void runs.push(clock.real.elapsed()));
    const led = startLed({ clock, leases, log: keptLog() }, { name: 'test', everyMs, leastRealMs: 100, turn });
    onTestFinished(() => led.stop());
    await until(() => runs.length > 0);
    await clock.advance(60_000);
    // The first one takes the lease.
    expect(asked).toEqual(Array.from({ length: 1 + renewals }, () => leaseMs));
    // Nor does a turn miss its time for want of a lease.
    expect(runs).toHaveLength(1 + 60_000 / everyMs);
  },
);
