import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../../../src/domain/access.ts';
import type { Endpoint } from '../../../../src/http/endpoint.ts';
import { POLICY, type Allowed } from '../../../../src/http/policy.ts';
import { ROUTES } from '../../../../src/http/routes.ts';
import { scopeOf } from '../../../../src/http/scopes.ts';
import { VENDOR_KEYS } from '../../../../src/models/access/credential-shapes.ts';
import { until } from '../../../until.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const MOST = 6;
const house = await openHouse('api-keys', (settings) => ({ ...settings, auth: { ...settings.auth, mostKeys: MOST } }));
const rows = house.mongo.collection(VENDOR_KEYS);
let admin: string;

beforeAll(async () => {
  admin = await addStaff(house, 'admin');
});

type Made = { readonly id: string; readonly key: string };
async function make(token: string, body: Record<string, unknown> = {}): Promise<Made> {
  const answer = await call(house, 'POST /vendor/api-keys', { token, body });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  expect(replyOf('POST /vendor/api-keys')?.safeParse(answer.body).error).toBeUndefined();
  return answer.body as Made;
}
const statusOf = async (token: string, route = 'GET /deliveries') => (await call(house, route, { token })).status;
const listed = async (token: string) =>
  (await call(house, 'GET /vendor/api-keys?limit=100', { token })).body.data ?? [];

test('[A94] a key is shown once, works at once, and is listed with name, scopes and last four characters', async () => {
  const vendor = await addVendor(house);
  const made = await make(vendor.key, { name: 'Till 3', scopes: ['deliveries:read'] });
  expect(await statusOf(made.key)).toBe(200);
  const list = await listed(vendor.key);
  expect(list.map(({ id }) => id)).toContain(made.id);
  const shown = list.find(({ id }) => id === made.id);
  expect(shown).toMatchObject({ name: 'Till 3', last4: made.key.slice(-4), status: 'active', created_by: 'vendor' });
  expect(JSON.stringify(list)).not.toContain(made.key);
  expect(await rows.findOne({ keyId: made.id as never })).not.toHaveProperty('key');
});

test('[A100] a key that ends makes and rotates no key that lasts longer', async () => {
  const vendor = await addVendor(house);
  const end = new Date(house.ctx.clock.real.now() + 3_600_000).toISOString();
  const lasting = await make(vendor.key);
  const brief = (await make(vendor.key, { expires_at: end })) as Made & { readonly expires_at: string };
  const later = new Date(Date.parse(end) + 1).toISOString();
  const asked = { token: brief.key, body: { expires_at: later } };
  expect((await call(house, 'POST /vendor/api-keys', asked)).body).toMatchObject({ reason: 'key_outlives_its_maker' });
  const rotate = await call(house, `POST /vendor/api-keys/${lasting.id}/rotate`, { token: brief.key });
  expect([rotate.status, rotate.body['reason']]).toEqual([403, 'key_outlives_its_maker']);
  expect(await make(brief.key)).toMatchObject({ expires_at: brief.expires_at });
});

test('[A100] a key that was rotated makes no key that outlives its overlap, also if the server knew it without an end', async () => {
  const vendor = await addVendor(house);
  const [leaked, other] = [await make(vendor.key), await make(vendor.key)];
  expect(await statusOf(leaked.key)).toBe(200);
  const rotated = await call(house, `POST /vendor/api-keys/${leaked.id}/rotate`, {
    token: vendor.key,
    body: { overlap_hours: 1 },
  });
  expect(rotated.status).toBe(201);
  const made = (await make(leaked.key)) as Made & { readonly expires_at: string };
  const inHours = (Date.parse(made.expires_at) - house.ctx.clock.real.now()) / 3_600_000;
  expect(inHours).toBeGreaterThan(0.9);
  expect(inHours).toBeLessThan(1.01);
  const rotate = await call(house, `POST /vendor/api-keys/${other.id}/rotate`, { token: leaked.key });
  expect([rotate.status, rotate.body['reason']]).toEqual([403, 'key_outlives_its_maker']);
});

