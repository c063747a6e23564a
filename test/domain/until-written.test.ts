import { expect, test } from 'vitest';
import { untilWritten } from '../../src/domain/until-written.ts';

test('[J255] a change that meets others is decided again until it is written, and refused as busy after 20 tries', async () => {
  let tries = 0;
  const writtenAt = (attempt: number) => async () => {
    tries += 1;
    return tries === attempt ? { tries } : null;
  };
  expect(await untilWritten(writtenAt(20))).toEqual({ tries: 20 });
  tries = 0;
  await expect(untilWritten(writtenAt(21))).rejects.toMatchObject({ code: 'busy' });
  expect(tries).toBe(20);
});
