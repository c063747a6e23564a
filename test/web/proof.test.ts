import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { aJpeg } from '../files/samples.ts';
import { DESK, launch, openConsole, PHONE, UNREADABLE, visit } from './browser.ts';
import { assign, orderAll, startCourier, type TestCourier } from './world.ts';

let server: TestServer;
let browser: Browser;
let courier: TestCourier;

beforeAll(async () => {
  server = await startServer(testEngines('web proof'));
  browser = await launch();
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

const WHY = { override_reason: 'test' };

/** Sends a form with proof of the drop-off. */
async function prove(id: string, parts: Record<string, string | Buffer>, by: TestCourier = courier): Promise<void> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([new Uint8Array(part)], { type: 'image/jpeg' }), 'picture.jpg');
  }
  const headers = { authorization: `Bearer ${by.token}` };
  const url = `${server.baseUrl}/deliveries/${id}/stops/1/proof`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(201);
}

test('[H386] the console shows the required proof and the PIN, and then what was given with its pictures', async () => {
  const verification = {
    picture: true,
    signature: { collect_name: true },
    pin: { type: 'merchant_provided', value: '4711' },
    barcodes: [{ value: 'BOX-1', type: 'QR' }],
  };
  const { id } = await orderAll(server, 'proven', [{ east: 0.02, north: 0.012, verification }]);
  const staffToken = await logIn(server.baseUrl, server.demo.staff);
  await assign(server, staffToken, { id, url: '' }, courier.id);
  const { page, shoot, faults } = await visit(browser, DESK);
  await page.goto(`${server.baseUrl}/console`);
  await page.getByLabel('Email').fill(server.demo.staff.email);
  await page.getByLabel('Password').fill(server.demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('.row', { hasText: 'proven' }).click();
  const parts = page.getByRole('list', { name: 'Proof of this stop' }).getByRole('listitem');
  await parts.filter({ hasText: 'PIN 4711: missing' }).waitFor();
  await page.getByText('Age of 18 or more: missing').waitFor({ state: 'detached' });
  const body = { drop_off: [{ verification: { identification: { min_age: 18 } } }] };
  const raised = await call(server.baseUrl, `PATCH /deliveries/${id}`, { token: server.demo.vendor.api_key, body });
  expect(raised.status).toBe(200);
  await parts.filter({ hasText: 'Age of 18 or more: missing' }).waitFor();
  await courier.act('delivery.pick_up', { delivery_id: id, ...WHY });
  await courier.act('delivery.depart', { delivery_id: id, ...WHY });
  await prove(id, { photo: await aJpeg(), pin: '4711', barcodes: 'BOX-1' });
  await prove(id, { signature: await aJpeg(), signature_name: 'Robin Roe', age_verified: 'true' });
  await courier.act('delivery.deliver', { delivery_id: id, stop: 1, ...WHY });
  await parts.filter({ hasText: 'Signature of Robin Roe: done' }).waitFor();
  for (const done of ['Photo: done', 'PIN 4711: done', 'Barcode BOX-1: done', 'Age of 18 or more: done'])
    await parts.filter({ hasText: done }).waitFor();
  const photo = page.getByRole('img', { name: 'Photo 1' });
  await expect.poll(() => photo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBe(32);
  await photo.scrollIntoViewIfNeeded();
  await shoot('console-1280-proof');
  await page.setViewportSize(PHONE);
  await photo.scrollIntoViewIfNeeded();
  await shoot('console-360-proof');
  expect(faults).toEqual([]);
});

test('[V105] the console never shows the proof of a delivery with another one', async () => {
  const staffToken = await logIn(server.baseUrl, server.demo.staff);
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  const photo = page.getByRole('img', { name: 'Photo 1' });
  const begin = async (name: string, by: TestCourier): Promise<string> => {
    const { id } = await orderAll(server, name, [{ east: 0.02, north: 0.012, verification: { picture: true } }]);
    await assign(server, staffToken, { id, url: '' }, by.id);
    await by.act('delivery.pick_up', { delivery_id: id, ...WHY });
    await by.act('delivery.depart', { delivery_id: id, ...WHY });
    await prove(id, { photo: await aJpeg() }, by);
    return id;
  };
  const other = await startCourier(server, 1, server.demo.center);
  onTestFinished(() => void other.socket.close());
  const first = await begin('shown-1', courier);
  const second = await begin('shown-2', other);
  // The console has both proofs begun before the second one is never answered again.
  for (const name of ['shown-2', 'shown-1']) {
    await page.locator('.row', { hasText: name }).click();
    await page.locator('.detail').getByRole('heading', { name }).waitFor();
    await photo.waitFor();
  }
  await page.route(`**/deliveries/${second}/proof`, () => undefined);
  await page.locator('.row', { hasText: 'shown-2' }).click();
  await page.locator('.detail').getByRole('heading', { name: 'shown-2' }).waitFor();
  expect(await photo.count()).toBe(0);
  await courier.act('delivery.deliver', { delivery_id: first, stop: 1, ...WHY });
  await page.context().close();
});

test('[V120] a proof that cannot be read is read again by itself, and so is one whose links end', async () => {
  const { id } = await orderAll(server, 'read-again', [{ east: 0.02, north: 0.012, verification: { picture: true } }]);
  await assign(server, await logIn(server.baseUrl, server.demo.staff), { id, url: '' }, courier.id);
  await courier.act('delivery.pick_up', { delivery_id: id, ...WHY });
  await courier.act('delivery.depart', { delivery_id: id, ...WHY });
  await prove(id, { photo: await aJpeg() });
  const { page } = await visit(browser, DESK);
  let reads = 0;
  await page.clock.install();
  await page.route(`**/deliveries/${id}/proof`, async (route) => {
    reads += 1;
    if (reads === 1) return route.fulfill(UNREADABLE);
    const response = await route.fetch();
    const text = await response.text();
    const soon = new Date(Date.now() + 60_000).toISOString();
    return route.fulfill({ response, body: reads > 2 ? text : text.replaceAll(/(?<="expires_at":")[^"]*/g, soon) });
  });
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'read-again' }).click();
  await page.locator('.detail').getByText('This cannot be read now.').waitFor();
  await page.clock.fastForward(30_000);
  const photo = page.getByRole('img', { name: 'Photo 1' });
  await photo.waitFor();
  expect(await page.getByText('This cannot be read now.').count()).toBe(0);
  const link = await photo.getAttribute('src');
  await page.clock.fastForward(30_000);
  await expect.poll(() => photo.getAttribute('src')).not.toBe(link);
  await page.clock.fastForward(30_000);
  expect(reads).toBe(3);
  await courier.act('delivery.deliver', { delivery_id: id, stop: 1, ...WHY });
  await page.context().close();
});

