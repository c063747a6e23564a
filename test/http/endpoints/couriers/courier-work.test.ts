import { beforeAll, expect, test } from 'vitest';
import { isoTime } from '../../../../src/domain/time.ts';
import { newId, type CourierId, type DeliveryId } from '../../../../src/domain/ids.ts';
import { regionOf } from '../../../regions.ts';
import { anOffer } from '../../../builders.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, DROP_OFF, openHouse, PICKUP } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('courier-work');
let staff: string;
let vendor: { id: string; key: string };

beforeAll(async () => {
  staff = await addStaff(house, 'dispatcher');
  vendor = await addVendor(house);
});

type Person = { id: CourierId; token: string };

/** A courier who is online and at the pickup. */
async function addOnline(place: { lat: number; lng: number } = PICKUP.coordinates): Promise<Person> {
  const courier = await addCourier(house);
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  put(courier.id, place);
  return courier;
}

let seq = 0;
function put(courierId: CourierId, place: { lat: number; lng: number }): void {
  const now = house.ctx.clock.now();
  seq += 1;
  const fix = { seq, at: now, receivedAt: now, accuracyM: 5, speedMps: 0, headingDeg: 0 };
  house.ctx.positions.put({ courierId, ...place, ...fix });
}

/** Makes the search begin, which for an express delivery without a ready time it already has. */
async function offerTo(courier: Person, id: DeliveryId) {
  const { version, region } = await house.ctx.deliveries.get(id);
  const now = house.ctx.clock.now();
  const times = { createdAt: now, expiresAt: now + 25_000 };
  const offer = anOffer({
    deliveryId: id,
    courierId: courier.id,
    deliveryVersion: version,
    region: region || regionOf(PICKUP.coordinates),
    isExclusive: false,
    ...times,
  });
  expect(await house.ctx.offers.open(offer)).toBe(true);
  return offer;
}

async function carried(over: Record<string, unknown> = {}): Promise<{ courier: Person; id: DeliveryId }> {
  const courier = await addOnline();
  const id = await addDelivery(house, vendor.key, over);
  const body = { delivery_id: id, courier_id: courier.id };
  expect((await call(house, 'POST /dispatch/assign', { token: staff, body })).status).toBe(200);
  return { courier, id };
}

const act = ({ token }: Pick<Person, 'token'>, path: string, body: unknown = {}) =>
  call(house, `POST /deliveries/${path}`, { token, body });

test('[H170] a courier carries a delivery over HTTP alone, and each repeat answers the same', async () => {
  const courier = await addOnline();
  const id = await addDelivery(house, vendor.key, { custom: { margin: 7 }, metadata: { weight: 3 } });
  const { id: offerId } = await offerTo(courier, id);
  const offers = await call(house, `GET /couriers/${courier.id}/offers`, { token: courier.token });
  expect(replyOf('GET /couriers/{id}/offers')?.safeParse(offers.body).error).toBeUndefined();
  expect(offers.body.data).toMatchObject([{ offer_id: offerId, delivery_id: id }]);
  const accept = () => call(house, `POST /couriers/${courier.id}/offers/${offerId}/accept`, { token: courier.token });
  for (const answer of [await accept(), await accept()]) {
    expect(answer).toMatchObject({ status: 200, body: { id, status: 'assigned' } });
  }
  const steps: [string, string][] = [
    [`${id}/stops/0/arrive`, 'assigned'],
    [`${id}/pick-up`, 'picked_up'],
    [`${id}/depart`, 'in_transit'],
    [`${id}/stops/1/arrive`, 'in_transit'],
    [`${id}/stops/1/deliver`, 'delivered'],
  ];
  for (const [path, status] of steps) {
    if (path.endsWith('depart')) put(courier.id, DROP_OFF.coordinates);
    for (const answer of [await act(courier, path), await act(courier, path)]) {
      expect([path, answer.status, answer.body['status'], answer.text]).toEqual([path, 200, status, answer.text]);
      expect(answer.headers.get('etag')).toBe(`"${String(answer.body['version'])}"`);
    }
  }
  const history = await call(house, `GET /deliveries/${id}/history`, { token: courier.token });
  const types = history.body.data?.map(({ type }) => type);
  expect(types?.filter((type) => type === 'picked_up' || type === 'delivered')).toEqual(['picked_up', 'delivered']);
});

