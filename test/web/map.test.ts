import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { VADUZ } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { DESK, findings, launch, LOOKS, openConsole, paintedOf, visit } from './browser.ts';
import { startMapHost, type MapHost } from './map-host.ts';
import { assign, startCourier, type Delivery } from './world.ts';

const HOME = { lat: VADUZ.lat + 0.006, lng: VADUZ.lng - 0.004 };
const PHONE = { width: 390, height: 844, scheme: 'light' } as const;
/** Colours of the style: woods of ours by scheme, and houses of the other host. */
const WOOD = { light: '#d0e2c8', dark: '#1b2a24' };
const HOUSES = '#aa00aa';
const GRID = '#e1e2db';
const OURS = '© OpenStreetMap contributors';

let browser: Browser;
let host: MapHost;
let server: TestServer;
let delivery: Delivery;

beforeAll(async () => {
  [browser, host] = await Promise.all([launch(), startMapHost()]);
  ({ server, delivery } = await startCity('web map', { MAP_TILES: SHIPPED_TILES }));
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await host?.close();
});

/** A server with this map, and a courier on the way in Vaduz. */
async function startCity(name: string, map: Record<string, string>) {
  const city = await startServer(testEngines(name), map);
  const courier = await startCourier(city, 0, VADUZ);
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const body = {
    external_id: 'order-2001',
    pickup: { coordinates: VADUZ, address: 'Städtle 1', contact },
    drop_off: [{ coordinates: HOME, address: 'Im Gässli 12', contact }],
  };
  const made = await call(city.baseUrl, 'POST /express/deliveries', { token: city.demo.vendor.api_key, body });
  const [dropOff] = made.body['drop_off'] as { tracking_url: string }[];
  const ordered = { id: String(made.body['id']), url: dropOff?.tracking_url ?? '' };
  await assign(city, await logIn(city.baseUrl, city.demo.staff), ordered, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: ordered.id, ...why });
  await courier.act('delivery.depart', { delivery_id: ordered.id, ...why });
  await courier.ping({ lat: VADUZ.lat + 0.001, lng: VADUZ.lng - 0.0007 });
  courier.socket.close();
  return { server: city, delivery: ordered };
}

/** The part of the map that has this colour, once the map is drawn. */
async function shareOf(page: Page, colour: string): Promise<number> {
  const { places, area } = await paintedOf(page, colour);
  return places.length / area;
}

/** Says whether the reader sees the text, and nothing lies over its middle. */
async function isOnTop(page: Page, text: string): Promise<boolean> {
  const credit = page.locator('.maplibregl-ctrl-attrib-inner', { hasText: text });
  await credit.waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await credit.boundingBox()) ?? {};
  const middle = `${x + width / 2}, ${y + height / 2}`;
  return page.evaluate(`document.elementFromPoint(${middle})?.closest('.maplibregl-ctrl-attrib') != null`);
}

