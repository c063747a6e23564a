import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { bookOf, vendorAccount } from '../../../../src/money/ledger/accounts.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('adjustments');
const { ctx } = house;
let [finance, other, third] = ['', '', ''];
beforeAll(async () => {
  [finance, other, third] = [
    await addStaff(house, 'finance'),
    await addStaff(house, 'finance'),
    await addStaff(house, 'finance'),
  ];
});

const ask = (body: object, token = finance) => call(house, 'POST /wallets/adjustments', { token, body });
const decide = (id: unknown, decision: 'approve' | 'reject', token = other) =>
  call(house, `POST /wallets/adjustments/${String(id)}/decide`, { token, body: { decision } });
const walletOf = async (vendorId: string) =>
  (await ctx.ledger.balance(vendorAccount('wallet', vendorId as never, bookOf(false, 'EUR')))).posted;

test('[J243] an adjustment moves no money until a second member of finance approves it, and then once', async () => {
  const { id: vendor_id } = await addVendor(house);
  const before = await walletOf(vendor_id);
  const asked = await ask({ vendor_id, amount: 500, reason: 'a broken bag' });
  expect(asked.status).toBe(201);
  expect(asked.body).toMatchObject({ object: 'adjustment', status: 'awaiting_approval', amount: 500, currency: 'EUR' });
  const { id } = asked.body;
  expect(await walletOf(vendor_id)).toBe(before);
  expect((await decide(id, 'approve', finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  const answers = await Promise.all([other, third, other, third].map((token) => decide(id, 'approve', token)));
  const [won, lost] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status === 409)];
  expect([won.length, lost.length]).toEqual([2, 2]);
  expect(lost[0]?.body).toMatchObject({ code: 'adjustment_not_open' });
  expect(await walletOf(vendor_id)).toBe(before + 500);
  expect((await decide(id, 'reject')).status).toBe(409);
  const entries = await house.mongo
    .collection(ENTRIES)
    .find({ vendorId: vendor_id as never })
    .toArray();
  expect(entries.filter(({ kind, reason }) => kind === 'adjustment' && reason === 'a broken bag')).toHaveLength(1);
  const { items } = await ctx.audit.list({ objectId: String(id) }, { limit: 20, after: null });
  expect(items.map(({ action }) => action).toSorted()).toEqual(['adjustment.decide', 'adjustment.request']);
});

test('[J243] a rejected adjustment moves nothing, and the person who asked for it may reject it', async () => {
  const { id: vendor_id } = await addVendor(house);
  const before = await walletOf(vendor_id);
  const { id } = (await ask({ vendor_id, amount: 700, reason: 'by mistake' })).body;
  expect((await decide(id, 'reject', finance)).body).toMatchObject({ status: 'rejected' });
  expect((await decide(id, 'reject', finance)).status).toBe(200);
  expect((await decide(id, 'approve')).body).toMatchObject({ status: 409, code: 'adjustment_not_open' });
  expect(await walletOf(vendor_id)).toBe(before);
});

test('[J243] an adjustment cannot take more than the wallet has. It waits until there is enough', async () => {
  const { id: vendor_id } = await addVendor(house);
  const before = await walletOf(vendor_id);
  const { id } = (await ask({ vendor_id, amount: -(before + 300), reason: 'paid twice' })).body;
  expect((await decide(id, 'approve')).body).toMatchObject({ status: 402, code: 'insufficient_funds' });
  const { body } = await call(house, `GET /wallets/adjustments?vendor_id=${vendor_id}&status=awaiting_approval`, {
    token: finance,
  });
  expect(body.data).toEqual([expect.objectContaining({ id, decided_by: null })]);
  const { id: credit } = (await ask({ vendor_id, amount: 400, reason: 'a gift' })).body;
  expect((await decide(credit, 'approve')).status).toBe(200);
  expect((await decide(id, 'approve')).body).toMatchObject({ status: 'booked' });
  expect(await walletOf(vendor_id)).toBe(100);
});

test('[J243] an adjustment of nothing, of too much or of an unknown vendor is refused', async () => {
  const { id: vendor_id } = await addVendor(house);
  const wrong = [
    [0, 422],
    [1.5, 400],
    [10 ** 12 + 1, 400],
  ] as const;
  for (const [amount, expected] of wrong) {
    const { status, body } = await ask({ vendor_id, amount, reason: 'x' });
    expect(status).toBe(expected);
    expect(body['errors']).toEqual([expect.objectContaining({ pointer: '/amount' })]);
  }
  expect((await ask({ vendor_id: newId('ven'), amount: 1, reason: 'x' })).body).toMatchObject({
    code: 'vendor_not_found',
  });
  expect((await decide(newId('adj'), 'approve')).body).toMatchObject({ code: 'adjustment_not_found' });
});
