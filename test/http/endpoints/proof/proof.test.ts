import { expect, test } from 'vitest';
import { aPicture, aPhotoWithPlace } from '../../../files/samples.ts';
import { aCreate, addCourier, addDelivery, addStaff, call, DROP_OFF, PICKUP } from '../../house.ts';
import { deliverStop } from '../../../../src/dispatch/deliveries/advance-delivery.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { FILES } from '../../../../src/models/files/file-shapes.ts';
import { REQUESTS } from '../../../../src/models/request-shape.ts';
import { as, openHandovers } from './handovers.ts';

const { house, vendor, courier, underway, prove } = await openHandovers('http-proof');
const staff = await addStaff(house, 'support');

const PROVEN = {
  picture: true,
  signature: { collect_name: true },
  pin: { type: 'merchant_provided', value: '0420' },
  barcodes: [{ value: 'BOX-1', type: 'QR' }],
  identification: { min_age: 18 },
};

test('[H155] a vendor requires proof, the courier gives it, and the vendor reads it after the delivery', async () => {
  const id = await underway(PROVEN);
  const early = await call(house, `GET /deliveries/${id}/proof`, { token: vendor.key });
  expect([early.status, early.body['code']]).toEqual([409, 'proof_not_available']);
  const first = await prove(id, { photo: await aPhotoWithPlace(), signature_name: 'Ada' });
  expect([first.status, first.body]).toMatchObject([
    201,
    { object: 'proof', stop: 1, pictures: [{}], missing: ['signature', 'pin', 'barcodes', 'identification'] },
  ]);
  const wrong = await prove(id, { pin: '1111' });
  expect([wrong.status, wrong.body['code']]).toEqual([422, 'pin_incorrect']);
  const signature = await aPicture().jpeg().toBuffer();
  const last = await prove(id, { signature, pin: '0420', barcodes: 'BOX-1', age_verified: 'true' });
  expect([last.status, last.body]).toMatchObject([201, { id: first.body['id'], missing: [] }]);
  const soFar = await call(house, `GET /deliveries/${id}/proof`, { token: staff });
  expect([soFar.status, soFar.body]).toMatchObject([200, { stops: [{ stop: 1 }] }]);
  await deliverStop(house.ctx, { deliveryId: id, stop: 1, overrideReason: 'no satellites' }, as(courier.id));
  for (const route of [`GET /deliveries/${id}/proof`, `GET /express/deliveries/${id}/proof`]) {
    const { status, body } = await call(house, route, { token: vendor.key });
    expect([status, body]).toMatchObject([
      200,
      {
        object: 'delivery_proof',
        stops: [
          {
            pictures: [{ url: expect.stringContaining('/files/fil_') as string }],
            signature: { name: 'Ada', relationship: null },
            pin: { verified: true },
            barcodes: [{ value: 'BOX-1', outcome: 'success' }],
            identification: { min_age_verified: true },
          },
        ],
      },
    ]);
    const [stop] = body['stops'] as { pictures: { url: string }[] }[];
    const photo = await fetch(stop?.pictures[0]?.url ?? '');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await photo.arrayBuffer()).includes('SecretPhone')).toBe(false);
  }
});

test('[H155] a form of a stranger, or for an absent stop, stores nothing', async () => {
  const id = await underway({ picture: true });
  const other = await addCourier(house);
  const files = () => house.mongo.db.collection('files').countDocuments();
  const before = await files();
  const photo = await aPhotoWithPlace();
  const answers = [
    await prove(id, { photo }, { token: other.token }),
    await prove(newId('del'), { photo }),
    await prove(id, { photo }, { stop: 'x' }),
    await prove(id, { photo }, { stop: '7' }),
    await prove(id, { photo }, { token: vendor.key }),
  ];
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
    [404, 'delivery_not_found'],
    [404, 'delivery_not_found'],
    [404, 'stop_not_found'],
    [404, 'stop_not_found'],
    [403, 'forbidden'],
  ]);
  expect(await files()).toBe(before);
});

test('[H156] answers show the PIN to the vendor and the recipient; the database and the events never contain it', async () => {
  const created = await call(house, 'POST /deliveries', {
    token: vendor.key,
    body: aCreate({ drop_off: { ...DROP_OFF, verification: { pin: { type: 'merchant_provided', value: '73195' } } } }),
  });
  const id = String(created.body['id']);
  const [dropOff] = created.body['drop_off'] as { verification: object; tracking_url: string; proof_status: string }[];
  expect(dropOff).toMatchObject({
    verification: { pin: { enabled: true, type: 'merchant_provided', value: '73195' }, picture: false },
    proof_status: 'required',
  });
  const page = await fetch(`${String(dropOff?.tracking_url)}/state`);
  expect(await page.json()).toMatchObject({ pin: '73195' });
  for (const name of ['deliveries', 'events']) {
    const rows = await house.mongo.db.collection(name).find({}).toArray();
    expect(JSON.stringify(rows)).not.toContain('73195');
  }
  const history = await call(house, `GET /deliveries/${id}/history`, { token: vendor.key });
  expect(history.text).not.toContain('73195');
});