test.each(LOOKS)('[V60] the recipient sees streets at $width px, $scheme', async (look) => {
  const { page, shoot, faults } = await visit(browser, look);
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  expect(await isOnTop(page, OURS)).toBe(true);
  expect(await shareOf(page, WOOD[look.scheme])).toBeGreaterThan(0.01);
  await shoot(`map-track-${look.width}-${look.scheme}`);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test.each(LOOKS)('[V60] the dispatcher sees streets at $width px, $scheme', async (look) => {
  const { page, shoot, faults } = await visit(browser, look);
  await openConsole(page, server);
  await page.locator('.row').first().click();
  await page.getByText('Created').first().waitFor();
  // On a phone the delivery covers the map until the dispatcher opens it.
  if (look.width < 1000) await page.getByRole('button', { name: 'Map' }).click();
  expect(await isOnTop(page, OURS)).toBe(true);
  expect(await shareOf(page, WOOD[look.scheme])).toBeGreaterThan(0.01);
  await shoot(`map-console-${look.width}-${look.scheme}`);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('[V60] the map follows a change of the colour scheme', async () => {
  const { page } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  expect(await shareOf(page, WOOD.dark)).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => shareOf(page, WOOD.dark)).toBeGreaterThan(0.01);
});

test('[V63] tiles of OpenMapTiles at another origin are drawn, and both sources are named', async () => {
  const city = await startCity('web map omt', { MAP_TILES: `${host.url}/vaduz.pmtiles` });
  onTestFinished(async () => void (await city.server.stop()));
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(city.delivery.url);
  await page.locator('.courier').waitFor();
  expect(await isOnTop(page, OURS)).toBe(true);
  expect(await isOnTop(page, '© OpenMapTiles')).toBe(true);
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.01);
  await shoot('map-track-390-openmaptiles');
  expect(faults).toEqual([]);
});

test('[V63] a hosted style is drawn with the tiles of its host', async () => {
  const city = await startCity('web map style', { MAP_STYLE_URL: `${host.url}/style.json` });
  onTestFinished(async () => void (await city.server.stop()));
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(city.delivery.url);
  await page.locator('.courier').waitFor();
  expect(await isOnTop(page, '© The Other Host')).toBe(true);
  expect(await shareOf(page, HOUSES)).toBeGreaterThan(0.001);
  await shoot('map-track-390-style');
  expect(faults).toEqual([]);
});

test('[V64] if the map cannot be loaded, the grid takes its place', async () => {
  const broken = [{ MAP_TILES: `${host.url}/none.pmtiles` }, { MAP_STYLE_URL: `${host.url}/vaduz.pmtiles` }] as const;
  for (const [index, map] of broken.entries()) {
    const city = await startCity(`web map broken ${index}`, { ...map });
    onTestFinished(async () => void (await city.server.stop()));
    const { page, shoot } = await visit(browser, PHONE);
    await page.goto(city.delivery.url);
    await page.locator('.courier').waitFor();
    expect(await page.locator('.maplibregl-ctrl-attrib').count()).toBe(0);
    expect(await shareOf(page, '#f3f2ed')).toBeGreaterThan(0.5);
    await shoot('map-track-390-grid');
  }
});

test('[V65] a console without deliveries opens on the city of the map, and its source opens beside it', async () => {
  const quiet = await startServer(testEngines('web map quiet'), { MAP_TILES: SHIPPED_TILES });
  onTestFinished(async () => void (await quiet.stop()));
  const { page, shoot } = await visit(browser, DESK);
  await openConsole(page, quiet);
  const credit = page.getByRole('link', { name: OURS });
  await credit.waitFor();
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.05);
  await shoot('map-console-1280-country');
  await page.context().route('https://www.openstreetmap.org/**', (route) => route.fulfill({ body: 'copyright' }));
  const [opened] = await Promise.all([page.context().waitForEvent('page'), credit.click()]);
  expect(new URL(opened.url()).hostname).toBe('www.openstreetmap.org');
  expect(page.url()).toContain('/console');
});

test('[V66] the console keeps the place to which the dispatcher moved the map, and no place outside the city', async () => {
  const quiet = await startServer(testEngines('web map kept'), { MAP_TILES: SHIPPED_TILES });
  onTestFinished(async () => void (await quiet.stop()));
  const { page } = await visit(browser, DESK);
  await openConsole(page, quiet);
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.05);
  const kept = () => page.evaluate<string | null>("localStorage.getItem('map')");
  const width = await widthOf(page);
  await page.setViewportSize({ width: DESK.width + 100, height: DESK.height });
  await expect.poll(() => widthOf(page)).toBe(width + 100);
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.05);
  expect(await kept()).toBeNull();
  const { x = 0, y = 0 } = (await page.locator('.map').boundingBox()) ?? {};
  await page.mouse.move(x + 200, y + 300);
  await page.mouse.wheel(0, -400);
  await expect.poll(kept).toEqual(expect.stringMatching(/"zoom":1[0-9]/u));
  await page.evaluate(`localStorage.setItem('map', '{"center":[10,50],"zoom":3.5}')`);
  await page.reload();
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.05);
});

test('[V67] if tiles cannot be loaded after the page was opened, the grid takes their place and a notice asks for a reload', async () => {
  const { page, shoot } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  expect(await shareOf(page, WOOD.light)).toBeGreaterThan(0.01);
  expect(await shareOf(page, GRID)).toBe(0);
  const advice = page.getByText('Reload the page');
  expect(await advice.count()).toBe(0);
  await page.route('**/*.pmtiles', (route) => route.fulfill({ status: 404 }));
  await page.locator('.map').hover();
  await page.mouse.wheel(0, 900);
  await advice.waitFor();
  await expect.poll(() => shareOf(page, GRID)).toBeGreaterThan(0);
  expect([await advice.count(), await page.locator('.courier').count()]).toEqual([1, 1]);
  expect(await isOnTop(page, OURS)).toBe(true);
  await shoot('map-track-390-missing');
  expect(await findings(page)).toEqual([]);
});

test('[V68] tiles that never come keep no courier and no button from the map', async () => {
  const { page } = await visit(browser, DESK);
  const place = JSON.stringify({ center: [VADUZ.lng, VADUZ.lat], zoom: 12 });
  await page.addInitScript(`localStorage.setItem('map', '${place}')`);
  let asked = 0;
  // The first two ranges have what describes the tiles.
  await page.route('**/*.pmtiles', (route) => {
    asked += 1;
    return asked <= 2 ? route.continue() : undefined;
  });
  await openConsole(page, server);
  await page.locator('button.fit').waitFor();
  await expect.poll(() => asked).toBeGreaterThan(2);
  asked = 0;
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  await expect.poll(() => asked).toBeGreaterThan(2);
});

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('.map canvas').clientWidth");
}
