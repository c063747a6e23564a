import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePolyline } from '../../src/domain/geo/polyline.ts';
import { distanceM, type Coordinates } from '../../src/domain/geo/geo.ts';
import { lengthM, placeAlong } from '../../src/domain/geo/lines.ts';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { launch, openConsole, paintedOf, visit } from './browser.ts';
import { assign, orderAlongStreets, startCourier, type Delivery, type TestCourier } from './world.ts';

const valhalla = await valhallaForFile();
/** The colour of the way and of the drop-off. */
const ACCENT = '#0b6e4f';
/** The bend of the street between the two towns, far more than the width of a line or half a marker, pixels. */
const BEND = 25;
/** Only a marker that never arrives takes so long. */
const PATIENCE_MS = 120_000;
const PHONE = { width: 390, height: 844 };

let server: TestServer;
let browser: Browser;
let delivery: Delivery;
let courier: TestCourier;

beforeAll(async () => {
  const streets = { MAP_TILES: SHIPPED_TILES, TRAVEL_ROUTER_URL: valhalla, TRAVEL_ROUTER_KIND: 'valhalla' };
  // The machine that runs the tests may be slow.
  server = await startServer(testEngines('web ways'), { ...streets, TRAVEL_ROUTE_BUDGET_REAL_MS: '10000' });
  browser = await launch();
  const [from, to] = [
    { place: VADUZ, address: 'Städtle 1' },
    { place: SCHAAN, address: 'Landstrasse 12' },
  ];
  delivery = await orderAlongStreets(server, { externalId: 'order-4001', from, to });
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

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
  await openConsole(desk.page, server);
  await desk.page.locator('.row').first().click();
  await desk.page.getByText('Created').first().waitFor();
  await desk.page.locator('.map[aria-busy="false"]').waitFor();
  await desk.shoot('ways-console-1440');
  expect([...faults, ...desk.faults]).toEqual([]);
});

type Point = readonly [x: number, y: number];

const apart = ([x, y]: Point, [toX, toY]: Point): number => Math.hypot(toX - x, toY - y);
/** The place in Mercator's projection, in circumferences of the earth, as maps draw it. */
const projected = ({ lat, lng }: Coordinates): Point => [
  lng / 360,
  -Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI),
];

/** Where the map draws places, by two places that it shows. */
function drawnBy(one: Coordinates, at: Point, other: Coordinates, otherAt: Point): (place: Coordinates) => Point {
  const [x, y] = projected(one);
  const scale = apart(at, otherAt) / apart([x, y], projected(other));
  return (place) => {
    const [toX, toY] = projected(place);
    return [at[0] + (toX - x) * scale, at[1] + (toY - y) * scale];
  };
}

/** Lets the page draw as usual until `passTime` is called. From then on its pictures have the time of these calls. */
const HAND = `{
  const [realNow, realFrame] = [performance.now.bind(performance), requestAnimationFrame.bind(window)];
  let [aheadMs, heldAt] = [0, null];
  const waiting = [];
  performance.now = () => heldAt ?? realNow() + aheadMs;
  requestAnimationFrame = (task) =>
    realFrame(() => (heldAt === null ? task(performance.now()) : waiting.push(task)));
  window.passTime = (ms) => new Promise((resolve) => realFrame(() => {
    heldAt = performance.now() + ms;
    for (const task of waiting.splice(0)) task(heldAt);
    resolve();
  }));
  window.letTimeRun = () => {
    [aheadMs, heldAt] = [heldAt - realNow(), null];
    for (const task of waiting.splice(0)) requestAnimationFrame(task);
  };
}`;

const middleOf = async (page: Page, marker: string): Promise<Point> => {
  const box = await page.locator(marker).boundingBox();
  return box === null ? [NaN, NaN] : [box.x + box.width / 2, box.y + box.height / 2];
};

test('[V107] from a turn of the wheel on, the recipient’s map stays where it is', async () => {
  const { page } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.locator('.map[aria-busy="false"]').waitFor();
  const recentre = page.getByRole('button', { name: 'Show the whole route' });
  expect(await recentre.count()).toBe(0);
  await page.mouse.move(195, 200);
  await page.mouse.wheel(0, -400);
  await recentre.waitFor();
  await page.context().close();
});

test('[V71] between two positions the marker moves along the street, also round a bend', async () => {
  await assign(server, await logIn(server.baseUrl, server.demo.staff), delivery, courier.id);
  const why = { override_reason: 'test' };
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...why });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...why });
  const { body } = await call(server.baseUrl, `GET ${new URL(delivery.url).pathname}/state`);
  const line = decodePolyline(String(body['polyline']));
  const wholeM = lengthM(line);
  // The sharpest bend of 180 m in the last kilometre.
  const turns = Array.from({ length: 40 }, (_, at) => wholeM - 1000 + at * 20).map((m) => {
    const [from, middle, to] = [m, m + 90, m + 180].map((alongM) => placeAlong(line, alongM));
    return { from: from!, to: to!, chordM: distanceM(from!, to!), halvesM: distanceM(from!, middle!) * 2 };
  });
  const { from, to } = turns.toSorted((a, b) => b.halvesM - b.chordM - (a.halvesM - a.chordM))[0]!;
  // A leap is believed when the next fix agrees with it.
  for (const _time of [1, 2]) await courier.ping(from);
  const { page, shoot } = await visit(browser, PHONE);
  await page.addInitScript(HAND);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(delivery.url);
  await page.locator('.courier').waitFor();
  await page.locator('.map[aria-busy="false"]').waitFor();
  // From a drag on, the map stays where it is.
  await page.mouse.move(195, 200);
  await page.mouse.down();
  await page.mouse.move(205, 215, { steps: 5 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Show the whole route' }).waitFor();
  // After this the map has come to rest, and the next glide lasts for as long as one may.
  for (let turn = 0; turn < 10; turn += 1) await page.evaluate('passTime(1000)');
  const start = await middleOf(page, '.courier');
  const pixel = drawnBy(from, start, SCHAAN, await middleOf(page, '.place-drop-off'));
  const drawn = Array.from({ length: 500 }, (_, at) => pixel(placeAlong(line, (wholeM * at) / 499)));
  await courier.ping(to);
  const way: Point[] = [];
  await until(async () => {
    await page.evaluate('passTime(100)');
    way.push(await middleOf(page, '.courier'));
    return apart(way.at(-1) ?? start, pixel(to)) < 6;
  }, PATIENCE_MS);
  await page.evaluate('letTimeRun()');
  await shoot('ways-track-390-moved');
  expect(way.length).toBeGreaterThan(10);
  const nearest = way.map((at) => {
    const away = drawn.map((point) => apart(at, point));
    const least = Math.min(...away);
    return { least, index: away.indexOf(least) };
  });
  expect(Math.max(...nearest.map(({ least }) => least))).toBeLessThan(6);
  expect(nearest.filter(({ index }, at) => index < (nearest[at - 1]?.index ?? 0) - 2)).toEqual([]);
  expect(mostBesides([start, ...way, pixel(to)])).toBeGreaterThan(8);
});