test('[H156] the same create with another PIN is a retry, and a random PIN has four digits', async () => {
  const body = (pin: object, externalId: string) =>
    aCreate({ external_id: externalId, drop_off: { ...DROP_OFF, verification: { pin } } });
  const pinOf = ({ body: answer }: Awaited<ReturnType<typeof call>>): unknown =>
    (answer['drop_off'] as { verification: { pin: { value: unknown } } }[])[0]?.verification.pin.value;
  const given = { type: 'merchant_provided', value: '1111' };
  const first = await call(house, 'POST /deliveries', { token: vendor.key, body: body(given, 'pin.1') });
  const again = await call(house, 'POST /deliveries', {
    token: vendor.key,
    body: body({ ...given, value: '2222' }, 'pin.1'),
  });
  expect([first.status, pinOf(first), again.status, pinOf(again)]).toEqual([201, '1111', 200, '1111']);
  const random = await call(house, 'POST /deliveries', { token: vendor.key, body: body({}, 'pin.2') });
  expect(pinOf(random)).toMatch(/^\d{4}$/);
  const phone = await call(house, 'POST /deliveries', {
    token: vendor.key,
    body: body({ type: 'phone_last4' }, 'pin.3'),
  });
  expect(pinOf(phone)).toBe(DROP_OFF.contact.phone.slice(-4));
});

test.each([
  ['a PIN and leave_at_door', { deliverable_action: 'leave_at_door', verification: { pin: {} } }, 'verification/pin'],
  [
    'a signature and leave_at_door',
    { deliverable_action: 'leave_at_door', verification: { signature: {} } },
    'verification/signature',
  ],
  [
    'an age and leave_at_door',
    { deliverable_action: 'leave_at_door', verification: { identification: { min_age: 18 } } },
    'verification/identification',
  ],
  ['a value for a random PIN', { verification: { pin: { value: '1234' } } }, 'verification/pin/value'],
  ['no value for its own PIN', { verification: { pin: { type: 'merchant_provided' } } }, 'verification/pin/value'],
  [
    'a PIN of letters',
    { verification: { pin: { type: 'merchant_provided', value: 'abcd' } } },
    'verification/pin/value',
  ],
])('[H157] a create with %s is refused', async (what, over, field) => {
  const body = aCreate({ drop_off: [{ ...DROP_OFF, ...over }] });
  const answer = await call(house, 'POST /deliveries', { token: vendor.key, body });
  expect([answer.status, answer.body]).toMatchObject([
    what === 'a PIN of letters' ? 400 : 422,
    { errors: [{ pointer: `/drop_off/0/${field}` }] },
  ]);
});

test('[H157] goods that are left at the door are photographed, and a pickup has no PIN', async () => {
  const left = { ...DROP_OFF, deliverable_action: 'leave_at_door' };
  const { body } = await call(house, 'POST /deliveries', { token: vendor.key, body: aCreate({ drop_off: left }) });
  expect(body['drop_off']).toMatchObject([
    { deliverable_action: 'leave_at_door', verification: { picture: true, pin: { enabled: false } } },
  ]);
  const pickup = { ...PICKUP, verification: { pin: {} } };
  const refused = await call(house, 'POST /deliveries', { token: vendor.key, body: aCreate({ pickup }) });
  expect([refused.status, refused.body['code']]).toEqual([400, 'unknown_field']);
});

test('[H385] PATCH adds a PIN, which the vendor and the page of the recipient show', async () => {
  const id = await addDelivery(house, vendor.key, { drop_off: DROP_OFF });
  const patch = (verification: object) =>
    call(house, `PATCH /deliveries/${id}`, { token: vendor.key, body: { drop_off: [{ verification }] } });
  const added = await patch({ pin: { type: 'merchant_provided', value: '0815' }, identification: { min_age: 18 } });
  expect(added.status).toBe(200);
  expect(added.body).toMatchObject({
    drop_off: [{ proof_status: 'required', verification: { pin: { enabled: true }, identification: { min_age: 18 } } }],
  });
  const { body: link } = await call(house, `GET /deliveries/${id}/tracking-url`, { token: vendor.key });
  const state = await call(house, `GET ${new URL(String(link['url'])).pathname}/state`, {});
  expect(state.body).toMatchObject({ pin: '0815' });
  const lower = await patch({ identification: { min_age: 16 } });
  expect(lower).toMatchObject({ status: 409, body: { code: 'update_not_allowed', reason: 'verification_lowered' } });
  expect((await patch({ picture: null })).status).toBe(400);
});

test('[H310] after a crash, a retry has the answer of the first try, also if the stop has ended since', async () => {
  const files = () => house.mongo.collection(FILES).countDocuments();
  const photo = await aPhotoWithPlace();
  const carrier = await addCourier(house);
  const id = await underway({ picture: true }, carrier);
  const headers = { 'idempotency-key': newId('req') };
  const send = async () => {
    const { status, body } = await prove(id, { photo }, { token: carrier.token, headers });
    return [status, body['missing']];
  };
  const first = await send();
  expect(first[0]).toBe(201);
  await deliverStop(house.ctx, { deliveryId: id, stop: 1, overrideReason: 'no satellites' }, as(carrier.id));
  const before = await files();
  await house.mongo.collection(REQUESTS).updateMany({}, { $set: { answer: null, leasedUntil: 0 } });
  expect([await send(), await files()]).toEqual([first, before]);
});
