import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, launch, openConsole, paintedOf, visit } from './browser.ts';
import { assign, order, startCourier, type TestCourier } from './world.ts';

/** Colours of a delivery that is searched for, of an idle courier, and of both after the assignment. */
const [SEARCHING, IDLE, ASSIGNED] = ['#7d4a00', '#10683a', '#1a4fa8'];
/** So many pixels of a colour are more than any edge, and fewer than one courier. */
const SEEN = 30;
const BEAT_MS = 2000;
const WORKER = /maplibre-gl-worker.*\.js/;

let server: TestServer;
let browser: Browser;
let courier: TestCourier;
let beat: ReturnType<typeof setInterval>;

beforeAll(async () => {
  server = await startServer(testEngines('web lost map'));
  browser = await launch();
  const { lat, lng } = server.demo.center;
  const place = { lat: lat + 0.003, lng: lng + 0.003 };
  courier = await startCourier(server, 0, place);
  beat = setInterval(() => {
    courier.ping(place).catch(() => undefined);
  }, BEAT_MS);
});

afterAll(async () => {
  clearInterval(beat);
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

async function pixelsOf(page: Page, colour: string): Promise<number> {
  return (await paintedOf(page, colour)).places.length;
}

test('[V88] a map that gets its graphics context back draws the newest couriers and pins', async () => {
  const delivery = await order(server, 'order-lost');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.map canvas').waitFor();
  // The panes over the map have the same colours.
  await page.addStyleTag({ content: '.map-foot, .fit { opacity: 0 }' });
  await expect.poll(() => pixelsOf(page, SEARCHING)).toBeGreaterThan(SEEN);
  await expect.poll(() => pixelsOf(page, IDLE)).toBeGreaterThan(SEEN);
  await page.evaluate(`globalThis.context = document.querySelector('.map canvas').getContext('webgl2')
    .getExtension('WEBGL_lose_context');
  new Promise((resolve) => {
    document.querySelector('.map canvas').addEventListener('webglcontextlost', resolve, { once: true });
    context.loseContext();
  })`);
  await assign(server, await logIn(server.baseUrl, server.demo.staff), delivery, courier.id);
  await page.locator('.row', { hasText: 'order-lost' }).getByText('Ada').waitFor();
  await page.locator('.legend li', { hasText: 'Busy' }).getByText('1', { exact: true }).waitFor();
  await page.evaluate('context.restoreContext()');
  await expect.poll(() => pixelsOf(page, ASSIGNED)).toBeGreaterThan(SEEN);
  await expect.poll(() => pixelsOf(page, SEARCHING)).toBe(0);
  await expect.poll(() => pixelsOf(page, IDLE)).toBe(0);
});

test('[V122] while the map is loaded again there is no button for it, and the map gets the focus of the button', async () => {
  const { url } = await order(server, 'order-no-map');
  for (const isConsole of [true, false]) {
    const { page, cut } = await visit(browser, DESK);
    // A page that gets live would load its map by itself.
    await cut(true);
    await page.route(WORKER, (route) => route.fulfill({ status: 503 }));
    await (isConsole ? openConsole(page, server) : page.goto(url));
    const button = page.getByRole('button', { name: 'Try again' });
    await button.waitFor();
    await page.unroute(WORKER);
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    await page.route(WORKER, async (route) => {
      await arrival;
      await route.continue();
    });
    await button.press('Enter');
    await page.getByText('The map is being loaded again…').waitFor();
    expect(await button.count()).toBe(0);
    arrive();
    await page.locator('.map canvas:focus').waitFor();
    await page.context().close();
  }
});

test('[V122] if the page loads its map again by itself, the map gets the focus of the button too', async () => {
  const { url } = await order(server, 'order-map-again');
  const { page, cut } = await visit(browser, DESK);
  await cut(true);
  await page.route(WORKER, (route) => route.fulfill({ status: 503 }));
  await page.goto(url);
  await page.getByRole('button', { name: 'Try again' }).focus();
  await page.unroute(WORKER);
  await cut(false);
  await page.locator('.map canvas').waitFor();
  expect(await page.locator('.map canvas:focus').count()).toBe(1);
  await page.context().close();
});
