import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { launch, paintedOf, PHONE, visit } from './browser.ts';
import { assign, orderAll, startCourier, type TestCourier } from './world.ts';

/** The colour of the way ahead. */
const ACCENT = '#0b6e4f';
const WHY = { override_reason: 'test' };

let server: TestServer;
let browser: Browser;
let staffToken: string;
let courier: TestCourier;

beforeAll(async () => {
  server = await startServer(testEngines('web courier map'));
  browser = await launch();
  staffToken = await logIn(server.baseUrl, server.demo.staff);
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

/** A delivery to these places with its goods on the way. */
async function depart(name: string, places: Parameters<typeof orderAll>[2]) {
  const { id, urls } = await orderAll(server, name, places);
  await assign(server, staffToken, { id, url: '' }, courier.id);
  await courier.act('delivery.pick_up', { delivery_id: id, ...WHY });
  await courier.act('delivery.depart', { delivery_id: id, ...WHY });
  return { id, urls };
}

/** Moves the map a little, so that it stays where it is. */
async function drag(page: Page): Promise<void> {
  await page.mouse.move(100, 200);
  await page.mouse.down();
  await page.mouse.move(110, 215, { steps: 5 });
  await page.mouse.up();
}

/** The edges of the way ahead on the map, and the place of the drop-off. */
async function pictureOf(page: Page) {
  const { places } = await paintedOf(page, ACCENT);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const home = await page.locator('.place-drop-off').boundingBox();
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys), home?.x, home?.y];
}

test('[V106] if another stop comes first, the map forgets the courier, and the whole route is without them', async () => {
  const places = [
    { east: 0.01, north: 0 },
    { east: 0.02, north: 0 },
  ];
  const { id, urls } = await depart('hidden', places);
  const { page, faults } = await visit(browser, PHONE);
  await page.goto(urls[0] ?? '');
  await page.locator('.map[aria-busy="false"]').waitFor();
  const { lat, lng } = server.demo.center;
  // A leap is believed when the next fix agrees with it.
  for (const _time of [1, 2]) await courier.ping({ lat: lat + 0.012, lng });
  await page.locator('.courier').waitFor();
  await drag(page);
  // The next glide takes as long as this, and the courier is hidden in the middle of it.
  await setTimeout(5000);
  const before = await page.locator('.courier').boundingBox();
  await courier.ping({ lat: lat + 0.0125, lng });
  await expect.poll(() => page.locator('.courier').boundingBox()).not.toEqual(before);
  await courier.act('stop.arrive', { delivery_id: id, stop: 2, ...WHY });
  await page.locator('.courier').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show the whole route' }).click();
  const fresh = await visit(browser, PHONE);
  await fresh.page.goto(urls[0] ?? '');
  await fresh.page.getByText(/^1 stop before you/).waitFor();
  const without = await pictureOf(fresh.page);
  await expect.poll(() => pictureOf(page), { timeout: 20_000 }).toEqual(without);
  await courier.act('delivery.deliver', { delivery_id: id, stop: 2, ...WHY });
  await courier.act('delivery.deliver', { delivery_id: id, stop: 1, ...WHY });
  expect([...faults, ...fresh.faults]).toEqual([]);
  for (const each of [page, fresh.page]) await each.context().close();
});
