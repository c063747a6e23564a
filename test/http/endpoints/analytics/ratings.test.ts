import { expect, test } from 'vitest';
import { newId, type DeliveryId } from '../../../../src/domain/ids.ts';
import { aBirth } from '../../../engines/mongo-house.ts';
import { call } from '../../house.ts';
import { MINUTE, openSite } from './site.ts';

const { house, vendor, other, courier, staff, fold, end } = await openSite('ratings http');
const { ctx } = house;
const endOne = (): Promise<string> => end({ state: 'delivered', courierId: courier.id });

test('[N30] a vendor rates its ended delivery once, and can change the rating', async () => {
  const id = await endOne();
  const rate = (body: object, token = vendor.key) => call(house, `POST /deliveries/${id}/rating`, { token, body });
  const given = await rate({ rating: 4, comment: '  =HYPERLINK("x")  ' });
  expect(given.body).toMatchObject({ rating: 4, comment: '=HYPERLINK("x")', by: 'vendor', courier_id: courier.id });
  expect((await rate({ rating: 4, comment: '=HYPERLINK("x")' })).body).toEqual(given.body);
  expect((await rate({ rating: 2 })).body).toMatchObject({
    rating: 2,
    comment: null,
    created_at: given.body['created_at'],
  });
  expect((await rate({ rating: 5 }, other.key)).status).toBe(404);
  for (const rating of [0, 6, 2.5, '5']) expect((await rate({ rating })).status).toBe(400);
  expect((await rate({ rating: 5, comment: 'x'.repeat(501) })).status).toBe(400);
  await fold();
  const { body } = await call(house, `GET /couriers/${courier.id}/metrics`, { token: courier.token });
  expect(body['rating']).toEqual({ average: 2, count: 1 });
});

test('[N31] a delivery is rated only after its end, by a rater with a courier, and not for ever', async () => {
  const birth = aBirth({ vendorId: vendor.id });
  await ctx.commit(birth);
  const rate = (id: string, rating = 5) =>
    call(house, `POST /deliveries/${id}/rating`, { token: vendor.key, body: { rating } });
  expect((await rate(birth.after.id)).body).toMatchObject({ code: 'rating_not_possible', status: 409 });
  const id = await endOne();
  await rate(id);
  const ratings = house.mongo.db.collection<{ _id: string }>('ratings');
  await ratings.updateOne({ _id: `${id}:vendor` }, { $inc: { createdAt: -24 * 60 * MINUTE - 1 } });
  expect((await rate(id, 1)).body).toMatchObject({ code: 'rating_not_possible' });
  expect((await rate(id, 5)).status).toBe(200);
  await ratings.updateOne({ _id: `${id}:vendor` }, { $inc: { createdAt: 24 * 60 * MINUTE }, $set: { changes: 20 } });
  expect((await rate(id, 1)).body).toMatchObject({ code: 'rating_not_possible' });
});

test('[N32] a recipient rates by their link, and the page shows what they gave', async () => {
  const id = await endOne();
  const [link] = ctx.links.make(1);
  await house.mongo.db.collection<{ _id: string }>('deliveries').updateOne({ _id: id }, { $set: { links: [link] } });
  const token = ctx.links.tokenOf(link!.id);
  const state = () => call(house, `GET /t/${token}/state`);
  expect((await state()).body['rating']).toMatchObject({ rating: null, comment: null, open: true });
  const given = await call(house, `POST /t/${token}/rating`, { body: { rating: 5, comment: 'Very kind' } });
  expect(given.body).toMatchObject({ rating: 5, comment: 'Very kind', open: true });
  expect((await state()).body['rating']).toEqual(given.body);
  expect((await call(house, 'POST /t/none/rating', { body: { rating: 5 } })).status).toBe(404);
});

test('[N36] the page says until when the recipient can rate, and the link ends then', async () => {
  const id = await endOne();
  const [link] = ctx.links.make(1);
  await house.mongo.db.collection<{ _id: string }>('deliveries').updateOne({ _id: id }, { $set: { links: [link] } });
  const token = ctx.links.tokenOf(link!.id);
  const { times } = await ctx.deliveries.get(id as DeliveryId);
  const until = new Date((times.deliveredAt ?? 0) + 120 * MINUTE).toISOString();
  const rating = async () => (await call(house, `GET /t/${token}/state`)).body['rating'];
  expect(await rating()).toEqual({ rating: null, comment: null, open: true, until });
  const given = await call(house, `POST /t/${token}/rating`, { body: { rating: 4 } });
  expect(given.body).toEqual({ rating: 4, comment: null, open: true, until });
  await house.mongo.db
    .collection<{ _id: string }>('deliveries')
    .updateOne({ _id: id }, { $inc: { 'times.deliveredAt': -120 * MINUTE, 'dropOffs.0.doneAt': -120 * MINUTE } });
  expect((await call(house, `POST /t/${token}/rating`, { body: { rating: 5 } })).status).toBe(410);
});

test('[N33] a vendor lists the comments about its couriers, and nobody else does', async () => {
  const path = 'GET /vendor/analytics/rider-performance/comments';
  const mine = await call(house, path, { token: vendor.key });
  expect(mine.body.data).toMatchObject([{ rating: 5, comment: 'Very kind', by: 'recipient', courier_id: courier.id }]);
  expect((await call(house, `${path}?courier_id=${newId('cou')}`, { token: vendor.key })).body.data).toEqual([]);
  expect((await call(house, path, { token: other.key })).body.data).toEqual([]);
  expect((await call(house, `${path}?live_mode=false`, { token: staff })).body.data).toHaveLength(1);
  expect((await call(house, path, { token: courier.token })).status).toBe(403);
});
