import { beforeAll, expect, test } from 'vitest';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { Route } from '../../../src/http/policy.ts';
import { isKeyed } from '../../../src/http/idempotency/request-key.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { addDocument } from '../../../src/dispatch/couriers/review-document.ts';
import { acceptUpload } from '../../../src/files/accept-upload.ts';
import { FILES } from '../../../src/models/files/file-shapes.ts';
import { REQUESTS } from '../../../src/models/request-shape.ts';
import { VENDOR_KEYS } from '../../../src/models/access/credential-shapes.ts';
import { asInternal, asStaff } from '../../callers.ts';
import { anOffer } from '../../builders.ts';
import { aPhotoWithPlace } from '../../files/samples.ts';
import { openSite } from '../endpoints/analytics/site.ts';
import { addCharged } from '../charged.ts';
import { aCreate, addCourier, addDelivery, addStaff, addVendor, call, DROP_OFF, PICKUP } from '../house.ts';

const { house, vendor, courier, locationId, end } = await openSite('made_once');
const requests = house.mongo.collection(REQUESTS);

type Made = {
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  readonly form?: () => FormData;
};
/** A request for each route that makes an object. */
const MAKERS: { [R in Route]?: () => Promise<Made> | Made } = {};

beforeAll(async () => {
  const { key, id: vendorId } = vendor;
  const [staff, admin, finance] = [
    await addStaff(house, 'support'),
    await addStaff(house, 'admin'),
    await addStaff(house, 'finance'),
  ];
  const corner = [13.3, 52.4];
  const polygon = [[corner, [13.5, 52.4], [13.5, 52.6], corner]];
  const place = { ...PICKUP, address: 'Karl-Marx-Allee 1, 10178 Berlin', name: 'Corner shop' };
  const anOrder = { location_id: locationId, drop_off: [DROP_OFF] };
  const quoteId = (await call(house, 'POST /express/quotes', { token: key, body: aCreate() })).body['id'];
  const rotated = await house.ctx.credentials.addVendorKey(vendorId, false);
  const whole: { [R in Route]?: Omit<Made, 'path'> & { readonly path?: string } } = {
    'POST /express/quotes': { token: key, body: aCreate() },
    'POST /express/deliveries': { token: key, body: aCreate() },
    'POST /deliveries': { token: key, body: aCreate() },
    'POST /vendor/orders/{order_id}/dispatch': { path: '/vendor/orders/A-1/dispatch', token: key, body: anOrder },
    'POST /couriers/onboard': {
      token: staff,
      body: { name: 'Ada Obi', phone: '+4915199000002', vehicle_type: 'scooter' },
    },
    'POST /couriers/{id}/devices': {
      path: `/couriers/${courier.id}/devices`,
      token: courier.token,
      body: { token: 'a-token-of-the-app', platform: 'ios' },
    },
    'POST /vendors': { token: staff, body: { name: 'Corner shops' } },
    'POST /vendor/locations': { token: staff, body: { vendor_id: vendorId, ...place } },
    'POST /vendor/locations/{id}/zones': {
      path: `/vendor/locations/${locationId}/zones`,
      token: staff,
      body: { name: 'Near', geojson: { type: 'Polygon', coordinates: polygon } },
    },
    'POST /vendor/promotions/subsidy': { token: key, body: { quote_id: quoteId, subsidy: { type: 'free' } } },
    'POST /vendor/pricing-rules': { token: admin, body: { terms: { type: 'tier_flag', tiers: ['none'] } } },
    'POST /vendor/api-keys': { token: key, body: { name: 'Till', scopes: ['deliveries:read'] } },
    'POST /vendor/api-keys/{id}/rotate': {
      path: `/vendor/api-keys/${rotated.id}/rotate`,
      token: key,
      body: { overlap_hours: 1 },
    },
    'POST /wallets/adjustments': { token: finance, body: { vendor_id: vendorId, amount: 500, reason: 'a broken bag' } },
    'POST /webhooks': { token: key, body: { url: 'https://93.184.216.34/hook', events: ['*'] } },
    'POST /staff': { token: admin, body: { email: 'new@demo.example', roles: ['support'] } },
  };
  for (const [route, { path = route.split(' ')[1] ?? '', ...rest }] of Object.entries(whole)) {
    MAKERS[route as Route] = () => ({ path, ...rest });
  }
  MAKERS['POST /deliveries/{id}/refunds'] = async () => {
    const path = `/deliveries/${(await addCharged(house, key)).id}/refunds`;
    return { path, token: finance, body: { reference: 'ticket-1', reason: 'cold soup' } };
  };
  MAKERS['POST /vendor/disputes'] = async () => {
    const about = { delivery_id: (await addCharged(house, key)).id, reason: 'cancellation_fee' };
    return { path: '/vendor/disputes', token: key, body: { ...about, description: 'We canceled in time.' } };
  };
  MAKERS['POST /couriers/{id}/documents'] = async () => {
    const scan = new Blob([new Uint8Array(await aPhotoWithPlace())], { type: 'image/jpeg' });
    const form = (): FormData => {
      const sent = new FormData();
      for (const [name, value] of Object.entries({ type: 'id', expires_on: '2099-12-31' })) sent.append(name, value);
      sent.append('file', scan, 'id.jpg');
      return sent;
    };
    return { path: `/couriers/${courier.id}/documents`, token: courier.token, form };
  };
  MAKERS['POST /deliveries/{id}/stops/{stop}/proof'] = async () => {
    const carrier = await addCourier(house);
    const id = await addDelivery(house, key);
    const me = { type: 'courier' as const, courierId: carrier.id, liveMode: false, sessionId: newId('ses') };
    const online = { courierId: carrier.id, availability: 'online' } as const;
    await setAvailability(house.ctx, online, { ...me, expiresAt: Number.MAX_SAFE_INTEGER });
    const hand = { deliveryId: id, courierId: carrier.id, offerId: null, overrideReason: 'test' };
    await assignCourier(house.ctx, hand, asInternal());
    const photo = new Blob([new Uint8Array(await aPhotoWithPlace())], { type: 'image/jpeg' });
    const form = (): FormData => {
      const sent = new FormData();
      sent.append('photo', photo, 'photo.jpg');
      return sent;
    };
    return { path: `/deliveries/${id}/stops/0/proof`, token: carrier.token, form };
  };
});

