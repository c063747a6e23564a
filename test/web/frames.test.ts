import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distanceM } from '../../src/domain/geo/geo.ts';
import { createRandom } from '../../load-tests/random.ts';
import { pairOf, placesOnStreets } from '../../load-tests/quotes/places.ts';
import { inParallel, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { launch, openConsole, SHOTS, visit } from './browser.ts';
import {
  assign,
  bringToWork,
  onboard,
  orderAlongStreets,
  placeAlong,
  startCourier,
  type TestCourier,
} from './world.ts';

const valhalla = await valhallaForFile();
/** The time for which a map is moved. */
const MOVE_MS = 5000;
/** So many frames of the browser pass while a map must draw nothing. */
const STILL_FRAMES = 240;
const COURIERS = 300;
/** The console opens on the drop-off, and shows couriers at this distance from it. */
const SEEN_M = 1200;
/** Where the courier is on the way, as a share of its line. It is near the pickup, so the first fix there is believed. */
const ALONG = 0.1;

/** Counts the frames in which the page draws with WebGL. The time line stands still during a frame. */
const COUNT = `
  globalThis.drawn = 0;
  let last = -1;
  for (const name of ['drawElements', 'drawArrays']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...given) {
      if (document.timeline.currentTime !== last) globalThis.drawn += 1;
      last = document.timeline.currentTime;
      return draw.apply(this, given);
    };
  }`;

let server: TestServer;
let browser: Browser;
const couriers: TestCourier[] = [];
const measured: Record<string, number> = {};

beforeAll(async () => {
  const streets = { MAP_TILES: SHIPPED_TILES, TRAVEL_ROUTER_URL: valhalla, TRAVEL_ROUTER_KIND: 'valhalla' };
  server = await startServer(testEngines('web frames'), { ...streets, TRAVEL_ROUTE_BUDGET_REAL_MS: '10000' });
  browser = await launch();
});

afterAll(async () => {
  for (const { socket } of couriers) socket.close();
  await browser?.close();
  await server?.stop();
  // The frames a second depend on the machine, so readers compare them with those of another run.
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(path.join(SHOTS, 'frames.json'), `${JSON.stringify(measured, null, 2)}\n`);
});

const drawnOn = (page: Page): Promise<number> => page.evaluate<number>('globalThis.drawn');

/** Drags the map in circles. Returns the frames a second that it draws meanwhile. */
async function framesWhileMoved(page: Page): Promise<number> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map').boundingBox()) ?? {};
  const [left, top] = [x + width / 2, y + height / 2];
  const at = (turn: number) => [left + 120 * Math.cos(turn), top + 120 * Math.sin(turn)] as const;
  await page.mouse.move(...at(0));
  await page.mouse.down();
  const [before, startedAt] = [await drawnOn(page), performance.now()];
  // The browser takes one of these moves for each of its frames.
  for (let turn = 0; performance.now() - startedAt < MOVE_MS; turn += 0.05) await page.mouse.move(...at(turn));
  const frames = (await drawnOn(page)) - before;
  const perSecond = (frames * 1000) / (performance.now() - startedAt);
  await page.mouse.up();
  return perSecond;
}

/** Waits for seconds without a frame. Couriers may appear late, and each of them becomes stale once. */
async function expectNoFrames(page: Page): Promise<void> {
  await expect.poll(() => framesWhileStill(page)).toBe(0);
}

/** The frames that a map draws when nothing is done to it. */
async function framesWhileStill(page: Page): Promise<number> {
  await page.locator('.map[aria-busy="false"]').waitFor();
  const before = await drawnOn(page);
  await page.evaluate(`new Promise((resolve) => {
    let left = ${STILL_FRAMES};
    const next = () => ((left -= 1) === 0 ? resolve() : requestAnimationFrame(next));
    next();
  })`);
  return (await drawnOn(page)) - before;
}

test('[V77] the map of the recipient’s page draws frames while it moves, and none while it stands still', async () => {
  const courier = await startCourier(server, 0, VADUZ);
  couriers.push(courier);
  const ends = {
    from: { place: VADUZ, address: 'Städtle 1' },
    to: { place: SCHAAN, address: 'Landstrasse 12' },
  };
  const delivery = await orderAlongStreets(server, { externalId: 'order-frames', ...ends });
  await assign(server, await logIn(server.baseUrl, server.demo.staff), delivery, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  await courier.ping(await placeAlong(server, delivery, ALONG));
  const { page } = await visit(browser, { width: 390, height: 844 });
  await page.addInitScript(COUNT);
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  await expectNoFrames(page);
  measured['track, moved'] = await framesWhileMoved(page);
  expect(measured['track, moved']).toBeGreaterThan(1);
});

test('[V77] the map of the console with 300 couriers draws frames while it moves, and none while it stands still', async () => {
  const random = createRandom(3);
  const places = (await placesOnStreets(valhalla, random, [SCHAAN])).filter(
    (place) => distanceM(place, SCHAAN) < SEEN_M,
  );
  const staff = await logIn(server.baseUrl, server.demo.staff);
  const missing = Array.from({ length: COURIERS - couriers.length }, (_, index) => ({
    index,
    place: pairOf(places, random)[0],
  }));
  const crew = await inParallel(missing, 10, async ({ index, place }) => {
    const profile = { name: `Courier ${index}`, phone: `+4915298${100_000 + index}`, vehicle_type: 'scooter' };
    const courier = await bringToWork(server, await onboard(server, staff, profile), place);
    couriers.push(courier);
    return { courier, place };
  });
  // A position is drawn in another way after a minute.
  await inParallel(crew, 10, ({ courier, place }) => courier.ping(place));
  const { page } = await visit(browser, { width: 1440, height: 900 });
  await page.addInitScript(COUNT);
  await openConsole(page, server);
  const shown = async (): Promise<number> =>
    (await page.locator('.legend b').allInnerTexts()).reduce((sum, count) => sum + Number(count), 0);
  await expect.poll(shown).toBe(COURIERS);
  await expectNoFrames(page);
  measured['console, moved'] = await framesWhileMoved(page);
  expect(measured['console, moved']).toBeGreaterThan(1);
});