test('[H171] a courier sees their own delivery without prices, free data and e-mail addresses', async () => {
  const drop = { ...DROP_OFF, contact: { ...DROP_OFF.contact, email: 'ada@example.com' }, instructions: 'Code 1234' };
  const priced = { ...drop, items: [{ name: 'Soup', quantity: 1, price: 990 }], order_value: 990 };
  const { courier, id } = await carried({ custom: { margin: 7 }, drop_off: [priced], external_id: newId('req') });
  const read = () => call(house, `GET /deliveries/${id}`, { token: courier.token });
  const seen = await read();
  expect(replyOf('GET /deliveries/{id}')?.safeParse(seen.body).error).toBeUndefined();
  expect(seen.body).toMatchObject({ id, drop_off: [{ contact: DROP_OFF.contact, instructions: 'Code 1234' }] });
  for (const word of ['fee', 'margin', 'ada@example.com', 'price', 'order_value', 'tracking_url', 'quote_id']) {
    expect([word, seen.text.includes(word)]).toEqual([word, false]);
  }
  const status = await call(house, `GET /deliveries/${id}/status`, { token: courier.token });
  expect(status).toMatchObject({ status: 200, body: { status: 'assigned' } });
  const history = await call(house, `GET /deliveries/${id}/history`, { token: courier.token });
  expect(history.text).not.toContain('margin');
  expect(history.body.data?.[0]).toMatchObject({ type: 'delivery.created', data: {} });
  const canceled = await call(house, `POST /deliveries/${id}/cancel`, { token: vendor.key });
  expect(canceled.status).toBe(200);
  expect((await read()).body).toMatchObject({
    status: 'canceled',
    drop_off: [{ contact: null, instructions: null, address: null }],
  });
});

test('[H172] a delivery that a courier does not carry is absent for them, in every route', async () => {
  const { courier, id } = await carried();
  const other = await addOnline();
  const paths = ['pick-up', 'depart', 'stops/0/arrive', 'stops/1/deliver', 'stops/1/fail', 'release'];
  for (const path of paths) {
    const body = path === 'release' ? { reason: 'x' } : path.endsWith('fail') ? { reason: 'lost' } : {};
    const answers = [
      await act(other, `${id}/${path}`, body),
      await act(other, `${newId('del')}/${path}`, body),
      await act(other, `del_x/${path}`, body),
    ];
    for (const answer of answers) {
      expect([path, answer.status, answer.body['code'], answer.body['detail']]).toEqual([
        path,
        404,
        'delivery_not_found',
        'The caller has no delivery with this id.',
      ]);
    }
  }
  for (const path of ['', '/status', '/history']) {
    const foreign = await call(house, `GET /deliveries/${id}${path}`, { token: other.token });
    expect([path, foreign.status, foreign.body['code']]).toEqual([path, 404, 'delivery_not_found']);
  }
  for (const stop of ['7', 'x', '-1', '99']) {
    const unknown = await act(courier, `${id}/stops/${stop}/arrive`);
    expect([stop, unknown.status, unknown.body['code']]).toEqual([stop, 404, 'stop_not_found']);
  }
});

