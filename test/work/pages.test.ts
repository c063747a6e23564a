import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inPages } from '../../src/work/pages.ts';

test('[S28] pages are read a few at a time, and their rows keep the order of the ids', async () => {
  const ids = Array.from({ length: 1001 }, (_, index) => index);
  let reading = 0;
  let most = 0;
  const rows = await inPages(ids, 100, async (page) => {
    reading += 1;
    most = Math.max(most, reading);
    await Promise.resolve();
    reading -= 1;
    return page.map(String);
  });
  expect(rows).toEqual(ids.map(String));
  expect(most).toBe(3);
});

test('[S114] a read of pages fails after the pages beside the failed one have ended', async () => {
  const slow = Promise.withResolvers<void>();
  const ended: string[] = [];
  const failed = inPages(['failed', 'slow', 'third', 'never'], 1, async ([name = '']) => {
    if (name === 'failed') throw new Error('the first page fails');
    if (name === 'slow') await slow.promise;
    ended.push(name);
    return [name];
  }).catch(() => void ended.push('the read'));
  await setImmediate();
  slow.resolve();
  await failed;
  expect(ended).toEqual(['third', 'slow', 'the read']);
});
