import { expect, test } from 'vitest';
import { onboardCourier, setCourierState } from '../../../../src/dispatch/couriers/onboard-courier.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { aJpeg, aPdf } from '../../../files/samples.ts';
import { addCourier, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';
import { standingIn } from '../../../../src/domain/couriers/courier.ts';
import { anEntry } from '../../../models/audit/an-entry.ts';

const house = await openHouse('documents', (settings) => ({
  ...settings,
  documents: { ...settings.documents, mostPerDay: 6 },
}));
const [reviewer, other] = [await addStaff(house, 'support'), await addStaff(house, 'admin')];
const dispatcher = await addStaff(house, 'dispatcher');
const picture = await aJpeg();

type Fields = Record<string, string>;
type Person = Awaited<ReturnType<typeof addCourier>>;
const WHOLE = { type: 'id', number: 'L01X00T47', expires_on: '2099-12-31' };

/** Sends a document as a form. */
async function send(
  { id, token }: Pick<Person, 'id' | 'token'>,
  fields: Fields = WHOLE,
  file: { content: Buffer; type: string; name?: string } | null = { content: picture, type: 'image/jpeg' },
  headers: Fields = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== null) {
    form.append(file.name ?? 'file', new Blob([new Uint8Array(file.content)], { type: file.type }), 'x');
  }
  return call(house, `POST /couriers/${id}/documents`, { token, form, headers });
}

let phones = 0;

/** A pending courier with a bicycle. */
async function addPending(): Promise<Person> {
  phones += 1;
  const phone = `+4915200${String(phones).padStart(6, '0')}`;
  const { id } = await onboardCourier(house.ctx, { name: 'Ada Obi', phone, vehicleType: 'bicycle', liveMode: false });
  const { accessToken } = await house.ctx.credentials.grant({ type: 'otp', phone, code: '000000' }, '127.0.0.1');
  return { id, phone, token: accessToken };
}

const decide = (id: unknown, body: object, token = reviewer, headers: Fields = {}) =>
  call(house, `POST /kyc/documents/${String(id)}/decide`, { token, body, headers });

