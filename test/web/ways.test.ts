import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { launch, paintedOf, visit } from './browser.ts';
import type { Delivery } from './world.ts';

const valhalla = await valhallaForFile();
/** The colour of the way and of the drop-off. */
const ACCENT = '#0b6e4f';
/** The bend of the street between the two towns, far more than the width of a line or half a marker, pixels. */
const BEND = 25;
const PHONE = { width: 390, height: 844 };

let server: TestServer;
let browser: Browser;
let delivery: Delivery;

beforeAll(async () => {
  const streets = { MAP_TILES: SHIPPED_TILES, TRAVEL_ROUTER_URL: valhalla, TRAVEL_ROUTER_KIND: 'valhalla' };
  // The machine that runs the tests may be slow.
  server = await startServer(testEngines('web ways'), { ...streets, TRAVEL_ROUTE_BUDGET_REAL_MS: '10000' });
  browser = await launch();
  delivery = await orderAlongStreets();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** A delivery on the way from Vaduz to Schaan. */
async function orderAlongStreets(): Promise<Delivery> {
  const token = server.demo.vendor.api_key;
  const places = { pickup: { coordinates: VADUZ }, drop_off: [{ coordinates: SCHAAN }] };
  const quote = await call(server.baseUrl, 'POST /express/quotes', { token, body: places });
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const body = {
    quote_id: quote.body['id'],
    pickup: { ...places.pickup, address: 'Städtle 1', contact },
    drop_off: [{ ...places.drop_off[0], address: 'Landstrasse 12', contact }],
  };
  const made = await call(server.baseUrl, 'POST /express/deliveries', { token, body });
  const [dropOff] = made.body['drop_off'] as { tracking_url: string }[];
  return { id: String(made.body['id']), url: dropOff?.tracking_url ?? '' };
}

/** How far the places lie from the straight line between the first and the last of them, at most. */
function mostBesides(places: readonly (readonly [x: number, y: number])[]): number {
  const [[fromX, fromY], [toX, toY]] = [places[0] ?? [0, 0], places.at(-1) ?? [0, 0]];
  const [dx, dy] = [toX - fromX, toY - fromY];
  return Math.max(...places.map(([x, y]) => Math.abs(dx * (y - fromY) - dy * (x - fromX)) / Math.hypot(dx, dy)));
}

test('[V70] both pages draw the way along streets', async () => {
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  const { places } = await paintedOf(page, ACCENT);
  await shoot('ways-track-390-searching');
  expect(mostBesides(places)).toBeGreaterThan(BEND);
  const desk = await visit(browser, { width: 1440, height: 900 });
  await desk.page.goto(`${server.baseUrl}/console`);
  await desk.page.getByLabel('Email').fill(server.demo.staff.email);
  await desk.page.getByLabel('Password').fill(server.demo.staff.password);
  await desk.page.getByRole('button', { name: 'Log in' }).click();
  await desk.page.locator('.row').first().click();
  await desk.page.getByText('Created').first().waitFor();
  await desk.page.locator('.map[aria-busy="false"]').waitFor();
  await desk.shoot('ways-console-1440');
  expect([...faults, ...desk.faults]).toEqual([]);
});
