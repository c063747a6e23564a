import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, launch, PHONE, TABLET, visit } from './browser.ts';
import { assign, cancel, order, startCourier, type TestCourier } from './world.ts';

/** How long a link that must expire opens after the end: long enough for a page on a busy machine to show the end. */
const LINK_LIFE_MS = 20_000;
const BUILT = path.resolve(import.meta.dirname, '..', '..', 'dist', 'web');

let server: TestServer;
let browser: Browser;
let staffToken: string;
let courier: TestCourier;

beforeAll(async () => {
  server = await startServer(testEngines('web track'), {});
  browser = await launch();
  staffToken = await logIn(server.baseUrl, server.demo.staff);
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

test('[V12] the page follows every stage without a reload', async () => {
  const delivery = await order(server, 'stages');
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  await page.locator('.map canvas').waitFor();
  await page.locator('.place-drop-off').waitFor();
  await shoot('track-360-searching');
  await assign(server, staffToken, delivery, courier.id);
  await page.getByText('Ada is going to collect it').waitFor();
  expect(await page.locator('.courier').count()).toBe(0);
  const why = { override_reason: 'test' };
  await courier.act('stop.arrive', { delivery_id: delivery.id, stop: 0, ...why });
  await page.getByText('Ada is at the shop').waitFor();
  await shoot('track-360-at-pickup');
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  await page.getByText('Ada is on the way to you').waitFor();
  const { lat, lng } = server.demo.center;
  // Less than a leap: one fix is believed.
  await courier.ping({ lat: lat + 0.001, lng: lng + 0.0015 });
  await page.locator('.courier').waitFor();
  await page.getByText(/^Ada is .* away$/).waitFor();
  await shoot('track-360-on-the-way');
  const desk = await visit(browser, { ...DESK, scheme: 'dark' });
  await desk.page.goto(delivery.url);
  await desk.page.locator('.courier').waitFor();
  await desk.shoot('track-1280-dark-on-the-way');
  // A leap is believed when the next fix agrees with it.
  await courier.ping({ lat: lat + 0.012, lng: lng + 0.02 });
  await courier.ping({ lat: lat + 0.012, lng: lng + 0.02 });
  await courier.act('stop.arrive', { delivery_id: delivery.id, stop: 1 });
  await page.getByRole('heading', { name: 'Ada is here' }).waitFor();
  expect(await page.getByText(/ away$/).count()).toBe(0);
  await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...why });
  await page.getByRole('heading', { name: /^Delivered at / }).waitFor();
  expect(await page.locator('.map').count()).toBe(0);
  await shoot('track-360-delivered');
  expect(await page.locator('.rating').count()).toBe(1);
  expect([...faults, ...desk.faults]).toEqual([]);
});

test('[V95] if the vendor corrects the drop-off, it moves on the map, and the map is named after the courier', async () => {
  const delivery = await order(server, 'corrected');
  const { page, faults } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.locator('.map canvas').waitFor();
  /** The direction from the shop to the drop-off on the screen, in degrees. */
  const direction = async (): Promise<number> => {
    const [shop, home] = await Promise.all(
      ['.place:not(.place-drop-off)', '.place-drop-off'].map((marker) => page.locator(marker).boundingBox()),
    );
    if (!shop || !home) return NaN;
    return (Math.atan2(home.y - shop.y, home.x - shop.x) * 180) / Math.PI;
  };
  await expect.poll(direction).not.toBeNaN();
  const before = await direction();
  const { body } = await call(server.baseUrl, `GET /deliveries/${delivery.id}`, { token: server.demo.vendor.api_key });
  const [{ coordinates }] = (body as { drop_off: [{ coordinates: { lat: number; lng: number } }] }).drop_off;
  const corrected = { lat: coordinates.lat + 0.003, lng: coordinates.lng - 0.004 };
  await call(server.baseUrl, `PATCH /deliveries/${delivery.id}`, {
    token: server.demo.vendor.api_key,
    body: { drop_off: [{ stop: 1, coordinates: corrected }] },
  });
  await expect.poll(async () => Math.abs((await direction()) - before)).toBeGreaterThan(5);
  await assign(server, staffToken, delivery, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  await courier.ping(server.demo.center);
  await page.getByRole('img', { name: 'Ada, your courier' }).waitFor();
  await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...why });
  expect(faults).toEqual([]);
});

test.each([{ login: 'https://portal.example' }, { sequence: 1e6, clock: { now: 0, scale: 1 } }])(
  '[V145] the page keeps its last state if a read is answered with %j',
  async (json) => {
    const delivery = await order(server, Object.keys(json).join('-'));
    const { page, faults } = await visit(browser, PHONE);
    await page.goto(delivery.url);
    const heading = page.getByRole('heading', { name: 'Looking for a courier' });
    await heading.waitFor();
    await page.route(/\/state$/, (route) => route.fulfill({ json }));
    const read = page.waitForResponse(/\/state$/);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await (await read).finished();
    await page.unroute(/\/state$/);
    expect(await heading.count()).toBe(1);
    await cancel(server, delivery);
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    expect(faults).toEqual([]);
  },
);

