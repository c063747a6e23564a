import { beforeAll, expect, test } from 'vitest';
import { raiseAlarm } from '../../../../src/dispatch/due/raise-alarm.ts';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import { aDelivery } from '../../../builders.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('alarms');
const { ctx } = house;
let staff: string;

beforeAll(async () => {
  staff = await addStaff(house, 'support');
});

const raise = (delivery: Delivery, kind: 'late' | 'search_too_long', secondsAgo: number) =>
  raiseAlarm(ctx, delivery, { kind, since: ctx.clock.now() - secondsAgo * 1000, detail: 'a problem' });
const read = (query = '', token = staff) => call(house, `GET /dispatch/alarms${query}`, { token });
type Listed = { id: string; kind: string; delivery: { id: string } | null };
const kindsOf = (answer: Awaited<ReturnType<typeof read>>) =>
  (answer.body.data as Listed[] | undefined)?.map(({ kind, delivery }) => [kind, delivery?.id ?? null]);

test('[Q14] all staff read the open alarms with their deliveries, page by page and newest first', async () => {
  const { key } = await addVendor(house);
  const delivery = await ctx.deliveries.get((await addDelivery(house, key)) as Delivery['id']);
  const cleared = aDelivery();
  await raise(delivery, 'late', 30);
  await raise(delivery, 'search_too_long', 20);
  await raise(cleared, 'late', 10);
  await raise(aDelivery(), 'late', 0);
  await ctx.alarms.clear(cleared.id);
  const answer = await read();
  expect(answer.status).toBe(200);
  expect(replyOf('GET /dispatch/alarms')?.safeParse(answer.body).error).toBeUndefined();
  const whole = [
    ['late', null],
    ['search_too_long', delivery.id],
    ['late', delivery.id],
  ];
  expect(kindsOf(answer)).toEqual(whole);
  expect(answer.body.data?.[1]).toMatchObject({
    object: 'alarm',
    id: expect.stringMatching(/^alm_/),
    detail: 'a problem',
    delivery: { object: 'delivery', status: 'searching', tracking_url: expect.stringContaining('/t/') },
  });
  const first = await read('?limit=2');
  expect(kindsOf(first)).toEqual(whole.slice(0, 2));
  expect(kindsOf(await read(`?limit=2&cursor=${String(first.body['next_cursor'])}`))).toEqual(whole.slice(2));
  expect((await read('', key)).status).toBe(403);
});