test('[A95] a key of one scope is let in by the routes of that scope, and by no other', async () => {
  const vendor = await addVendor(house);
  const mine = ROUTES.filter((row): row is Endpoint => row.kind === 'endpoint').filter(
    ({ route }) => (POLICY[route] as Allowed).vendor !== undefined,
  );
  const wrong: unknown[] = [];
  for (const scope of SCOPES) {
    const { id, key } = await make(vendor.key, { scopes: [scope] });
    for (const { route } of mine) {
      const path = route.replaceAll(/\{\w+\}/g, 'x');
      const body = route.startsWith('GET') ? {} : { body: { no_such_field: 1 } };
      const answer = await call(house, path, { token: key, ...body });
      const isRefused = answer.status === 403;
      if (isRefused === (scopeOf(route) === scope)) wrong.push([scope, route, answer.text]);
      if (isRefused && JSON.stringify(answer.body['metadata']) !== JSON.stringify({ scope: scopeOf(route) }))
        wrong.push([scope, route, answer.text]);
    }
    await call(house, `DELETE /vendor/api-keys/${id}`, { token: vendor.key });
  }
  expect(wrong).toEqual([]);
  expect(mine.length).toBeGreaterThan(20);
});

test('[A95] a key gives no more than it has, by a new key or by a rotation', async () => {
  const vendor = await addVendor(house);
  const small = await make(vendor.key, { scopes: ['keys:write', 'keys:read'] });
  const body = { scopes: ['keys:write', 'billing:read'] };
  const more = await call(house, 'POST /vendor/api-keys', { token: small.key, body });
  expect(more.body).toMatchObject({ code: 'insufficient_scope', metadata: { scope: 'billing:read' } });
  const [first] = (await listed(vendor.key)).filter(({ id }) => id !== small.id);
  const rotated = await call(house, `POST /vendor/api-keys/${String(first?.['id'])}/rotate`, { token: small.key });
  expect([rotated.status, rotated.body['code']]).toEqual([403, 'insufficient_scope']);
  expect((await make(small.key)) as object).toMatchObject({ scopes: ['keys:write', 'keys:read'] });
});