test('[V146] a rating that something on the way has answered does not count as sent', async () => {
  const delivery = await order(server, 'rated-strangely');
  await assign(server, staffToken, delivery, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...why });
  const { page, faults } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.getByRole('radio', { name: '4 of 5 stars' }).check({ force: true });
  await page.route(/\/rating$/, (route) => route.fulfill({ json: { login: 'https://portal.example' } }));
  await page.getByRole('button', { name: 'Send rating' }).click();
  await page.getByText('Your rating was not sent.').waitFor();
  await page.unroute(/\/rating$/);
  await page.getByRole('button', { name: 'Send rating' }).click();
  await page.getByText('Thank you for your rating').waitFor();
  expect(faults).toEqual([]);
});

test('[V148] a page that has come removes the count of its loads from its address, and nothing else', async () => {
  const { page } = await visit(browser, PHONE);
  await page.goto(`${(await order(server, 'counted')).url}?again=3&lang=de`);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  expect(new URL(page.url()).search).toBe('?lang=de');
});

test('[V40] after the end the recipient rates the courier with the keyboard, and can change the rating', async () => {
  const delivery = await order(server, 'rated');
  await assign(server, staffToken, delivery, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.getByText('Ada is on the way to you').waitFor();
  expect(await page.locator('.rating').count()).toBe(0);
  await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...why });
  await page.getByRole('group', { name: 'How was Ada?' }).waitFor();
  await page.getByText(/^You can rate until .*\d:\d\d/).waitFor();
  await page.getByRole('radio', { name: '1 of 5 stars' }).focus();
  for (const _step of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await page.getByRole('textbox').fill('Very <b>kind</b>');
  await shoot('track-360-rating');
  await page.getByRole('button', { name: 'Send rating' }).press('Enter');
  await page.getByRole('img', { name: '4 of 5 stars' }).waitFor();
  await page.getByText('Very <b>kind</b>').waitFor();
  await shoot('track-360-rated');
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  expect(await focused()).toBe('Thank you for your rating');
  await page.reload();
  await page.getByRole('img', { name: '4 of 5 stars' }).waitFor();
  await page.getByRole('button', { name: 'Change it' }).press('Enter');
  await expect.poll(focused).toBe('4 of 5 stars');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Send rating' }).click();
  await page.getByRole('img', { name: '5 of 5 stars' }).waitFor();
  expect(faults).toEqual([]);
});

test('[V13] a lost connection is shown, and missed events appear after the reconnection', async () => {
  const delivery = await order(server, 'lost');
  const { page, cut, shoot } = await visit(browser, { ...TABLET, scheme: 'dark' });
  await page.goto(delivery.url);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  await page.locator('.map canvas').waitFor();
  await cut(true);
  await page.getByText(/^Reconnecting… last update /).waitFor();
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  await assign(server, staffToken, delivery, courier.id);
  await shoot('track-768-dark-connecting');
  await cut(false);
  await page.getByText('Ada is going to collect it').waitFor();
  await page.getByText(/^Reconnecting/).waitFor({ state: 'detached' });
  expect(await page.locator('.step-done').count()).toBe(2);
});

test('[V14] expired and unknown links open a page that says so', async () => {
  const ending = await startServer(testEngines('web ending'), { TRACKING_AFTER_END_MS: String(LINK_LIFE_MS) });
  onTestFinished(async () => void (await ending.stop()));
  const delivery = await order(ending, 'ending');
  const { page, shoot, cut } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  const token = ending.demo.vendor.api_key;
  await call(ending.baseUrl, `POST /express/deliveries/${delivery.id}/cancel`, { token, body: {} });
  await page.getByRole('heading', { name: 'Canceled' }).waitFor();
  await shoot('track-360-canceled');
  const other = await visit(browser, PHONE);
  await expect
    .poll(async () => (await other.page.goto(delivery.url))?.status(), { timeout: 120_000, interval: 500 })
    .toBe(410);
  await other.page.getByRole('heading', { name: /expired/ }).waitFor();
  await other.shoot('track-360-expired');
  await cut(true);
  await cut(false);
  await page.getByRole('heading', { name: 'The tracking link has expired' }).waitFor();
  const unknown = await other.page.goto(`${ending.baseUrl}/t/0000000000000000000000`);
  expect(unknown?.status()).toBe(404);
  await other.page.getByRole('heading', { name: /link/ }).waitFor();
  await other.shoot('track-360-unknown');
});

test('[V15] without WebGL the words and steps stay', async () => {
  const delivery = await order(server, 'no-map');
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
  await page.goto(delivery.url);
  await page.getByText(/cannot show the map/).waitFor();
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  expect(await page.getByRole('listitem').count()).toBe(5);
  await shoot('track-360-no-map');
  expect(faults).toEqual([]);
});

test('[V16] the script before the map is at most 60 KB compressed', () => {
  const page = readFileSync(path.join(BUILT, 'track', 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? '');
  const bytes = scripts.map((script) => gzipSync(readFileSync(path.join(BUILT, script))).length);
  expect(scripts.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60 * 1024);
});