test('[H173] a courier gives a delivery back, and a repeat is safe', async () => {
  const { courier, id } = await carried();
  const release = () => act(courier, `${id}/release`, { reason: 'Flat tyre', courier_id: courier.id });
  for (const answer of [await release(), await release()]) {
    expect(answer).toMatchObject({ status: 200, body: { id, object: 'delivery_status', status: 'searching' } });
  }
  expect((await call(house, `GET /deliveries/${id}`, { token: courier.token })).status).toBe(404);
  const early = await carried();
  const refused = await act({ token: vendor.key }, `${early.id}/release`, { reason: 'too slow' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_late_enough' } });
});

test('[H174] dispatchers act for a courier only where the table of transitions lets staff act', async () => {
  const { courier, id } = await carried();
  put(courier.id, { lat: 48.1, lng: 11.5 });
  const desk = { token: staff };
  for (const path of ['depart', 'stops/0/arrive']) expect((await act(desk, `${id}/${path}`)).status).toBe(403);
  const finance = { token: await addStaff(house, 'finance') };
  expect((await act(finance, `${id}/pick-up`)).status).toBe(403);
  const far = await act(courier, `${id}/pick-up`);
  expect(far).toMatchObject({ status: 422, body: { code: 'too_far_from_stop' } });
  const collected = await act(desk, `${id}/pick-up`, { override_reason: 'Told by phone' });
  expect(collected).toMatchObject({ status: 200, body: { status: 'picked_up', fee: expect.any(Number) } });
  await act(courier, `${id}/depart`);
  const early = await act(courier, `${id}/stops/1/fail`, {
    reason: 'customer_refused',
    override_reason: 'At the gate',
  });
  expect(early).toMatchObject({ status: 422, body: { code: 'contact_tries_missing' } });
  const failed = await act(desk, `${id}/stops/1/fail`, { reason: 'customer_refused' });
  expect(failed).toMatchObject({ status: 200, body: { status: 'failed' } });
});

test('[H175] an offer over HTTP is lost, expired or declined as on the socket', async () => {
  const [first, second, third] = [await addOnline(), await addOnline(), await addOnline()];
  const id = await addDelivery(house, vendor.key);
  const offers = [await offerTo(first, id), await offerTo(second, id), await offerTo(third, id)];
  const answer = (courier: Person, offerId: string, verb: string, body?: object) =>
    call(house, `POST /couriers/${courier.id}/offers/${offerId}/${verb}`, { token: courier.token, body });
  const [mine = '', loser = '', declined = ''] = offers.map((offer) => offer.id);
  const decline = () => answer(third, declined, 'decline', { reason: 'Too far' });
  expect([(await decline()).status, (await decline()).status]).toEqual([204, 204]);
  expect((await answer(first, mine, 'accept')).status).toBe(200);
  for (const [courier, offerId] of [
    [second, loser],
    [third, declined],
  ] as const) {
    const lost = await answer(courier, offerId, 'accept');
    expect([offerId, lost.status, lost.body['code']]).toEqual([offerId, 409, 'offer_taken']);
  }
  for (const offerId of [mine, newId('off'), 'off_x']) {
    const absent = await answer(second, offerId, 'decline');
    expect([offerId, absent.status, absent.body['code']]).toEqual([offerId, 404, 'offer_not_found']);
  }
  expect((await call(house, `GET /couriers/${second.id}/offers`, { token: second.token })).body.data).toEqual([]);
  const late = await offerTo(third, await addDelivery(house, vendor.key));
  await house.mongo.db.collection('offers').updateOne({ id: late.id }, { $set: { expiresAt: 1 } });
  expect((await answer(third, late.id, 'accept')).body['code']).toBe('offer_expired');
  expect((await call(house, `GET /couriers/${third.id}/offers`, { token: third.token })).body.data).toEqual([]);
});

test('[H176] an offer that the courier has read counts as shown, and staff leave no trace', async () => {
  const courier = await addOnline();
  const { id } = await offerTo(courier, await addDelivery(house, vendor.key));
  const shownAt = async () => (await house.ctx.offers.find(id))?.deliveredAt ?? null;
  const list = (token: string) => call(house, `GET /couriers/${courier.id}/offers`, { token });
  expect((await list(staff)).body.data).toHaveLength(1);
  expect(await shownAt()).toBeNull();
  expect((await list(courier.token)).body.data).toHaveLength(1);
  expect(await shownAt()).not.toBeNull();
});

test('[H177] the deliveries of a courier come newest first, by state and time, page by page', async () => {
  const courier = await addOnline();
  const ids: DeliveryId[] = [];
  for (let round = 0; round < 3; round += 1) {
    const id = await addDelivery(house, vendor.key);
    const body = { delivery_id: id, courier_id: courier.id };
    await call(house, 'POST /dispatch/assign', { token: staff, body });
    if (round < 2) await call(house, `POST /deliveries/${id}/cancel`, { token: vendor.key });
    ids.unshift(id);
  }
  const list = (query: string, token = courier.token) =>
    call(house, `GET /couriers/${courier.id}/deliveries?${query}`, { token });
  const idsOf = async (query: string) => (await list(query)).body.data?.map((item) => item['id']);
  const all = await list('');
  expect(replyOf('GET /couriers/{id}/deliveries')?.safeParse(all.body).error).toBeUndefined();
  expect(all.body.data?.map((item) => item['id'])).toEqual(ids);
  expect(all.text).not.toContain('"fee"');
  expect((await list('', staff)).text).toContain('"fee"');
  expect(await idsOf('status=assigned,picked_up,in_transit')).toEqual(ids.slice(0, 1));
  expect(await idsOf('status=cancelled')).toEqual(ids.slice(1));
  for (const query of ['courier_id=x', 'q=Lovelace', 'external_id=x']) {
    expect([query, (await list(query)).status]).toEqual([query, 400]);
  }
  const now = house.ctx.clock.now();
  expect(await idsOf(`date_range=${isoTime(now - 3_600_000)}/${isoTime(now + 1000)}`)).toEqual(ids);
  expect(await idsOf(`date_range=${isoTime(now + 1000)}/${isoTime(now + 2000)}`)).toEqual([]);
  const first = await list('limit=2');
  await addDelivery(house, vendor.key);
  const rest = await idsOf(`limit=2&cursor=${String(first.body['next_cursor'])}`);
  expect([...(first.body.data ?? []).map((item) => item['id']), ...(rest ?? [])]).toEqual(ids);
});
