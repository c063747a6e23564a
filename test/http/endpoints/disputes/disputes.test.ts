import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { addCharged } from '../../charged.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('dispute-routes');
const { ctx } = house;
const support = await addStaff(house, 'support');

async function charged() {
  const vendor = await addVendor(house);
  return { vendor, ...(await addCharged(house, vendor.key)) };
}
const aBody = (id: string, over: object = {}) => ({
  delivery_id: id,
  reason: 'cancellation_fee',
  description: 'We canceled in time.',
  ...over,
});
const raise = (token: string, body: object, headers = {}) =>
  call(house, 'POST /vendor/disputes', { token, body, headers });

test('[J186] a vendor raises a dispute, staff take it and accept a part, and both see the result', async () => {
  const { vendor, id, amount } = await charged();
  const headers = { 'idempotency-key': newId('req') };
  const made = await raise(vendor.key, aBody(id), headers);
  expect(made.body).toMatchObject({ object: 'dispute', status: 'open', delivery_id: id, amount, refunded: null });
  expect(replyOf('POST /vendor/disputes')?.safeParse(made.body).error).toBeUndefined();
  expect((await raise(vendor.key, aBody(id), headers)).body).toEqual(made.body);
  const again = await raise(vendor.key, aBody(id));
  expect(again.body).toMatchObject({ status: 409, code: 'dispute_open', metadata: { dispute_id: made.body['id'] } });
  expect(wrongProblem(again)).toBeNull();
  const path = `/disputes/${String(made.body['id'])}`;
  expect((await call(house, `POST ${path}/review`, { token: support })).body).toMatchObject({ status: 'in_review' });
  const body = { outcome: 'accepted', party_at_fault: 'platform', amount: 100, note: 'We return 1.00.' };
  const decided = await call(house, `POST ${path}/decide`, { token: support, body });
  expect(decided.body).toMatchObject({
    status: 'accepted',
    refunded: 100,
    party_at_fault: 'platform',
    handled_by: 'staff',
  });
  expect((await call(house, `POST ${path}/decide`, { token: support, body })).body).toEqual(decided.body);
  const late = await call(house, `POST ${path}/decide`, { token: await addStaff(house, 'finance'), body });
  expect(late.body).toMatchObject({ status: 409, code: 'dispute_closed', metadata: { status: 'accepted' } });
  expect(wrongProblem(late)).toBeNull();
  expect((await call(house, `GET /vendor${path}`, { token: vendor.key })).body).toEqual(decided.body);
  expect((await call(house, `GET ${path}`, { token: support })).body).toEqual(decided.body);
  const { body: refunds } = await call(house, `GET /deliveries/${id}/refunds`, { token: vendor.key });
  expect(refunds.data).toMatchObject([
    { amount: 100, dispute_id: made.body['id'], reference: `dispute:${String(made.body['id'])}` },
  ]);
  const { body: listed } = await call(house, 'GET /billing/transactions?type=credit&category=refund', {
    token: vendor.key,
  });
  expect(listed.data).toMatchObject([{ amount: 100, delivery_id: id }]);
  const wrong = { ...body, outcome: 'rejected' };
  expect((await call(house, `POST ${path}/decide`, { token: support, body: wrong })).body).toMatchObject({
    status: 422,
    errors: [{ pointer: '/amount' }],
  });
});

test('[J186] a vendor withdraws its dispute, lists its own, and sees no others; staff filter all', async () => {
  const [one, two] = [await charged(), await charged()];
  const dispute = (await raise(one.vendor.key, aBody(one.id, { amount: 5 }))).body;
  const other = (await raise(two.vendor.key, aBody(two.id))).body;
  const list = async (query: string, token = support) => {
    const { body } = await call(house, `GET ${query}`, { token });
    return (body.data ?? []).map(({ id }) => id);
  };
  expect(await list('/vendor/disputes?status=open', one.vendor.key)).toEqual([dispute['id']]);
  expect(await list('/vendor/disputes?status=accepted', one.vendor.key)).toEqual([]);
  expect(await list(`/disputes?vendor_id=${one.vendor.id}`)).toEqual([dispute['id']]);
  expect(await list(`/disputes?delivery_id=${two.id}&live_mode=false`)).toEqual([other['id']]);
  expect(await list(`/disputes?delivery_id=${two.id}&live_mode=true`)).toEqual([]);
  expect((await list('/disputes?status=open')).slice(0, 2)).toEqual([other['id'], dispute['id']]);
  const strange = `/vendor/disputes/${String(other['id'])}`;
  const { key: liveKey } = await ctx.credentials.addVendorKey(one.vendor.id, true);
  for (const token of [one.vendor.key, liveKey])
    for (const route of [`GET ${strange}`, `POST ${strange}/withdraw`])
      expect((await call(house, route, { token })).body).toMatchObject({ status: 404, code: 'dispute_not_found' });
  const foreign = await raise(one.vendor.key, aBody(two.id));
  expect(foreign.body).toMatchObject({ status: 404, code: 'delivery_not_found' });
  const own = `POST /vendor/disputes/${String(dispute['id'])}/withdraw`;
  for (const _try of [1, 2])
    expect((await call(house, own, { token: one.vendor.key })).body).toMatchObject({ status: 'withdrawn', version: 2 });
  expect((await call(house, 'GET /disputes', { token: await addStaff(house, 'dispatcher') })).status).toBe(403);
});