test('[H290] a courier sends a document, reads it with a link to its file, and nobody else does', async () => {
  const courier = await addPending();
  const made = await send(courier);
  expect(made).toMatchObject({ status: 201, body: { object: 'document', type: 'id', status: 'pending' } });
  expect(replyOf('POST /couriers/{id}/documents')?.safeParse(made.body).error).toBeUndefined();
  expect(JSON.stringify(made.body)).not.toContain(WHOLE.number);
  const path = `/couriers/${courier.id}/documents/${String(made.body['id'])}`;
  expect(made.headers.get('location')).toBe(path);
  const read = await call(house, `GET ${path}`, { token: courier.token });
  expect(read).toMatchObject({ status: 200, body: { number: WHOLE.number, reviewer_id: null } });
  expect(replyOf('GET /couriers/{id}/documents/{document_id}')?.safeParse(read.body).error).toBeUndefined();
  const file = await fetch(String((read.body['file'] as { url: string }).url));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const listed = await call(house, `GET /couriers/${courier.id}/documents`, { token: courier.token });
  expect(replyOf('GET /couriers/{id}/documents')?.safeParse(listed.body).error).toBeUndefined();
  expect(listed.body.data).toMatchObject([{ id: made.body['id'], expires_soon: false }]);
  expect(listed.text).not.toMatch(/L01X00T47|\/files\//);
  const stored = JSON.stringify(await house.mongo.db.collection('documents').findOne({ id: made.body['id'] }));
  expect(stored).not.toContain(WHOLE.number);

  const stranger = await addPending();
  const asStranger = await call(house, `GET ${path}`, { token: stranger.token });
  expect(asStranger).toMatchObject({ status: 404, body: { code: 'courier_not_found' } });
  const elsewhere = path.replace(courier.id, stranger.id);
  for (const id of [elsewhere, `/couriers/${courier.id}/documents/doc_x`]) {
    expect((await call(house, `GET ${id}`, { token: other })).body['code']).toBe('document_not_found');
  }
  expect((await call(house, `GET ${path}`, { token: dispatcher })).status).toBe(403);
  expect((await call(house, `GET ${path}`, { token: (await addVendor(house)).key })).status).toBe(403);
  expect((await call(house, `GET ${path}`, { token: reviewer })).status).toBe(200);
});

test('[H291] the form is judged field by field, and a bad one stores nothing', async () => {
  const courier = await addPending();
  const pointerOf = async (...given: [fields?: Fields, file?: Parameters<typeof send>[2]]) => {
    const { status, body } = await send(courier, ...given);
    return [status, (body['errors'] as { pointer: string }[])[0]?.pointer];
  };
  expect(await pointerOf({ ...WHOLE, type: 'passport' })).toEqual([400, '/type']);
  expect(await pointerOf({ type: 'id' })).toEqual([400, '/expires_on']);
  for (const day of ['2099-02-30', '31.12.2099', '2020-01-01', '9999-12-31']) {
    const isDate = ['2020-01-01', '9999-12-31'].includes(day);
    expect(await pointerOf({ ...WHOLE, expires_on: day })).toEqual([isDate ? 422 : 400, '/expires_on']);
  }
  expect(await pointerOf({ ...WHOLE, number: '' })).toEqual([400, '/number']);
  expect(await pointerOf({ ...WHOLE, colour: 'red' })).toEqual([400, '/colour']);
  expect(await pointerOf(WHOLE, null)).toEqual([422, '/file']);
  expect(await pointerOf(WHOLE, { content: picture, type: 'image/jpeg', name: 'photo' })).toEqual([400, '/photo']);
  expect(await pointerOf(WHOLE, { content: Buffer.from('#!/bin/sh'), type: 'image/jpeg' })).toEqual([415, '/file']);
  const evil = aPdf('4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n');
  expect(await pointerOf(WHOLE, { content: evil, type: 'application/pdf' })).toEqual([422, '/file']);
  expect((await call(house, `GET /couriers/${courier.id}/documents`, { token: courier.token })).body.data).toEqual([]);
  expect(await send({ ...courier, id: newId('cou') }, WHOLE)).toMatchObject({ status: 404 });
  expect((await send(courier, WHOLE, { content: aPdf(), type: 'application/pdf' })).status).toBe(201);
});

test('[H291] a retry with the same key adds one document, and a courier has a limit for a day', async () => {
  const courier = await addPending();
  const key = { 'Idempotency-Key': 'one-document' };
  const [first, again] = [await send(courier, WHOLE, undefined, key), await send(courier, WHOLE, undefined, key)];
  expect([again.status, again.body]).toEqual([201, first.body]);
  const more = [];
  for (let at = 0; at < 6; at += 1) more.push((await send(courier)).status);
  expect(more).toEqual([201, 201, 201, 201, 201, 429]);
});

test('[H292] reviewers read the waiting documents, oldest first, page by page, and decide', async () => {
  const [one, two, three] = [await addPending(), await addPending(), await addPending()];
  const ids: unknown[] = [];
  for (const courier of [one, two, three]) ids.push((await send(courier)).body['id']);
  const listed: unknown[] = [];
  for (let path = 'GET /kyc/documents?limit=2&live_mode=false'; path !== 'GET ';) {
    const { body, headers } = await call(house, path, { token: reviewer });
    expect(replyOf('GET /kyc/documents')?.safeParse(body).error).toBeUndefined();
    listed.push(...(body.data ?? []).map(({ id }) => id));
    path = `GET ${/<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''}`;
  }
  expect(listed.filter((id) => ids.includes(id))).toEqual(ids);
  expect((await call(house, 'GET /kyc/documents?live_mode=true', { token: reviewer })).body.data).toEqual([]);

  const [first, second] = ids;
  const reviewed = await call(house, `POST /kyc/documents/${String(first)}/review`, { token: reviewer });
  expect(reviewed).toMatchObject({ status: 200, body: { status: 'in_review', number: WHOLE.number } });
  const read = await call(house, `GET /kyc/documents/${String(first)}`, { token: reviewer });
  expect(read).toMatchObject({ status: 200, body: { id: first, status: 'in_review' } });
  const taken = await call(house, `POST /kyc/documents/${String(first)}/review`, { token: other });
  expect(taken).toMatchObject({ status: 409, body: { code: 'document_decided', metadata: { status: 'in_review' } } });
  expect((await decide(first, { decision: 'approve' }, dispatcher)).status).toBe(403);
  const single = await call(house, `GET /kyc/documents/${String(first)}`, { token: other });
  expect(single).toMatchObject({ status: 200, body: { id: first, status: 'in_review' } });
  const approve = { decision: 'approve', expires_on: '2098-01-31', comment: 'The day was wrong.' };
  expect((await decide(first, approve, reviewer, { 'If-Match': '"1"' })).status).toBe(412);
  const approved = await decide(first, approve, reviewer, { 'If-Match': '"2"' });
  expect(approved).toMatchObject({ status: 200, body: { status: 'approved', expires_on: '2098-01-31', version: 3 } });
  expect(replyOf('POST /kyc/documents/{id}/decide')?.safeParse(approved.body).error).toBeUndefined();
  expect((await decide(first, approve)).status).toBe(200);
  expect((await decide(first, { decision: 'reject', reason: 'other' }, other)).body['code']).toBe('document_decided');
  const rejected = await decide(second, { decision: 'reject', reason: 'unreadable', comment: 'Too dark.' });
  expect(rejected).toMatchObject({ status: 200, body: { status: 'rejected', reason: 'unreadable' } });
  const seen = await call(house, `GET /couriers/${two.id}/documents`, { token: two.token });
  expect(seen.body.data).toMatchObject([{ status: 'rejected', reason: 'unreadable', comment: 'Too dark.' }]);
  const profile = async ({ id }: Person) => (await call(house, `GET /couriers/${id}`, { token: reviewer })).body;
  expect([(await profile(one))['state'], (await profile(two))['state']]).toEqual(['active', 'pending']);

  const wrong = [
    [{ decision: 'reject' }, '/reason'],
    [{ decision: 'approve', reason: 'other' }, '/reason'],
    [{ decision: 'reject', reason: 'other', expires_on: '2098-01-31' }, '/expires_on'],
    [{ decision: 'approve', expires_on: '2020-01-31' }, '/expires_on'],
  ] as const;
  for (const [body, pointer] of wrong) {
    expect((await decide(ids[2], body)).body).toMatchObject({ status: 422, errors: [{ pointer }] });
  }
});

test('[H440] reviewers see the courier beside each document, and the documents that the courier still needs', async () => {
  const courier = await addPending();
  const found = await house.ctx.couriers.get(courier.id);
  await house.ctx.couriers.update(found, { ...found, vehicleType: 'scooter' }, null);
  const id = (await send(courier)).body['id'];
  const listed = async () => {
    const { body } = await call(house, 'GET /kyc/documents?limit=100', { token: reviewer });
    return body.data?.find((document) => document['id'] === id);
  };
  const now = { name: 'Ada Obi', phone: courier.phone, vehicle_type: 'scooter', state: 'pending', status: 'offline' };
  expect(await listed()).toMatchObject({ reviewer_id: null, courier: now });
  const read = await call(house, `GET /kyc/documents/${String(id)}`, { token: reviewer });
  expect(replyOf('GET /kyc/documents/{id}')?.safeParse(read.body).error).toBeUndefined();
  expect(read.body).toMatchObject({ courier: now, missing_documents: ['id', 'license', 'vehicle_insurance'] });
  const taken = await call(house, `POST /kyc/documents/${String(id)}/review`, { token: reviewer });
  expect(await listed()).toMatchObject({ status: 'in_review', reviewer_id: taken.body['reviewer_id'] });
  const approved = await decide(id, { decision: 'approve' });
  expect(approved.body).toMatchObject({ missing_documents: ['license', 'vehicle_insurance'] });
  const own = await call(house, `GET /couriers/${courier.id}/documents`, { token: courier.token });
  expect(own.body.data?.[0]).not.toHaveProperty('courier');
});

test('[A106] decisions and uploads by staff are in the audit log, without the number', async () => {
  const courier = await addPending();
  const sent = await send({ ...courier, token: dispatcher });
  const id = sent.body['id'];
  await decide(id, { decision: 'approve' });
  const log = await call(house, `GET /audit?object=${String(id)}`, { token: other });
  expect(log.body.data?.map(({ action }) => action)).toEqual(['document.decide', 'document.add']);
  expect(log.body.data?.[0]).toMatchObject({ actor: { type: 'staff' }, changes: { status: { to: 'approved' } } });
  expect(log.text).not.toContain(WHOLE.number);
  const own = await send(courier, { ...WHOLE, type: 'license' });
  const ownLog = await call(house, `GET /audit?object=${String(own.body['id'])}`, { token: other });
  expect(ownLog.body.data).toEqual([]);
});

test('[H293] a courier who is not verified learns which documents are missing', async () => {
  const courier = await addPending();
  const online = () =>
    call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  expect(await online()).toMatchObject({
    status: 409,
    body: { code: 'courier_not_verified', reason: 'pending', metadata: { missing_documents: ['id'] } },
  });
  await decide((await send(courier)).body['id'], { decision: 'approve' });
  expect((await online()).status).toBe(200);
});

test('[A107] a courier whose document has expired can log in and send a new one; one whom staff suspend cannot', async () => {
  const courier = await addPending();
  await decide((await send(courier)).body['id'], { decision: 'approve' });
  const active = await house.ctx.couriers.get(courier.id);
  await house.ctx.couriers.setStanding(active, standingIn(active, 'suspended', 'documents'), anEntry());
  const login = () => house.ctx.credentials.grant({ type: 'otp', phone: courier.phone, code: '000000' }, '127.0.0.1');
  await house.ctx.credentials.requestOtp(courier.phone, '127.0.0.1');
  const { accessToken } = await login();
  const profile = await call(house, `GET /couriers/${courier.id}`, { token: accessToken });
  expect(profile.body).toMatchObject({ state: 'suspended', suspended_for: 'documents' });
  const made = await send({ ...courier, token: accessToken });
  expect((await decide(made.body['id'], { decision: 'approve' })).status).toBe(200);
  expect(await house.ctx.couriers.get(courier.id)).toMatchObject({ state: 'active' });
  await setCourierState(house.ctx, { courierId: courier.id, state: 'suspended' }, { type: 'system' });
  await expect(login()).rejects.toMatchObject({ code: 'courier_not_verified' });
});
