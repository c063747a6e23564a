import { expect, test } from 'vitest';
import { z } from 'zod';
import { addCharged } from '../../charged.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('refund-routes');
const { ctx } = house;
const finance = await addStaff(house, 'finance');

async function charged() {
  const vendor = await addVendor(house);
  return { vendor, ...(await addCharged(house, vendor.key)) };
}
const refund = (id: string, body: object, token = finance) =>
  call(house, `POST /deliveries/${id}/refunds`, { token, body });

test('[J170] finance refunds a part and then the rest, and a repeat answers with the first refund', async () => {
  const { vendor, id, amount } = await charged();
  const part = { reference: 'ticket-1', reason: 'cold soup', amount: 120 };
  const made = await refund(id, part);
  expect(made.body).toMatchObject({ object: 'refund', delivery_id: id, ...part, currency: 'EUR', live_mode: false });
  expect(replyOf('POST /deliveries/{id}/refunds')?.safeParse(made.body).error).toBeUndefined();
  const again = await refund(id, part);
  expect([made.status, again.status, again.body]).toEqual([201, 200, made.body]);
  const many = await refund(id, { ...part, reference: 'ticket-2', amount });
  expect(many.body).toMatchObject({
    status: 422,
    code: 'refund_exceeds_charge',
    metadata: { charged: amount, refunded: 120, refundable: amount - 120 },
    errors: [{ pointer: '/amount' }],
  });
  expect(wrongProblem(many)).toBeNull();
  const { amount: _all, ...rest } = part;
  const service = await ctx.credentials.issueInternal('care', 600);
  expect((await refund(id, { ...rest, reference: 'ticket-3' }, service)).body).toMatchObject({ amount: amount - 120 });
  const none = await refund(id, { ...rest, reference: 'ticket-4' });
  expect(none.body).toMatchObject({ status: 409, code: 'refund_not_possible', reason: 'fully_refunded' });
  expect(wrongProblem(none)).toBeNull();
  const listed = await call(house, `GET /deliveries/${id}/refunds`, { token: vendor.key });
  expect(replyOf('GET /deliveries/{id}/refunds')?.safeParse(listed.body).error).toBeUndefined();
  expect(listed.body.data).toMatchObject([{ reference: 'ticket-3' }, { reference: 'ticket-1' }]);
});

test('[J175] the vendor sees a refund as a credit, with its delivery and its event; its courier sees none', async () => {
  const { vendor, courierToken, id, amount } = await charged();
  await refund(id, { reference: 'ticket-1', reason: 'cold soup', amount: 120 });
  const list = await call(house, `GET /billing/transactions?delivery_id=${id}&type=credit`, { token: vendor.key });
  expect(replyOf('GET /billing/transactions')?.safeParse(list.body).error).toBeUndefined();
  const [credit] = list.body.data ?? [];
  expect(credit).toMatchObject({ type: 'credit', category: 'refund', amount: 120, owed: 0, description: 'cold soup' });
  const lines = z.array(z.object({ amount: z.int() })).parse(credit?.['lines']);
  expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(-120);
  const seen = await call(house, `GET /deliveries/${id}`, { token: vendor.key });
  expect(seen.body['charge']).toMatchObject({ amount, refunded: 120 });
  const events = await call(house, `GET /events?delivery_id=${id}&type=delivery.refunded`, { token: vendor.key });
  expect(events.body.data).toMatchObject([{ data: { refund: { amount: 120 }, reason: 'cold soup' } }]);
  const carried = await call(house, `GET /deliveries/${id}`, { token: courierToken });
  expect(JSON.stringify(carried.body)).not.toMatch(/refund|charge/);
  const stranger = await addVendor(house);
  for (const token of [stranger.key, courierToken]) {
    const { body } = await call(house, `GET /deliveries/${id}/refunds`, { token });
    expect(['delivery_not_found', 'forbidden']).toContain(body['code']);
  }
  for (const token of [vendor.key, await addStaff(house, 'support', 'dispatcher')])
    expect((await refund(id, { reference: 'mine', reason: 'mine' }, token)).status).toBe(403);
});

test('[J175] a refund long after the end does not make the rest of a history look whole', async () => {
  const { vendor, id } = await charged();
  await house.mongo.db.collection('events').deleteMany({ delivery_id: id as never });
  await refund(id, { reference: 'late', reason: 'late' });
  const { body } = await call(house, `GET /deliveries/${id}/history`, { token: vendor.key });
  expect(body).toMatchObject({ status: 410, code: 'history_expired' });
});
