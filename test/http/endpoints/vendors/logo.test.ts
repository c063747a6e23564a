import sharp from 'sharp';
import { expect, test } from 'vitest';
import { removeFiles } from '../../../../src/dispatch/due/remove-files.ts';
import { newId, type DeliveryId, type FileId } from '../../../../src/domain/ids.ts';
import { AUDIT } from '../../../../src/models/audit-shapes.ts';
import { DELIVERIES } from '../../../../src/models/deliveries/delivery-shape.ts';
import { aPdf, aPhotoWithPlace, aPicture, aPng, aWebp } from '../../../files/samples.ts';
import { addServer, addStaff, call, type Answer } from '../../house.ts';
import { wrongProblem } from '../../routes.ts';
import { openShop, pointersOf } from './shop.ts';

const { house, vendor, other, staff, asked, create } = await openShop('vendor logo');
const { ctx, mongo } = house;
const rows = mongo.db.collection<{ _id: string; endsAt: number | null }>('files');

type Logo = { readonly url: string; readonly expires_at: string } | null;

/** Sends a picture as the logo. */
async function put(
  content: Buffer,
  { token = vendor.key, type = 'image/png', headers = {}, fields = {}, name = 'logo' } = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  form.append(name, new Blob([new Uint8Array(content)], { type }), 'logo.png');
  return call(house, 'POST /vendor/profile/logo', { token, form, headers });
}

const logoOf = ({ body }: Answer): Logo => (body['branding'] as { logo: Logo }).logo;
const profile = () => asked('GET /vendor/profile', vendor.key);
const storedLogo = async (): Promise<FileId | null> => (await ctx.vendors.get(vendor.id)).logo;
const endOf = async (id: string) => (await rows.findOne({ _id: id }))?.endsAt;
const entries = () =>
  mongo
    .collection(AUDIT)
    .find({ objectId: vendor.id, 'changes.logo': { $exists: true } })
    .sort({ _id: 1 })
    .toArray();

test('[H373] a vendor sets, replaces and removes their logo, and each edit is audited with both files', async () => {
  expect(logoOf(await profile())).toBeNull();
  const set = await put(await aPng(), { headers: { 'if-match': '"1"' } });
  expect([set.status, set.headers.get('etag'), set.body['version']]).toEqual([200, '"2"', 2]);
  const first = await storedLogo();
  const link = logoOf(await profile());
  expect(link).toEqual({ url: expect.stringContaining(`/files/${first}.`) as string, expires_at: expect.any(String) });
  const sent = await fetch(link?.url ?? '');
  expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(await endOf(first ?? '')).toBeNull();
  const byStaff = await put(await aWebp(), { token: staff, type: 'image/webp', fields: { vendor_id: vendor.id } });
  expect([byStaff.status, byStaff.body['version']]).toEqual([200, 3]);
  const second = await storedLogo();
  expect(await endOf(second ?? '')).toBeNull();
  expect(await endOf(first ?? '')).toBeGreaterThan(ctx.clock.now() + ctx.settings.files.linkRealMs);
  expect((await fetch(link?.url ?? '')).status).toBe(200);
  const removed = await call(house, 'DELETE /vendor/profile/logo', {
    token: vendor.key,
    headers: { 'if-match': '"3"' },
  });
  expect([removed.status, logoOf(await profile())]).toEqual([204, null]);
  expect(await endOf(second ?? '')).toBeGreaterThan(ctx.clock.now() + ctx.settings.files.linkRealMs);
  const again = await call(house, `DELETE /vendor/profile/logo?vendor_id=${vendor.id}`, { token: staff });
  expect([again.status, (await profile()).body['version']]).toEqual([204, 4]);
  expect((await entries()).map(({ action, actor, changes }) => [action, actor.type, changes['logo']])).toEqual([
    ['vendor.update', 'vendor', { from: null, to: first }],
    ['vendor.update', 'staff', { from: first, to: second }],
    ['vendor.update', 'vendor', { from: second, to: null }],
  ]);
});

test('[H560] the removal of a logo may be repeated with the version of the first try, and changes nothing then', async () => {
  const set = await put(await aPng());
  const version = Number(set.body['version']);
  const told = (await entries()).length;
  const headers = { 'if-match': `"${version}"` };
  const remove = () => call(house, 'DELETE /vendor/profile/logo', { token: vendor.key, headers });
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
  expect((await profile()).body['version']).toBe(version + 1);
  expect((await entries()).length).toBe(told + 1);
});

