import { beforeAll, expect, test } from 'vitest';
import { declineOffer } from '../../../../src/dispatch/offers/answer-offer.ts';
import { raiseAlarm } from '../../../../src/dispatch/due/raise-alarm.ts';
import type { Delivery } from '../../../../src/domain/deliveries/delivery.ts';
import { setAvailability } from '../../../../src/dispatch/couriers/set-availability.ts';
import { makeChange } from '../../../../src/dispatch/change-delivery.ts';
import { anOffer, aDelivery, aVendor, aMoment } from '../../../builders.ts';
import { asCourier, asStaff } from '../../../callers.ts';
import { addCourier, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('queue');
const { ctx } = house;
const MINUTE = 60_000;
let staff: string;

beforeAll(async () => {
  staff = await addStaff(house, 'dispatcher');
});

/** A delivery whose search counts for so many minutes; those that count longest have begun last. */
async function searched(minutes: number, over: Parameters<typeof aDelivery>[0] = {}): Promise<Delivery> {
  const vendor = aVendor();
  await ctx.vendors.add(vendor);
  const now = ctx.clock.now();
  const searchCountsFromAt = now - minutes * MINUTE;
  const searchFromAt = now - (60 - minutes) * MINUTE;
  const span = { searchFromAt, searchCountsFromAt, searchUntilAt: now + 15 * MINUTE };
  const born = aDelivery({ vendorId: vendor.id, ...span, links: ctx.links.make(1), ...over });
  const actor = { type: 'system', id: null } as const;
  const change = makeChange(null, born, [{ type: 'delivery.created', actor }], aMoment(now));
  expect((await ctx.commit(change)).ok).toBe(true);
  return change.after;
}

const queue = (query = '', token = staff) => call(house, `GET /dispatch/queue${query}`, { token });
type Entry = { delivery: { id: string } };
const idsOf = (answer: Awaited<ReturnType<typeof queue>>) =>
  (answer.body.data as Entry[] | undefined)?.map(({ delivery }) => delivery.id);

test('[O32] the queue lists searches over the alarm time with their open alarms, longest first', async () => {
  const alarmed = await searched(3);
  await raiseAlarm(ctx, alarmed, { kind: 'search_too_long', since: alarmed.searchCountsFromAt, detail: 'no courier' });
  const long = await searched(11);
  const longest = await searched(14);
  await raiseAlarm(ctx, longest, { kind: 'search_too_long', since: longest.searchCountsFromAt, detail: 'no courier' });
  const late = await searched(4);
  await raiseAlarm(ctx, late, { kind: 'late', since: late.searchCountsFromAt, detail: 'not collected' });
  await searched(9);
  await searched(12, { state: 'canceled' });
  const answer = await queue();
  expect(answer.status).toBe(200);
  expect(replyOf('GET /dispatch/queue')?.safeParse(answer.body).error).toBeUndefined();
  expect(idsOf(answer)).toEqual([longest.id, long.id]);
  const none = { tries: { accepted: 0, declined: 0, expired: 0, withdrawn: 0 }, last_try: null };
  expect(answer.body.data).toMatchObject([
    { since: new Date(longest.searchCountsFromAt).toISOString(), alarm_id: expect.stringMatching(/^alm_/), ...none },
    { since: new Date(long.searchCountsFromAt).toISOString(), alarm_id: null, ...none },
  ]);
  expect(answer.body.data?.[0]).toMatchObject({
    object: 'queue_entry',
    delivery: { object: 'delivery', status: 'searching', tracking_url: expect.stringContaining('/t/') },
  });
  await ctx.alarms.clear(longest.id);
  expect((await queue()).body.data?.[0]).toMatchObject({ delivery: { id: longest.id }, alarm_id: null });
});

test('[O34] each entry shows how its offers ended, and the last reason', async () => {
  const delivery = await searched(30);
  const decline = async (reason: string | null): Promise<void> => {
    const courier = await addCourier(house);
    await setAvailability(ctx, { courierId: courier.id, availability: 'online' }, asStaff());
    const now = ctx.clock.now();
    const offer = anOffer({ deliveryId: delivery.id, courierId: courier.id, createdAt: now, expiresAt: now + 25_000 });
    expect(await ctx.offers.open(offer)).toBe(true);
    await declineOffer(ctx, { offerId: offer.id, reason }, asCourier({ id: courier.id, liveMode: false }));
  };
  await decline(null);
  await decline('the rain');
  const [entry] = (await queue()).body.data ?? [];
  expect(entry).toMatchObject({
    delivery: { id: delivery.id },
    tries: { accepted: 0, declined: 2, expired: 0, withdrawn: 0 },
    last_try: { status: 'declined', reason: 'the rain', at: expect.any(String) },
  });
});

test('[O33] the queue is read page by page, in a mode or in both', async () => {
  const live = await searched(25, { liveMode: true });
  const whole = idsOf(await queue()) ?? [];
  expect(whole.length).toBeGreaterThan(3);
  const seen: string[] = [];
  for (let path: string | undefined = '/dispatch/queue?limit=2'; path !== undefined;) {
    const page = await call(house, `GET ${path}`, { token: staff });
    seen.push(...(idsOf(page) ?? []));
    path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    expect(page.body['has_more']).toBe(path !== undefined);
  }
  expect(seen).toEqual(whole);
  expect(idsOf(await queue('?live_mode=true'))).toEqual([live.id]);
  expect(idsOf(await queue('?live_mode=false'))).toEqual(whole.filter((id) => id !== live.id));
  const cursor = String((await queue('?limit=1')).body['next_cursor']);
  expect((await queue(`?cursor=${cursor}`)).status).toBe(200);
  expect((await queue(`?live_mode=true&cursor=${cursor}`)).status).toBe(422);
  for (const query of ['?limit=0', '?cursor=x', '?live_mode=yes', '?status=searching']) {
    expect([query, (await queue(query)).status]).toEqual([query, 400]);
  }
  expect((await call(house, `GET /deliveries?cursor=${cursor}`, { token: staff })).status).toBe(422);
});

test('[O33] the queue is for dispatchers and admins', async () => {
  const { key } = await addVendor(house);
  for (const token of [await addStaff(house, 'support'), key]) expect((await queue('', token)).status).toBe(403);
  expect((await queue()).status).toBe(200);
});
