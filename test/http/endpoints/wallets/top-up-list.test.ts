import { expect, test } from 'vitest';
import { addStaff, call, openHouse } from '../../house.ts';
import { aPayer } from './paying.ts';

const house = await openHouse('top_up_list');
const { ctx } = house;

test('[J217] a vendor lists its own top-ups, newest first, and finance those of all', async () => {
  const [payer, stranger] = [await aPayer(house), await aPayer(house)];
  const ids: unknown[] = [];
  for (const amount of [2500, 2600, 2700]) ids.unshift((await payer.fund({ amount })).body['id']);
  const { body: foreign } = await stranger.fund({ amount: 2500 });
  const list = async (query: string, token = payer.token) => {
    const { status, body } = await call(house, `GET /wallets/top-ups?${query}`, { token });
    return { status, ids: body.data?.map(({ id }) => id), next: body['next_cursor'] };
  };
  const first = await list('limit=2');
  expect(first.ids).toEqual(ids.slice(0, 2));
  await payer.fund({ amount: 2800 });
  expect((await list(`limit=2&cursor=${String(first.next)}`)).ids).toEqual(ids.slice(2));
  await ctx.topUps.end(ids[1] as never, { state: 'expired', reason: 'not_paid', isFinal: true });
  expect((await list('status=expired')).ids).toEqual([ids[1]]);
  expect((await list(`vendor_id=${stranger.vendorId}`)).status).toBe(404);
  const finance = await addStaff(house, 'finance');
  expect((await list(`vendor_id=${stranger.vendorId}`, finance)).ids).toEqual([foreign['id']]);
  expect((await list('live_mode=true', finance)).ids).toEqual([]);
  expect((await list('limit=100', finance)).ids).toEqual(expect.arrayContaining([...ids, foreign['id']]));
  const one = await call(house, `GET /wallets/top-ups/${String(foreign['id'])}`, { token: finance });
  expect(one.body).toMatchObject({ id: foreign['id'], vendor_id: stranger.vendorId });
  expect((await list('', await addStaff(house, 'support'))).status).toBe(403);
});

test('[J383] the refusal of an amount names the least and the most', async () => {
  const payer = await aPayer(house);
  const refused = async (amount: number) => (await payer.fund({ amount })).body['detail'];
  expect(await refused(0)).toBe('`/amount` must be a whole number from 1 to 1000000000000; it is 0.');
  expect(await refused(1e20)).toContain('must be a whole number from 1 to 1000000000000;');
  expect(await refused(100_000_001)).toBe('`/amount` must be from 1 to 100000000 minor units; it is 100000001.');
});
