import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { STAFF } from '../../../../src/models/access/credential-shapes.ts';
import { addCourier, call, openHouse, type Answer } from '../../house.ts';
import { crashAfterEffect } from '../../idempotency/crash-after-effect.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('staff-http');
const PASSWORD = 'a long enough password';

type Desk = { readonly id: string; readonly email: string; readonly token: string; readonly refresh: string };

/** A member of staff who is logged in. */
async function desk(...roles: ('admin' | 'dispatcher' | 'finance')[]): Promise<Desk> {
  const email = `${newId('stf')}@example.org`;
  const id = await house.ctx.credentials.addStaff({ email, password: PASSWORD, roles });
  return { id: id ?? '', email, ...(await logIn(email)) };
}

async function logIn(email: string, password = PASSWORD, agent = 'console/1') {
  const body = { grant_type: 'password', email, password };
  const answer = await call(house, 'POST /auth/token', { body, headers: { 'user-agent': agent } });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return { token: String(answer.body['access_token']), refresh: String(answer.body['refresh_token']) };
}

const told = ({ status, body }: Answer) => (status < 400 ? status : body['code']);
const statusOf = async (token: string) => (await call(house, 'GET /deliveries', { token })).status;

let admin: Desk;

beforeEach(async () => {
  // Each test decides how many admins there are.
  await house.mongo.collection(STAFF).deleteMany({});
  admin = await desk('admin');
});

test('[A101] a session is listed with its program and network, and ends at once', async () => {
  const other = await logIn(admin.email, PASSWORD, 'phone/2');
  const list = await call(house, 'GET /auth/sessions', { token: admin.token });
  expect(list.body.data).toMatchObject([
    { object: 'session', device: 'phone/2', network: '127.0.0.1', is_current: false },
    { object: 'session', device: 'console/1', network: '127.0.0.1', is_current: true },
  ]);
  const id = String(list.body.data?.[0]?.['id']);
  const stranger = await desk('dispatcher');
  const courier = await addCourier(house);
  for (const token of [stranger.token, courier.token]) {
    expect(told(await call(house, `DELETE /auth/sessions/${id}`, { token }))).toBe('session_not_found');
  }
  expect(told(await call(house, `DELETE /auth/sessions/${id}`, { token: admin.token }))).toBe(204);
  expect([await statusOf(other.token), await statusOf(admin.token)]).toEqual([401, 200]);
  const third = await logIn(admin.email);
  const others = await call(house, 'DELETE /auth/sessions', { token: admin.token });
  expect(others.body).toMatchObject({ object: 'ended_sessions', ended: 1 });
  expect([await statusOf(third.token), await statusOf(admin.token)]).toEqual([401, 200]);
  const all = await call(house, 'DELETE /auth/sessions?keep_current=false', { token: admin.token });
  expect([all.body['ended'], await statusOf(admin.token)]).toEqual([1, 401]);
});

test('[H441] a login and a refresh of staff answer with their roles, those of a courier with none', async () => {
  const member = await desk('dispatcher', 'finance');
  const body = { grant_type: 'refresh_token', refresh_token: member.refresh };
  const renewed = await call(house, 'POST /auth/token', { body });
  expect(renewed.body).toMatchObject({ staff_id: member.id, roles: ['dispatcher', 'finance'] });
  expect(replyOf('POST /auth/token')?.safeParse(renewed.body).error).toBeUndefined();
  const { phone } = await addCourier(house);
  const asCourier = await call(house, 'POST /auth/token', { body: { grant_type: 'otp', phone, code: '000000' } });
  expect([asCourier.status, 'roles' in asCourier.body]).toEqual([200, false]);
});

test('[A101] an admin ends the sessions of a courier and of a member of staff', async () => {
  const courier = await addCourier(house);
  const dispatcher = await desk('dispatcher');
  const both = [`/couriers/${courier.id}`, `/staff/${dispatcher.id}`];
  for (const path of both) {
    expect(told(await call(house, `POST ${path}/end-sessions`, { token: dispatcher.token }))).toBe('forbidden');
    const ended = await call(house, `POST ${path}/end-sessions`, { token: admin.token });
    expect(ended.body).toMatchObject({ ended: 1 });
  }
  expect(told(await call(house, `GET /couriers/${courier.id}`, { token: courier.token }))).toBe('unauthorized');
  expect(await statusOf(dispatcher.token)).toBe(401);
});

test('[A102] an admin adds staff, who log in with the random password; a change of roles or password ends sessions', async () => {
  const email = `${newId('stf')}@example.org`;
  const { token } = admin;
  const added = await call(house, 'POST /staff', { token, body: { email, roles: ['support'] } });
  expect([added.status, added.body['email']]).toEqual([201, email]);
  const again = await call(house, 'POST /staff', { token, body: { email: email.toUpperCase(), roles: ['admin'] } });
  expect(told(again)).toBe('duplicate_staff');
  const first = await logIn(email, String(added.body['password']));
  const id = String(added.body['id']);
  const changed = await call(house, `PATCH /staff/${id}`, { token, body: { roles: ['finance', 'finance'] } });
  expect(changed.body).toMatchObject({ id, roles: ['finance'] });
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh };
  expect([await statusOf(first.token), told(await call(house, 'POST /auth/token', { body: refresh }))]).toEqual([
    401,
    'unauthorized',
  ]);
  const reset = await call(house, `POST /staff/${id}/reset`, { token, body: { password: 'another long password' } });
  expect([reset.status, reset.body['password']]).toEqual([200, undefined]);
  await logIn(email, 'another long password');
  const list = await call(house, 'GET /staff', { token });
  expect(list.body.data?.map((one) => one['id'])).toEqual([id, admin.id]);
  const log = await call(house, `GET /audit?object=${id}`, { token });
  expect(log.body.data?.map(({ action, changes }) => [action, changes])).toEqual([
    ['staff.reset', {}],
    ['staff.roles', { roles: { from: ['support'], to: ['finance'] } }],
    ['staff.add', { email: { from: null, to: email }, roles: { from: null, to: ['support'] } }],
  ]);
  expect(log.text).not.toContain('password');
});

