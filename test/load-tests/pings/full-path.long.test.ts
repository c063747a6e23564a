import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFullPath } from '../../../load-tests/pings/full-path.ts';
import { runLoad } from '../../../load-tests/pings/load.ts';
import { testEngines } from '../../engines.ts';

test('[Y36] couriers are brought to work on a real server, which accepts each ping that counts as acknowledged', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('pings');
  const dir = await mkdtemp(join(tmpdir(), 'pings-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const place = { dir, isPinned: false, set: { REDIS_PREFIX: keyPrefix } };
  const { contender, process } = await startFullPath(3, { mongoUrl, redisUrl }, place);
  onTestFinished(() => process.stop());
  const { acked, refused, frames, cpuUsPerPing } = await runLoad(contender, 30, 2);
  expect([acked, refused]).toEqual([60, 0]);
  expect(frames).toBeGreaterThan(0);
  expect(cpuUsPerPing).toBeGreaterThan(0);
  // Every fix of a ping counts, and a phone that mixes pings with one and with several fixes loses none.
  for (const fixes of [5, 1]) {
    const mixed = await runLoad(contender, 30, 2, fixes);
    expect([mixed.acked, mixed.refused]).toEqual([60, 0]);
    expect(mixed.frames).toBeGreaterThan(0);
  }
});
