import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, logIn as signIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { DESK, launch, PHONE, TABLET, visit, type Visit } from './browser.ts';
import { order, startCourier, type Delivery, type TestCourier } from './world.ts';

let server: TestServer;
let browser: Browser;
let couriers: TestCourier[];
let deliveries: Delivery[];
let desk: Visit;
let beat: ReturnType<typeof setInterval>;

beforeAll(async () => {
  server = await startServer(testEngines('web console'));
  browser = await launch();
  const { lat, lng } = server.demo.center;
  const places = [0, 1, 2].map((index) => ({ lat: lat + index * 0.004, lng: lng + index * 0.006 }));
  couriers = await Promise.all(places.map((place, index) => startCourier(server, index, place)));
  // A phone goes on pinging; who is silent counts as gone after 15 s.
  beat = setInterval(() => {
    couriers.forEach((courier, index) => {
      const { lat: north, lng: east } = places[index] ?? { lat, lng };
      courier.ping({ lat: north + ((performance.now() / 1000) % 60) * 1e-5, lng: east }).catch(() => undefined);
    });
  }, 3000);
  deliveries = [];
  for (const name of ['order-1001', 'order-1002', 'order-1003']) deliveries.push(await order(server, name));
  desk = await visit(browser, DESK);
});

afterAll(async () => {
  clearInterval(beat);
  for (const { socket } of couriers ?? []) socket.close();
  await browser?.close();
  await server?.stop();
});

async function logIn({ page }: Visit, password = server.demo.staff.password): Promise<void> {
  await page.getByLabel('Email').fill(server.demo.staff.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('[V17] a wrong password is reported, and the right one opens the board with live couriers', async () => {
  const { page, shoot, faults } = desk;
  await page.goto(`${server.baseUrl}/console`);
  await logIn(desk, 'not the password');
  await page.getByText('The email or the password is wrong.').waitFor();
  await shoot('console-1280-login');
  // The browser logs a refused request on its console, before or after the page shows it.
  await until(() => faults.length > 0);
  faults.length = 0;
  await logIn(desk);
  await page.locator('.row').nth(2).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('.legend li', { hasText: 'Idle' }).getByText('3', { exact: true }).waitFor();
  await page.locator('.map canvas').waitFor();
  expect(await page.locator('.row').count()).toBe(3);
  await shoot('console-1280-board');
});

test('[V20] search, list, assign and back work by keyboard', async () => {
  const { page } = desk;
  await page.keyboard.press('/');
  await page.keyboard.type('order-1002');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
  expect(page.url()).toContain('q=order-1002');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'order-1002' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.detail:focus').waitFor();
  await page.keyboard.press('a');
  await page.locator('.assign:focus').waitFor();
  await page.locator('.candidate').first().waitFor();
  for (const _stop of ['Search again', 'Assign to']) await page.keyboard.press('Tab');
  await page.locator('.candidate').first().locator('button:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Assign a courier' }).waitFor({ state: 'detached' });
  await page.locator('.detail:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.row:focus', { hasText: 'order-1002' }).waitFor();
  await page.locator('.detail').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.row').count()).toBe(3);
});

test('[V18] a delivery is assigned by hand and unassigned after a confirmation, and its history grows', async () => {
  const { page, shoot } = desk;
  await page.locator('.row', { hasText: 'order-1001' }).click();
  await page.getByText('Created').first().waitFor();
  await page.locator('.actions').getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('button', { name: 'Assign to Ada Obi' }).waitFor();
  await shoot('console-1280-candidates');
  await page.getByRole('button', { name: 'Assign to Ada Obi' }).click();
  await page.getByText('Assigned to Ada Obi.').waitFor();
  await page.locator('.history').getByText('Courier assigned').waitFor();
  await page.locator('.row', { hasText: 'order-1001' }).getByText('Ada').waitFor();
  await shoot('console-1280-assigned');
  await page.getByRole('button', { name: 'Unassign' }).click();
  await page.getByRole('heading', { name: 'Unassign Ada?' }).waitFor();
  await shoot('console-1280-unassign');
  await page.getByRole('dialog').getByRole('button', { name: 'Unassign' }).click();
  await page.locator('.history').getByText('Courier unassigned').waitFor();
  await page.locator('.summary').getByText('Searching').waitFor();
  expect(await page.locator('.history-row').count()).toBe(3);
});

test('[V19] a refusal is a sentence that says what to do', async () => {
  const { page, shoot } = desk;
  await page.locator('.row', { hasText: 'order-1003' }).click();
  await page.locator('.actions').getByRole('button', { name: 'Assign' }).click();
  const button = page.getByRole('button', { name: 'Assign to Chi Lam' });
  await button.waitFor();
  await couriers[2]?.setAvailability('offline');
  await button.click();
  await page.getByText('This courier has gone offline. Choose another one.').waitFor();
  await shoot('console-1280-refusal');
  expect(await page.locator('.summary').innerText()).toContain('Searching');
  await couriers[2]?.setAvailability('online');
});

test('[V21] the end of a session is shown, and the work continues after a new login', async () => {
  const { page, shoot, faults } = desk;
  expect(faults).toEqual([]);
  const refused = {
    status: 401,
    contentType: 'application/problem+json',
    body: '{"status":401,"code":"token_expired","detail":""}',
  };
  await page.route(/\/(auth\/token|deliveries.*)$/, (route) => route.fulfill(refused));
  await page.locator('.row', { hasText: 'order-1002' }).click();
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await shoot('console-1280-session-over');
  await page.unroute(/\/(auth\/token|deliveries.*)$/);
  await logIn(desk);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'order-1002' }).waitFor();
  await page.locator('.history-row').first().waitFor();
});