test('[H387] the page of the recipient shows a PIN that was required later, and hides it after the end', async () => {
  const { id, urls } = await orderAll(server, 'later', [{ east: 0.02, north: 0.012 }]);
  await assign(server, await logIn(server.baseUrl, server.demo.staff), { id, url: '' }, courier.id);
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(urls[0] ?? '');
  await page.getByText('Ada is going to collect it').waitFor();
  expect(await page.getByText('Your PIN').count()).toBe(0);
  const body = { drop_off: [{ verification: { pin: { type: 'merchant_provided', value: '0815' } } }] };
  const raised = await call(server.baseUrl, `PATCH /deliveries/${id}`, { token: server.demo.vendor.api_key, body });
  expect(raised.status).toBe(200);
  const card = page.getByRole('heading', { name: 'Your PIN is 0815' });
  await card.waitFor();
  await card.scrollIntoViewIfNeeded();
  await shoot('track-360-pin');
  await courier.act('delivery.pick_up', { delivery_id: id, ...WHY });
  await courier.act('delivery.depart', { delivery_id: id, ...WHY });
  await prove(id, { pin: '0815' });
  await courier.act('delivery.deliver', { delivery_id: id, stop: 1, ...WHY });
  await page.getByRole('heading', { name: 'Delivered' }).waitFor();
  expect(await page.getByText('Your PIN').count()).toBe(0);
  expect(faults).toEqual([]);
});
