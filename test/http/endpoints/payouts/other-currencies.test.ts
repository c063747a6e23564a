import { expect, test } from 'vitest';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { openPayees } from './payees.ts';

const { ctx, house, batchOf, earned, earnerOf } = await openPayees('other-currencies');
const errorsOf = (batch: string) =>
  house.lines.filter(({ level, fields }) => level === 'error' && fields['batch'] === batch).map(({ fields }) => fields);

test('[J401] a batch logs once what couriers have earned in another currency than that of their account', async () => {
  const [abroad, poor, home] = [await earnerOf('XDC', '00'), await earnerOf('XDC', '00'), await earnerOf('XDC', '00')];
  await earn(ctx, abroad, { pay: 700, currency: 'XEC' });
  await earn(ctx, poor, { pay: ctx.settings.payouts.minAmount - 1, currency: 'XEC' });
  const batch = await batchOf('XDC');
  // A turn that somebody else has made meanwhile reports nothing.
  const stale = { ...ctx, payouts: { ...ctx.payouts, makePage: () => Promise.resolve(false) } };
  await makePayouts(stale, batch);
  expect(errorsOf(batch.id)).toEqual([]);
  await makePayouts(ctx, batch);
  expect(errorsOf(batch.id)).toEqual([
    { batch: batch.id, unpaid: [{ courierId: abroad, currency: 'XEC', amount: 700 }] },
  ]);
  expect(await Promise.all([abroad, poor, home].map((id) => earned(id, 'XDC')))).toEqual([0, 0, 0]);
  expect(await earned(abroad, 'XEC')).toBe(700);
  await makePayouts(ctx, await batchOf('XEC'));
  expect(errorsOf((await batchOf('XEC')).id)).toEqual([]);
});
