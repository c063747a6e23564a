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