test('[H373] a refused form or request changes neither the logo nor the log', async () => {
  await put(await aPng());
  const [before, told] = [await ctx.vendors.get(vendor.id), (await entries()).length];
  const png = await aPng();
  const finance = await addStaff(house, 'finance');
  const nothing = await call(house, 'POST /vendor/profile/logo', { token: vendor.key, form: new FormData() });
  const refusals: [Answer, number, string][] = [
    [nothing, 422, 'impossible_value'],
    [await put(png, { name: 'photo' }), 400, 'unknown_field'],
    [await put(png, { token: finance, fields: { vendor_id: vendor.id } }), 403, 'forbidden'],
    [await put(aPdf(), { type: 'application/pdf' }), 415, 'unsupported_media_type'],
    [
      await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), { type: 'image/svg+xml' }),
      415,
      'unsupported_media_type',
    ],
    [await put(png.subarray(0, png.length / 2)), 422, 'file_not_accepted'],
    [await put(await aWebp(), { type: 'image/webp', headers: { 'if-match': '"1"' } }), 412, 'stale_version'],
    [await put(png, { token: other.key, fields: { vendor_id: vendor.id } }), 404, 'vendor_not_found'],
    [await put(png, { token: staff, fields: { vendor_id: newId('ven') } }), 404, 'vendor_not_found'],
    [
      await call(house, `DELETE /vendor/profile/logo?vendor_id=${vendor.id}`, { token: other.key }),
      404,
      'vendor_not_found',
    ],
    [
      await call(house, 'DELETE /vendor/profile/logo', { token: vendor.key, headers: { 'if-match': '"1"' } }),
      412,
      'stale_version',
    ],
  ];
  expect(refusals.map(([answer]) => [answer.status, answer.body['code'], wrongProblem(answer)])).toEqual(
    refusals.map(([, status, code]) => [status, code, null]),
  );
  const nameless = await put(png, { token: staff });
  expect([nameless.status, pointersOf(nameless)]).toEqual([422, ['/vendor_id']]);
  expect(await ctx.vendors.get(vendor.id)).toEqual(before);
  expect((await entries()).length).toBe(told);
});

test('[H373] two processes that set a logo at once leave one, and the end of the other', async () => {
  await Promise.all([put(await aPng()), put(await aWebp(), { type: 'image/webp' })]);
  const kept = await rows.find({ subject: vendor.id, endsAt: null } as object).toArray();
  expect(kept.map(({ _id }) => _id)).toEqual([await storedLogo()]);
});

test('[H374] a logo has no metadata and at most 512 pixels, and retention removes it after it was replaced', async () => {
  const large = await aPicture({ width: 1600, height: 400 }).webp().toBuffer();
  const shown = logoOf(await put(large, { type: 'image/webp' }));
  const { width, height, format } = await sharp(
    Buffer.from(await (await fetch(shown?.url ?? '')).arrayBuffer()),
  ).metadata();
  expect({ width, height, format }).toEqual({ width: 512, height: 128, format: 'webp' });
  const old = await storedLogo();
  const next = logoOf(await put(await aPhotoWithPlace(), { type: 'image/jpeg' }));
  const content = Buffer.from(await (await fetch(next?.url ?? '')).arrayBuffer());
  expect(content.includes('SecretPhone')).toBe(false);
  const sweep = (now: number) => removeFiles({ files: ctx.files, clock: { ...ctx.clock, now: () => now } })(() => true);
  const endsAt = (await endOf(old ?? '')) ?? 0;
  await sweep(endsAt);
  expect(await ctx.files.find(old!)).not.toBeNull();
  await sweep(endsAt + 1);
  expect(await ctx.files.find(old!)).toBeNull();
  await sweep(Number.MAX_SAFE_INTEGER);
  expect(await ctx.files.find((await storedLogo())!)).not.toBeNull();
});

test('[H374] an upload whose edit fails is a file that ends, and the logo stays', async () => {
  const before = await storedLogo();
  const failing = { ...ctx.vendors, replace: () => Promise.reject(new Error('the process ends here')) };
  const { url } = await addServer(house, { vendors: failing });
  const form = new FormData();
  form.append('logo', new Blob([new Uint8Array(await aPng())], { type: 'image/png' }), 'logo.png');
  expect((await call({ url }, 'POST /vendor/profile/logo', { token: vendor.key, form })).status).toBe(500);
  const [orphan] = await rows
    .find({ subject: vendor.id } as object)
    .sort({ createdAt: -1 })
    .limit(1)
    .toArray();
  expect(orphan?.endsAt).toBeGreaterThan(0);
  expect(await storedLogo()).toBe(before);
});

test('[H375] the tracking link sends the logo and its state names it', async () => {
  const { body } = await create();
  const path = new URL(String(body['tracking_url'])).pathname;
  await put(await aPng());
  const logo = await storedLogo();
  const state = await call(house, `GET ${path}/state`);
  expect(state.body['vendor']).toMatchObject({ logo });
  const sent = await fetch(`${house.url}${path}/logo?v=${logo}`);
  expect([sent.status, (await sharp(Buffer.from(await sent.arrayBuffer())).metadata()).format]).toEqual([200, 'png']);
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=900, no-transform',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect((await fetch(`${house.url}${path}/logo`, { method: 'HEAD' })).headers.get('content-length')).toBe(
    sent.headers.get('content-length'),
  );
  await call(house, 'DELETE /vendor/profile/logo', { token: vendor.key });
  const absent = await call(house, `GET ${path}/logo`);
  expect([absent.status, absent.body['code'], absent.headers.get('cache-control')]).toEqual([
    404,
    'file_not_found',
    'no-store',
  ]);
  const unknown = await call(house, 'GET /t/unknown/logo');
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'tracking_link_not_found']);
  await mongo
    .collection(DELIVERIES)
    .updateOne({ _id: String(body['id']) as DeliveryId }, { $set: { 'times.createdAt': 1 } });
  const expired = await call(house, `GET ${path}/logo`);
  expect([expired.status, expired.body['code']]).toEqual([410, 'tracking_link_expired']);
});
