import { expect, test } from 'vitest';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { openPayees } from './payees.ts';

const { ctx, house, earned, earnerOf, batchOf } = await openPayees('unread-earnings');

test('[J404] a batch pays its couriers although the earnings that no batch pays cannot be listed', async () => {
  const courier = await earnerOf('XAF', '00');
  const fault = new Error('one of these accounts cannot be read');
  const broken = { ...ctx, earnings: { ...ctx.earnings, listAtLeast: () => Promise.reject(fault) } };
  const batch = await batchOf('XAF');
  await expect(makePayouts(broken, batch)).rejects.toBe(fault);
  expect(await earned(courier, 'XAF')).toBe(900);
  await makePayouts(broken, { ...batch, failures: 5 });
  expect(await earned(courier, 'XAF')).toBe(0);
  expect((await batchOf('XAF')).state).toBe('made');
  const logged = house.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields);
  expect(logged).toEqual([{ batch: batch.id, error: fault }]);
});
