import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COURIER_STATES, VEHICLE_TYPES, type Courier } from '../../../../src/domain/couriers/courier.ts';
import { COURIERS } from '../../../../src/models/couriers/courier-rows.ts';
import { aCourier } from '../../../builders.ts';
import { aDocument } from '../../../models/couriers/a-document.ts';
import { addCourier, addStaff, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('profiles');
const staff = await addStaff(house, 'dispatcher');
const admin = await addStaff(house, 'admin');

type Person = Pick<Awaited<ReturnType<typeof addCourier>>, 'id' | 'token'>;
const change = ({ id, token }: Person, body: object, headers: Record<string, string> = {}) =>
  call(house, `PATCH /couriers/${id}`, { token, body, headers });

/** The ids of a list, over all its pages. */
async function listAll(query: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (let path = `GET /couriers?${query}`; path !== 'GET ';) {
    const { status, body, text, headers } = await call(house, path, { token: staff });
    expect([status, text]).toEqual([200, text]);
    expect(replyOf('GET /couriers')?.safeParse(body).error).toBeUndefined();
    ids.push(...(body.data ?? []).map(({ id }) => id));
    path = `GET ${/<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''}`;
  }
  return ids;
}

test('[H294] every combination of filters lists exactly the couriers that match, newest first, on every page', async () => {
  const made: Courier[] = [];
  for (let at = 0; at < 60; at += 1) {
    const state = COURIER_STATES[at % 3] ?? 'active';
    const courier = aCourier({
      name: at % 7 === 0 ? `Zoë Quartz${at % 2}` : 'Ada Obi',
      liveMode: at % 4 === 0,
      kind: at % 10 === 9 ? 'robo' : 'courier',
      state,
      vehicleType: VEHICLE_TYPES[at % 5] ?? 'car',
      availability: state === 'active' && at % 2 === 0 ? 'online' : 'offline',
    });
    expect(await house.ctx.couriers.add(courier, null)).toBe(true);
    made.unshift(courier);
  }
  const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const filters = fc.record({
    live_mode: maybe([true, false]),
    status: maybe(COURIER_STATES),
    availability: maybe(['online', 'offline'] as const),
    vehicle_type: maybe(VEHICLE_TYPES),
    q: maybe(['zoe', 'QUARTZ1 zoë', 'ada', 'nobody', ...made.slice(0, 3).map(({ phone }) => phone)]),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  const matches = (courier: Courier, asked: typeof filters extends fc.Arbitrary<infer T> ? T : never): boolean => {
    const words = courier.name.startsWith('Zoë') ? ['zoe', courier.name.endsWith('1') ? 'QUARTZ1 zoë' : ''] : ['ada'];
    return (
      courier.kind === 'courier' &&
      courier.liveMode === (asked.live_mode ?? courier.liveMode) &&
      courier.state === (asked.status ?? courier.state) &&
      courier.availability === (asked.availability ?? courier.availability) &&
      courier.vehicleType === (asked.vehicle_type ?? courier.vehicleType) &&
      (asked.q === undefined || words.includes(asked.q) || courier.phone === asked.q)
    );
  };
  await fc.assert(
    fc.asyncProperty(filters, async (asked) => {
      const given = Object.entries(asked).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(
        given.map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      const wanted = made.filter((courier) => matches(courier, asked)).map(({ id }) => id);
      expect([query, await listAll(query)]).toEqual([query, wanted]);
    }),
    { numRuns: 60 },
  );
  const [newest] = made.filter(({ kind }) => kind === 'courier');
  expect(await listAll(`q=${newest?.id ?? ''}`)).toEqual([newest?.id]);
  expect(await listAll(`q=${newest?.phone.slice(-6) ?? ''}&live_mode=${String(newest?.liveMode !== true)}`)).toEqual(
    [],
  );
  const courier = await addCourier(house);
  expect((await call(house, 'GET /couriers', { token: courier.token })).status).toBe(403);
});

test('[H295] couriers change how they are reached, staff change everything, and both can use If-Match', async () => {
  const courier = await addCourier(house);
  const own = await change(courier, { email: 'ada@example.com', plate: 'B-AB 1', city: 'Berlin' });
  expect(own).toMatchObject({ status: 200, body: { email: 'ada@example.com', plate: 'B-AB 1', city: 'Berlin' } });
  expect(replyOf('PATCH /couriers/{id}')?.safeParse(own.body).error).toBeUndefined();
  for (const [field, value] of Object.entries({ name: 'Eve', phone: '+4915199999999' })) {
    const refused = await change(courier, { [field]: value });
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ pointer: `/${field}` }] } });
  }
  const version = Number(own.body['version']);
  const stale = await change({ ...courier, token: staff }, { name: 'Eve' }, { 'If-Match': `"${version - 1}"` });
  expect(stale).toMatchObject({ status: 412, body: { metadata: { version } } });
  const changed = await change({ ...courier, token: staff }, { name: 'Eve Adler', email: null });
  expect(changed.body).toMatchObject({ name: 'Eve Adler', email: null, city: 'Berlin', version: version + 1 });
  expect((await change({ ...courier, token: staff }, { name: 'Eve Adler' })).body['version']).toBe(version + 2);
  expect(await listAll('q=adler')).toEqual([courier.id]);
  const log = await call(house, `GET /audit?object=${courier.id}&action=courier.update`, { token: admin });
  const first = { name: { from: expect.any(String), to: 'Eve Adler' }, email: { from: 'ada@example.com', to: null } };
  const byStaff = log.body.data?.filter(({ actor }) => (actor as { type: string }).type === 'staff');
  expect(byStaff?.map(({ changes }) => changes)).toEqual([{}, first]);
});