test('[A103] two admins who remove or change each other at once leave one admin', async () => {
  for (const attack of ['DELETE', 'PATCH'] as const) {
    const other = await desk('admin');
    const on = (by: Desk, id: string) =>
      call(house, `${attack} /staff/${id}`, {
        token: by.token,
        ...(attack === 'PATCH' ? { body: { roles: ['support'] } } : {}),
      });
    const answers = await Promise.all([on(admin, other.id), on(other, admin.id)]);
    // The loser may also have lost the session before the request was admitted.
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await house.mongo.collection(STAFF).countDocuments({ roles: 'admin' })).toBe(1);
    await house.mongo.collection(STAFF).deleteMany({});
    admin = await desk('admin');
  }
  expect(told(await call(house, `DELETE /staff/${admin.id}`, { token: admin.token }))).toBe('last_admin');
  const demotion = { token: admin.token, body: { roles: ['dispatcher'] } };
  expect(told(await call(house, `PATCH /staff/${admin.id}`, demotion))).toBe('last_admin');
  expect(await statusOf(admin.token)).toBe(200);
});

test('[A104] the own password needs the present one, and the change ends all sessions', async () => {
  const own = (current: string, token = admin.token) =>
    call(house, 'POST /staff/me/password', {
      token,
      body: { current_password: current, new_password: 'a password of my own' },
    });
  expect(told(await own('not my password'))).toBe('wrong_password');
  expect(told(await own(PASSWORD))).toBe(204);
  expect(await statusOf(admin.token)).toBe(401);
  const { token } = await logIn(admin.email, 'a password of my own');
  const tries: unknown[] = [];
  for (let at = 0; at < 8; at += 1) tries.push(told(await own('a guess', token)));
  expect(tries.at(-1)).toBe('too_many_requests');
});

test('[A102] a removal that was cut off ends the sessions when it is repeated', async () => {
  const gone = await desk('dispatcher');
  const removed = { passwordHash: '', roles: [], removedAt: house.ctx.clock.real.now() };
  await house.mongo.collection(STAFF).updateOne({ _id: gone.email }, { $set: removed });
  expect(await statusOf(gone.token)).toBe(200);
  expect(told(await call(house, `DELETE /staff/${gone.id}`, { token: admin.token }))).toBe('staff_not_found');
  expect(await statusOf(gone.token)).toBe(401);
});

test('[A102] a repeated removal by e-mail ends the sessions that a cut-off one has left', async () => {
  const gone = await desk('dispatcher');
  const removed = { passwordHash: '', roles: [], removedAt: house.ctx.clock.real.now() };
  await house.mongo.collection(STAFF).updateOne({ _id: gone.email }, { $set: removed });
  expect(await house.ctx.staff.endRemoved(gone.email.toUpperCase())).toBe(gone.id);
  expect(await statusOf(gone.token)).toBe(401);
  const present = await desk('dispatcher');
  expect(await house.ctx.staff.endRemoved(present.email)).toBeNull();
  expect(await statusOf(present.token)).toBe(200);
});

test('[A104] a retry of a password change whose answer was lost succeeds', async () => {
  const own = (token: string) =>
    call(house, 'POST /staff/me/password', {
      token,
      headers: { 'idempotency-key': `own-${admin.id}` },
      body: { current_password: PASSWORD, new_password: 'a password of my own' },
    });
  expect(told(await own(admin.token))).toBe(204);
  await crashAfterEffect(house);
  const { token } = await logIn(admin.email, 'a password of my own');
  expect(told(await own(token))).toBe(204);
  expect(await statusOf(token)).toBe(401);
});

test('[A105] an account that is added again has a new id, and no old session', async () => {
  const gone = await desk('dispatcher');
  expect(told(await call(house, `DELETE /staff/${gone.id}`, { token: admin.token }))).toBe(204);
  for (const path of [`DELETE /staff/${gone.id}`, `POST /staff/${gone.id}/reset`]) {
    expect(told(await call(house, path, { token: admin.token }))).toBe('staff_not_found');
  }
  const log = await call(house, 'POST /auth/token', {
    body: { grant_type: 'password', email: gone.email, password: PASSWORD },
  });
  expect(log.status).toBe(401);
  const body = { email: gone.email, roles: ['dispatcher'], password: PASSWORD };
  const again = await call(house, 'POST /staff', { token: admin.token, body });
  expect([again.status, again.body['id'] === gone.id]).toEqual([201, false]);
  const refresh = { grant_type: 'refresh_token', refresh_token: gone.refresh };
  expect(told(await call(house, 'POST /auth/token', { body: refresh }))).toBe('unauthorized');
  expect(await statusOf(gone.token)).toBe(401);
});