async function send(key: string, { path, token, body, form }: Made) {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  const type = form === undefined ? { 'content-type': 'application/json' } : {};
  const content = form === undefined ? JSON.stringify(body) : form();
  const answer = await fetch(`${house.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...type },
    body: content,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** The facts of an object that no second object shares. Expected times of arrival and links differ in each answer. */
const factsOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => {
  const { id, version, created_at: at, key, secret, password, photos } = body;
  const files = Array.isArray(photos) ? photos.map((photo: Record<string, unknown>) => photo['id']) : null;
  return { status, id, version, at, key, secret, password, files };
};

test('[H310] after a crash, a retry of any request that makes an object returns the object of the first try', async () => {
  const making = ROUTES.filter((row) => row.kind === 'endpoint' && row.status === 201 && isKeyed(row.route));
  expect(Object.keys(MAKERS).toSorted()).toEqual(making.map(({ route }) => route).toSorted());
  for (const [route, make] of Object.entries(MAKERS)) {
    const asked = await make();
    const name = newId('req');
    const first = await send(name, asked);
    expect([route, first.status, first.body]).toEqual([route, 201, first.body]);
    // The database as after a crash between the effect and its answer, when the lease has lapsed.
    await requests.updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
    const second = await send(name, asked);
    expect([route, factsOf(second)]).toEqual([route, factsOf(first)]);
  }
});

test('[H311] the API key and the password that a retry returns are those that are stored', async () => {
  const admin = await addStaff(house, 'admin');
  const { key, id: vendorId } = await addVendor(house);
  const retried = async (route: string, token: string, body: unknown) => {
    const asked = { path: route, token, body };
    const name = newId('req');
    await send(name, asked);
    await requests.updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
    return (await send(name, asked)).body;
  };
  const made = await retried('/vendor/api-keys', key, {});
  const successor = await retried(`/vendor/api-keys/${String(made['id'])}/rotate`, key, { overlap_hours: 1 });
  for (const secret of [made['key'], successor['key']]) {
    expect((await call(house, 'GET /vendor/api-keys', { token: String(secret) })).status).toBe(200);
  }
  expect(await house.mongo.collection(VENDOR_KEYS).countDocuments({ vendorId })).toBe(3);
  const email = 'once@demo.example';
  const member = await retried('/staff', admin, { email, roles: ['support'] });
  const login = (password: unknown) =>
    call(house, 'POST /auth/token', { body: { grant_type: 'password', email, password } });
  expect((await login(member['password'])).status).toBe(200);
  const reset = await retried(`/staff/${String(member['id'])}/reset`, admin, {});
  expect((await login(reset['password'])).status).toBe(200);
});

test('[H422] a form that is sent again stores no second file, after a crash or without a key', async () => {
  const count = () => house.mongo.collection(FILES).countDocuments();
  for (const route of ['POST /couriers/{id}/documents', 'POST /deliveries/{id}/stops/{stop}/proof'] as const) {
    const asked = await MAKERS[route]?.();
    if (asked === undefined) throw new Error(`${route} has no maker`);
    const name = newId('req');
    await send(name, asked);
    const before = await count();
    await requests.updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
    expect([(await send(name, asked)).status, await count()]).toEqual([201, before]);
    if (route !== 'POST /deliveries/{id}/stops/{stop}/proof') continue;
    const again = await send(newId('req'), asked);
    expect([again.status, (again.body['pictures'] as unknown[]).length, await count()]).toEqual([201, 1, before]);
  }
  const picture = new Blob([new Uint8Array(await aPhotoWithPlace())], { type: 'image/jpeg' });
  const form = (): FormData => {
    const sent = new FormData();
    sent.append('logo', picture, 'logo.jpg');
    return sent;
  };
  const logo = { path: '/vendor/profile/logo', token: vendor.key, form };
  const first = await send(newId('req'), logo);
  const before = await count();
  const second = await send(newId('req'), logo);
  expect([second.status, second.body['version'], await count()]).toEqual([200, first.body['version'], before]);
});

test('[H422] of two tries of one document at the same time, the file of the loser ends as an unused one', async () => {
  const { ctx, mongo } = house;
  const id = newId('doc');
  const upload = { field: 'file', declaredType: 'image/jpeg', content: await aPhotoWithPlace() };
  const add = async () => {
    const { id: fileId } = await acceptUpload(ctx, upload, { kind: 'document', subject: courier.id });
    const asked = { courierId: courier.id, type: 'id', sealedNumber: null, expiresOn: '2099-12-31', fileId } as const;
    return { fileId, document: await addDocument(ctx, asked, id, asStaff()) };
  };
  const [winner, loser] = [await add(), await add()];
  expect(loser.document.fileId).toBe(winner.fileId);
  const endOf = async (fileId: string) => (await mongo.collection(FILES).findOne({ _id: fileId }))?.endsAt;
  expect(await endOf(winner.fileId)).toBeNull();
  expect(await endOf(loser.fileId)).toBeLessThanOrEqual(ctx.clock.now() + ctx.settings.files.orphanMs);
  // After a crash right behind the transaction, the file is kept already.
  const third = await acceptUpload(ctx, upload, { kind: 'document', subject: courier.id });
  await ctx.documents.add({ ...winner.document, id: newId('doc'), fileId: third.id }, null);
  expect(await endOf(third.id)).toBeNull();
});

test('[H312] if a rating is sent again after a crash, it is stored once and stays as it is', async () => {
  const id = await end({ state: 'delivered', courierId: courier.id });
  const asked = { path: `/deliveries/${id}/rating`, token: vendor.key, body: { rating: 4, comment: 'Fast' } };
  const name = newId('req');
  const first = await send(name, asked);
  await requests.updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
  expect(first.status).toBe(200);
  expect(await send(name, asked)).toEqual(first);
});

test('[H313] a retry of a create shows that the delivery is being offered by now', async () => {
  const asked = { path: '/deliveries', token: vendor.key, body: aCreate() };
  const name = newId('req');
  const { body } = await send(name, asked);
  const { id, version, region } = await house.ctx.deliveries.get(body['id'] as DeliveryId);
  const now = house.ctx.clock.now();
  const freeCourier = await addCourier(house);
  const online = { courierId: freeCourier.id, availability: 'online' } as const;
  await setAvailability(house.ctx, online, asStaff());
  const whose = { deliveryId: id, deliveryVersion: version, courierId: freeCourier.id, region };
  const offer = anOffer({ ...whose, createdAt: now, expiresAt: now + 25_000 });
  expect(await house.ctx.offers.open(offer)).toBe(true);
  await requests.updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
  const again = await send(name, asked);
  expect([body['stage'], again.status, again.body['id'], again.body['stage']]).toEqual([null, 201, id, 'offering']);
});
