import { expect, test } from 'vitest';
import { COURIERS } from '../../../../src/models/couriers/courier-rows.ts';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { addCourier, addStaff } from '../../house.ts';
import { openPayees, payDue } from './payees.ts';

const { ctx, house, askFor, batchOf, earned, earnerOf } = await openPayees('other-currencies');
const errorsOf = (batch: string) =>
  house.lines.filter(({ level, fields }) => level === 'error' && fields['batch'] === batch).map(({ fields }) => fields);

test('[J401] [J403] a batch logs once the earnings that none pays, and finance reads them in its answer', async () => {
  const finance = await addStaff(house, 'finance');
  const [abroad, poor, home] = [await earnerOf('XOF', '00'), await earnerOf('XOF', '00'), await earnerOf('XOF', '00')];
  const [bare, robo] = [(await addCourier(house)).id, (await addCourier(house)).id];
  await earn(ctx, abroad, { pay: 700, currency: 'XPF' });
  await earn(ctx, poor, { pay: ctx.settings.payouts.minAmount - 1, currency: 'XPF' });
  for (const id of [bare, robo]) await earn(ctx, id, { pay: 800, currency: 'XOF' });
  await house.mongo.collection(COURIERS).updateOne({ _id: robo }, { $set: { kind: 'robo' } });
  const other = { courierId: abroad, currency: 'XPF', amount: 700, accountCurrency: 'XOF' };
  const none = { courierId: bare, currency: 'XOF', amount: 800, accountCurrency: null };
  const unpaid = [other, none].toSorted((a, b) => (a.courierId < b.courierId ? -1 : 1));
  const asked = await askFor('XOF', finance);
  expect(asked.body).toMatchObject({ status: 'making', unpaid: [] });
  const batch = await batchOf('XOF');
  // A turn that somebody else has made meanwhile reports nothing.
  const stale = { ...ctx, payouts: { ...ctx.payouts, makePage: () => Promise.resolve(false) } };
  await makePayouts(stale, batch);
  expect(errorsOf(batch.id)).toEqual([]);
  for (const _turn of [1, 2]) await payDue(ctx)(() => true);
  expect(errorsOf(batch.id)).toEqual([{ batch: batch.id, unpaid }]);
  const seen = unpaid.map(({ courierId, currency, amount, accountCurrency }) => ({
    courier_id: courierId,
    currency,
    amount,
    bank_account_currency: accountCurrency,
  }));
  expect((await askFor('XOF', finance)).body).toMatchObject({ status: 'made', payouts: 3, unpaid: seen });
  expect(await Promise.all([abroad, poor, home].map((id) => earned(id, 'XOF')))).toEqual([0, 0, 0]);
  expect(await earned(abroad, 'XPF')).toBe(700);
});