test('[J241] staff see what a delivery reserves, and what its end charged', async () => {
  const { page, shoot } = desk;
  const { vendor, staff } = server.demo;
  const [{ id } = { id: '' }] = deliveries;
  await page.locator('.row', { hasText: 'order-1001' }).click();
  const fact = (label: string) => page.locator('.facts').getByText(label, { exact: true });
  await fact('Reserved').waitFor();
  expect(await fact('Charged').count()).toBe(0);
  const assigned = { delivery_id: id, courier_id: couriers[0]?.id, override_reason: 'by hand' };
  const token = await signIn(server.baseUrl, staff);
  const calls = [
    await call(server.baseUrl, 'POST /dispatch/assign', { token, body: assigned }),
    await couriers[0]?.act('stop.arrive', { delivery_id: id, stop: 0 }),
    await call(server.baseUrl, `POST /deliveries/${id}/cancel`, {
      token: vendor.api_key,
      body: { reason: 'duplicate' },
    }),
  ];
  expect(calls.map((answer) => answer?.status)).toEqual([200, undefined, 200]);
  const fee = Number(calls[2]?.body['fee']);
  expect(calls[2]?.body).toMatchObject({ charge: { amount: Math.round(fee / 2) } });
  await fact('Charged').waitFor();
  expect(await fact('Reserved').count()).toBe(0);
  await fact('Charged').scrollIntoViewIfNeeded();
  expect(await fact('Refunded').count()).toBe(0);
  const refunded = await call(server.baseUrl, `POST /deliveries/${id}/refunds`, {
    token,
    body: { reference: 'ticket-1', reason: 'cold soup', amount: 120 },
  });
  expect(refunded.status).toBe(201);
  await fact('Refunded').waitFor();
  await page.locator('.facts').getByText('€1.20', { exact: true }).waitFor();
  await shoot('console-1280-charged');
  const phone = await visit(browser, PHONE);
  await phone.page.goto(page.url());
  await logIn(phone);
  await phone.page.locator('.facts').getByText('Charged', { exact: true }).scrollIntoViewIfNeeded();
  await phone.shoot('console-360-charged');
  expect(phone.faults).toEqual([]);
  await phone.page.context().close();
});

test('[V22] on tablet and phone, dark and light, the pages send no foreign requests and nothing fails', async () => {
  for (const [name, look] of [
    ['768-dark', { ...TABLET, scheme: 'dark' }],
    ['360', PHONE],
  ] as const) {
    const seen = await visit(browser, look);
    await seen.page.goto(`${server.baseUrl}/console`);
    await logIn(seen);
    await seen.page.locator('.row').first().waitFor();
    await seen.shoot(`console-${name}-list`);
    if (name === '360') {
      await seen.page.getByRole('button', { name: 'Map' }).click();
      await seen.page.locator('.map canvas').waitFor();
      await seen.page.locator('.legend').waitFor();
      await seen.shoot('console-360-map');
      await seen.page.getByRole('button', { name: 'List' }).click();
    }
    await seen.page.locator('.row').first().click();
    await seen.page.locator('.history-row').first().waitFor();
    await seen.shoot(`console-${name}-detail`);
    expect(seen.faults).toEqual([]);
    await seen.page.context().close();
  }
});

test('[V15] without WebGL the lists of the console work', async () => {
  const seen = await visit(browser, DESK);
  await seen.page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
  await seen.page.goto(`${server.baseUrl}/console`);
  await logIn(seen);
  await seen.page.getByText(/cannot show the map/).waitFor();
  await seen.page.locator('.row').first().click();
  await seen.page.locator('.history-row').first().waitFor();
  await seen.page.locator('.legend li', { hasText: 'Idle' }).getByText('3', { exact: true }).waitFor();
  expect(seen.faults).toEqual([]);
});
