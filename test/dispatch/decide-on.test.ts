import { expect, test } from 'vitest';
import { decideOn } from '../../src/dispatch/decide-on.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { refusalOf } from './world.ts';

function failingWith(refusal: Refusal) {
  let confirmations = 0;
  const ground = {
    read: () => Promise.reject(refusal),
    confirm: async () => {
      confirmations += 1;
      throw refusal;
    },
  };
  return { work: decideOn(ground, () => null), confirmations: () => confirmations };
}

test('[S40] a refusal that rests on a read is confirmed; an unreachable database is not waited for twice', async () => {
  const missing = failingWith(new Refusal('delivery_not_found'));
  expect(await refusalOf(missing.work)).toMatchObject({ code: 'delivery_not_found' });
  expect(missing.confirmations()).toBe(1);
  const away = failingWith(new Refusal('busy'));
  expect(await refusalOf(away.work)).toMatchObject({ code: 'busy' });
  expect(away.confirmations()).toBe(0);
});
