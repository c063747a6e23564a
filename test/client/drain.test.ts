import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../until.ts';
import { aVendorFeed } from './vendor-service.ts';

test('[H540] a client that was told to leave within ten minutes keeps no timer after its end or on its next connection', async () => {
  const waits = new Set<unknown>();
  const [set, clear] = [setTimeout, clearTimeout];
  const noted = (run: () => void, ms?: number): NodeJS.Timeout => {
    const timer = set(run, ms);
    if (ms !== undefined && ms > 100_000) waits.add(timer);
    return timer;
  };
  vi.stubGlobal('setTimeout', Object.assign(noted, set));
  vi.stubGlobal('clearTimeout', (timer?: NodeJS.Timeout) => {
    waits.delete(timer);
    clear(timer);
  });
  vi.spyOn(Math, 'random').mockReturnValue(0.9);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const { feed, service, seen } = await aVendorFeed();
  service.send('drain', { within_ms: 600_000 });
  await until(() => waits.size === 1);
  service.cut();
  await until(() => seen.states.length === 4);
  expect(waits.size).toBe(0);
  service.send('drain', { within_ms: 600_000 });
  await until(() => waits.size === 1);
  feed.close();
  expect(waits.size).toBe(0);
});

test('[H570] a feed that is closed right after a snapshot keeps no timer', async () => {
  const { feed, service, seen } = await aVendorFeed();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  service.show('del_1', 3);
  service.beacon({ del_1: 4 });
  await vi.waitFor(() => expect(service.asked).toHaveLength(1), { timeout: 4000 });
  expect(seen.snapshots).toHaveLength(1);
  const before = vi.getTimerCount();
  feed.close();
  expect(before).toBeGreaterThan(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('[H570] the waits of many snapshots share a listener, since Node 20 warns if a signal has more than ten', async () => {
  const listeners = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  onTestFinished(() => listeners.mockRestore());
  const { service, seen } = await aVendorFeed();
  const before = listeners.mock.calls.length;
  for (let one = 1; one <= 20; one += 1) service.show(`del_${one}`, 1);
  await vi.waitFor(() => expect(seen.snapshots).toHaveLength(20));
  expect(listeners.mock.calls.length).toBe(before);
});