test('[A96] a rotated key stays valid for the overlap and then ends; without overlap it ends at once', async () => {
  const vendor = await addVendor(house);
  const old = await make(vendor.key, { name: 'Shop' });
  expect(await statusOf(old.key)).toBe(200);
  const next = await call(house, `POST /vendor/api-keys/${old.id}/rotate`, {
    token: old.key,
    body: { overlap_hours: 1 },
  });
  expect(next.body).toMatchObject({ name: 'Shop', status: 'active' });
  const { key, id } = next.body as Made;
  expect([await statusOf(old.key), await statusOf(key)]).toEqual([200, 200]);
  const again = await call(house, `POST /vendor/api-keys/${old.id}/rotate`, { token: key });
  expect([again.status, again.body['code']]).toEqual([409, 'api_key_ended']);
  // An hour later: the stored end is the rule, and the server's clock cannot be moved here.
  const before = await rows.findOne({ keyId: old.id as never });
  expect(before).toMatchObject({ replacedBy: id });
  expect(Math.abs((before?.expiresAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  const last = await call(house, `POST /vendor/api-keys/${id}/rotate`, { token: key, body: { overlap_hours: 0 } });
  expect([last.status, await statusOf(key)]).toEqual([201, 401]);
  const long = await call(house, `POST /vendor/api-keys/${id}/rotate`, {
    token: vendor.key,
    body: { overlap_hours: 169 },
  });
  expect(long.status).toBe(400);
});

test('[A97] a key that is revoked while the body of its request arrives is refused, and has done nothing', async () => {
  const vendor = await addVendor(house);
  const leaked = await make(vendor.key);
  const before = (await listed(vendor.key)).length;
  const sending = request(`${house.url}/vendor/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${leaked.key}`, 'content-type': 'application/json', 'content-length': 2 },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write('{');
  // The use of the key is stored after it has been let in.
  await until(async () =>
    (await listed(vendor.key)).some(({ id, last_used_at: at }) => id === leaked.id && at !== null),
  );
  expect((await call(house, `DELETE /vendor/api-keys/${leaked.id}`, { token: vendor.key })).status).toBe(204);
  sending.end('}');
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(401);
  expect(await listed(vendor.key)).toHaveLength(before);
});

test('[A97] a revoked or expired key is refused at once, although it was cached', async () => {
  const vendor = await addVendor(house);
  const revoked = await make(vendor.key);
  expect(await statusOf(revoked.key)).toBe(200);
  let [expiring, soon] = [revoked, ''];
  // On a busy machine a key may expire before its first use.
  await until(async () => {
    soon = new Date(Date.now() + 2000).toISOString();
    expiring = await make(vendor.key, { expires_at: soon });
    return (await statusOf(expiring.key)) === 200;
  });
  const ends = await call(house, `DELETE /vendor/api-keys/${revoked.id}`, { token: vendor.key });
  expect([ends.status, await statusOf(revoked.key)]).toEqual([204, 401]);
  expect((await call(house, `DELETE /vendor/api-keys/${revoked.id}`, { token: vendor.key })).status).toBe(204);
  await until(async () => (await statusOf(expiring.key)) === 401);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
  expect(await house.ctx.credentials.listEnded([revoked.id as never, expiring.id as never])).toEqual(
    new Set([revoked.id, expiring.id]),
  );
  const past = await call(house, 'POST /vendor/api-keys', {
    token: vendor.key,
    body: { expires_at: '2020-01-01T00:00:00Z' },
  });
  expect(past.status).toBe(422);
});

test('[A98] an account has at most so many keys in one mode, also if many are made at once', async () => {
  const vendor = await addVendor(house);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => call(house, 'POST /vendor/api-keys', { token: vendor.key, body: {} })),
  );
  const codes = all.map(({ status, body }) => (status === 201 ? 'made' : String(body['code']))).toSorted();
  expect(codes).toEqual([...Array(MOST - 1).fill('made'), ...Array(10 - MOST + 1).fill('too_many_api_keys')]);
  const other = await house.ctx.credentials.addVendorKey(vendor.id, true);
  expect(await statusOf(other.key)).toBe(200);
});

test('[A99] the last use of a key is stored, at most once a minute', async () => {
  const vendor = await addVendor(house);
  const { id, key } = await make(vendor.key);
  expect(await rows.findOne({ keyId: id as never })).not.toHaveProperty('lastUsedAt');
  await statusOf(key);
  await until(async () => (await rows.findOne({ keyId: id as never }))?.lastUsedAt !== undefined);
  const first = (await rows.findOne({ keyId: id as never }))?.lastUsedAt;
  for (let at = 0; at < 5; at += 1) await statusOf(key);
  // Uses of the same second are stored together.
  const other = await make(vendor.key);
  await statusOf(other.key);
  await until(async () => (await rows.findOne({ keyId: other.id as never }))?.lastUsedAt !== undefined);
  expect((await rows.findOne({ keyId: id as never }))?.lastUsedAt).toBe(first);
});

test('[A99] the uses of several keys in a second are stored together', async () => {
  const vendor = await addVendor(house);
  const keys = [await make(vendor.key), await make(vendor.key), await make(vendor.key)];
  for (const { key } of keys) await statusOf(key);
  const usesOf = async () =>
    (await rows.find({ keyId: { $in: keys.map(({ id }) => id as never) } }).toArray()).map(
      ({ lastUsedAt }) => lastUsedAt,
    );
  await until(async () => (await usesOf()).every((at) => at !== undefined));
  expect(new Set(await usesOf()).size).toBe(1);
});

test('[A100] admins manage the keys of a vendor; another vendor or mode finds nothing; everything is audited', async () => {
  const [vendor, stranger] = [await addVendor(house), await addVendor(house)];
  const made = await make(admin, { vendor_id: vendor.id, live_mode: true, scopes: ['wallets:read'] });
  expect(made.key).toMatch(/^dsk_live_/);
  for (const token of [stranger.key, vendor.key]) {
    const revoke = await call(house, `DELETE /vendor/api-keys/${made.id}`, { token });
    expect([revoke.status, revoke.body['code']]).toEqual([404, 'api_key_not_found']);
  }
  expect((await call(house, `DELETE /vendor/api-keys/${made.id}`, { token: admin })).status).toBe(204);
  const log = await call(house, `GET /audit?object=${made.id}`, { token: admin });
  expect(log.body.data?.map(({ action, actor }) => [action, actor])).toMatchObject([
    ['api_key.revoke', { type: 'staff' }],
    ['api_key.create', { type: 'staff' }],
  ]);
  expect(log.text).not.toContain(made.key);
  const none = await call(house, 'POST /vendor/api-keys', { token: admin, body: {} });
  expect(none.status).toBe(422);
});
