import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, launch, PHONE, visit } from './browser.ts';
import { assign, orderAll, startCourier, type TestCourier } from './world.ts';

let server: TestServer;
let browser: Browser;
let courier: TestCourier;

beforeAll(async () => {
  server = await startServer(testEngines('web recipients'), {});
  browser = await launch();
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

test('[V23] the console shows the link of each drop-off with its stop, also after a live event', async () => {
  const places = [
    { east: 0.008, north: 0.005 },
    { east: 0.02, north: 0.012 },
  ];
  const { id, urls } = await orderAll(server, 'links', places);
  const { page, shoot, faults } = await visit(browser, DESK);
  await page.goto(`${server.baseUrl}/console?delivery=${id}`);
  await page.getByLabel('Email').fill(server.demo.staff.email);
  await page.getByLabel('Password').fill(server.demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  const links = page.getByRole('link', { name: /^Recipient's page, Drop-off \d of 2$/ });
  const shown = async (): Promise<(string | null)[]> =>
    Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  await links.nth(1).waitFor();
  const paths = urls.map((url) => new URL(url).pathname);
  expect(await shown()).toEqual(paths);
  await shoot('console-1280-links');
  const staff = await logIn(server.baseUrl, server.demo.staff);
  await assign(server, staff, { id, url: '' }, courier.id);
  await page.locator('.history').getByText('Courier assigned').waitFor();
  await page.locator('.summary').getByText('Ada').waitFor();
  expect(await shown()).toEqual(paths);
  await shoot('console-1280-links-assigned');
  // The courier is free for the next test.
  expect((await call(server.baseUrl, `POST /deliveries/${id}/cancel`, { token: staff })).status).toBe(200);
  expect(faults).toEqual([]);
});

test('[V23] each recipient has their own page, and the next recipient sees the courier on the map', async () => {
  const places = [
    { east: 0.008, north: 0.005 },
    { east: 0.02, north: 0.012 },
    { east: 0.03, north: 0.02 },
  ];
  const { id, urls } = await orderAll(server, 'recipients', places);
  const [near, far, last] = [await visit(browser, PHONE), await visit(browser, PHONE), await visit(browser, DESK)];
  for (const [index, { page }] of [near, far, last].entries()) await page.goto(urls[index] ?? '');
  await far.page.getByText('1 stop before you.').waitFor();
  await last.page.getByText('2 stops before you.').waitFor();
  await assign(server, await logIn(server.baseUrl, server.demo.staff), { id, url: '' }, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: id, ...why });
  await courier.act('delivery.depart', { delivery_id: id });
  const { lat, lng } = server.demo.center;
  await courier.ping({ lat: lat + 0.001, lng: lng + 0.0015 });
  await near.page.locator('.courier').waitFor();
  await far.page.getByText('1 stop before you. The map shows Ada when you are next.').waitFor();
  await last.page.getByText('2 stops before you. The map shows Ada when you are next.').waitFor();
  expect(await near.page.locator('.before').count()).toBe(0);
  expect([await far.page.locator('.courier').count(), await last.page.locator('.courier').count()]).toEqual([0, 0]);
  await far.shoot('track-360-stops-before');
  await last.shoot('track-1280-stops-before');
  await courier.act('delivery.deliver', { delivery_id: id, stop: 1, ...why });
  await near.page.getByRole('heading', { name: /^Delivered at / }).waitFor();
  await far.page.locator('.courier').waitFor();
  await last.page.getByText(/^1 stop before you/).waitFor();
  expect(await far.page.locator('.before').count()).toBe(0);
  expect(await last.page.locator('.courier').count()).toBe(0);
  expect([...near.faults, ...far.faults, ...last.faults]).toEqual([]);
});

test('[D98] the page of a recipient shows why the pickup is delayed until the goods are ready', async () => {
  const { id, urls } = await orderAll(server, 'put-off', [{ east: 0.008, north: 0.005 }]);
  const { page, faults, shoot } = await visit(browser, PHONE);
  await page.goto(urls[0] ?? '');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const why = page.getByText('needs more time: the oven is full');
  expect(await why.count()).toBe(0);
  const token = server.demo.vendor.api_key;
  const delay = { minutes: 10, reason: 'the oven is full' };
  const delayed = await call(server.baseUrl, `POST /vendor/deliveries/${id}/delay`, { token, body: delay });
  expect(delayed.status).toBe(200);
  // Told on the open page, and by the page as it is served.
  await why.waitFor();
  await page.reload();
  await why.waitFor();
  await shoot('track-360-put-off');
  const ready = await call(server.baseUrl, `PATCH /vendor/deliveries/${id}/ready`, { token, body: {} });
  expect(ready.status).toBe(200);
  await why.waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
});