test('[H295] of many changes at once none is lost', async () => {
  const courier = await addCourier(house);
  const bodies = [{ city: 'Bonn' }, { plate: 'BN-1' }, { email: 'bo@example.com' }, { name: 'Bo' }];
  const answers = await Promise.all(bodies.map((body) => change({ ...courier, token: staff }, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { body } = await call(house, `GET /couriers/${courier.id}`, { token: staff });
  expect(body).toMatchObject({ city: 'Bonn', plate: 'BN-1', email: 'bo@example.com', name: 'Bo' });
});

test('[H296] a new phone moves the claim and ends the sessions, and of two couriers one gets it', async () => {
  const [one, two] = [await addCourier(house), await addCourier(house)];
  const phone = '+4915155500001';
  const answers = await Promise.all([one, two].map(({ id }) => change({ id, token: staff }, { phone })));
  const [won, lost] = answers[0]?.status === 200 ? [one, two] : [two, one];
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'duplicate_courier', metadata: { courier_id: won.id } });
  expect((await house.ctx.couriers.findByPhone(phone, false))?.id).toBe(won.id);
  expect(await house.ctx.couriers.findByPhone(won.phone, false)).toBeNull();
  expect((await house.ctx.couriers.findByPhone(lost.phone, false))?.id).toBe(lost.id);
  expect(await house.ctx.credentials.listSessions({ courierId: won.id })).toEqual([]);
  expect((await change({ id: lost.id, token: staff }, { phone: won.phone })).status).toBe(200);
});

test('[H296] the same phone in a change ends no session', async () => {
  const courier = await addCourier(house);
  const answer = await change({ id: courier.id, token: staff }, { name: 'Nia', phone: courier.phone });
  expect([answer.status, answer.body['name']]).toEqual([200, 'Nia']);
  expect(await house.ctx.credentials.listSessions({ courierId: courier.id })).toHaveLength(1);
});

test('[H297] a vehicle needs its documents, unless staff decide', async () => {
  const courier = await addCourier(house);
  const refused = await change(courier, { vehicle_type: 'car' });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'courier_not_verified', metadata: { missing_documents: ['id', 'license', 'vehicle_insurance'] } },
  });
  expect((await change({ ...courier, token: staff }, { vehicle_type: 'car' })).body['vehicle_type']).toBe('car');
  const pending = aCourier({ state: 'pending', availability: 'offline', vehicleType: 'van' });
  await house.ctx.couriers.add(pending, null);
  const approved = { status: 'approved', expiresOn: '2099-12-31' } as const;
  await house.ctx.documents.add(aDocument({ courierId: pending.id, ...approved }), null);
  const changed = await change({ id: pending.id, token: staff }, { vehicle_type: 'bicycle' });
  expect(changed.body).toMatchObject({ vehicle_type: 'bicycle', state: 'active' });
});

test('[H295] onboarding takes the optional fields, and the database keeps no search words in answers', async () => {
  const body = {
    name: 'Nia Berg',
    phone: '+4915155500009',
    vehicle_type: 'bicycle',
    email: 'nia@example.com',
    city: 'Köln',
  };
  const made = await call(house, 'POST /couriers/onboard', { token: staff, body });
  expect(made).toMatchObject({ status: 201, body: { email: 'nia@example.com', plate: null, city: 'Köln' } });
  const row = await house.mongo.collection(COURIERS).findOne({ _id: String(made.body['id']) });
  expect(row?.terms).toContain('word:nia');
  expect(await house.ctx.couriers.get(row?.id ?? 'cou_x')).not.toHaveProperty('terms');
});
