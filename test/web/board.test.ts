import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../load-tests/random.ts';
import { pairOf, placesOnStreets } from '../../load-tests/quotes/places.ts';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { findings, launch, LOOKS, openConsole, reachesOver, visit } from './browser.ts';
import {
  assign,
  bringToWork,
  onboard,
  orderAlongStreets,
  placeAlong,
  type Delivery,
  type TestCourier,
} from './world.ts';

const valhalla = await valhallaForFile();
/** How many of the 30 deliveries are in each state. Those that are searched for early raise an alarm. */
const COUNTS = { scheduled: 4, searching: 7, assigned: 7, picked_up: 4, in_transit: 8 } as const;
type State = keyof typeof COUNTS;
const STATES = Object.keys(COUNTS) as State[];
const ALARMS = 2;
const IDLE = 6;
const [SOON_MS, LATER_MS] = [18 * 60_000, 3 * 3_600_000];
const NAMES = ['Ada Obi', 'Ben Roth', 'Chi Lam', 'Dina Marxer', 'Elif Kaya', 'Femi Ade', 'Gerda Frick', 'Hugo Beck'];
const STREETS = ['Städtle', 'Aeulestrasse', 'Herrengasse', 'Fürst-Franz-Josef-Strasse', 'Landstrasse', 'Im Bretscha'];
const VEHICLES = ['bicycle', 'scooter', 'car'] as const;
/** Collected goods stay at the pickup. */
const STAY = { GEOFENCE_DEPART_AFTER_MS: '3600000' };
const WHY = { override_reason: 'test' };

type Place = { readonly lat: number; readonly lng: number };
/** A courier, and the place that their phone reports. */
type Member = { readonly courier: TestCourier; place: Place };

let server: TestServer;
let browser: Browser;
let staff: string;
let beat: ReturnType<typeof setInterval>;
const crew: Member[] = [];

beforeAll(async () => {
  const streets = { MAP_TILES: SHIPPED_TILES, TRAVEL_ROUTER_URL: valhalla, TRAVEL_ROUTER_KIND: 'valhalla' };
  // The machine that runs the tests may be slow. An alarm comes after the shortest time that is allowed.
  const env = { TRAVEL_ROUTE_BUDGET_REAL_MS: '10000', SEARCH_ALARM_AFTER_MS: '60000', ...STAY };
  server = await startServer(testEngines('web board'), { ...streets, ...env });
  browser = await launch();
  staff = await logIn(server.baseUrl, server.demo.staff);
  await fillBoard();
});

afterAll(async () => {
  clearInterval(beat);
  for (const { courier } of crew) courier.socket.close();
  await browser?.close();
  await server?.stop();
});

/** Orders the deliveries, and has couriers carry them as far as their states say. */
async function fillBoard(): Promise<void> {
  const random = createRandom(5);
  const places = await placesOnStreets(valhalla, random, [VADUZ, SCHAAN]);
  const addressed = (place: (typeof places)[number]) => {
    const street = STREETS[Math.floor(random.next() * STREETS.length)] ?? '';
    return { place, address: `${street} ${Math.ceil(random.between(0, 120))}` };
  };
  let made = 0;
  for (const state of STATES.toReversed()) {
    for (let index = 0; index < COUNTS[state]; index += 1) {
      const [from, to] = pairOf(places, random);
      made += 1;
      const ends = { from: addressed(from), to: addressed(to) };
      const order = { externalId: `order-${1000 + made}`, ...ends, ...timesOf(state, index) };
      const delivery = await orderAlongStreets(server, order);
      if (state === 'scheduled' || state === 'searching') continue;
      await carry(delivery, state === 'assigned' ? pairOf(places, random)[0] : from, state);
    }
  }
  for (let index = 0; index < IDLE; index += 1) await startOne(pairOf(places, random)[0]);
  beat = setInterval(() => crew.forEach(({ courier, place }) => void courier.ping(place).catch(() => undefined)), 5000);
}

/** A search for goods that are ready later does not count yet, so it raises no alarm. */
function timesOf(state: State, index: number) {
  if (state === 'scheduled') return { priority: 'scheduled', readyInMs: LATER_MS } as const;
  return state === 'searching' && index >= ALARMS ? { readyInMs: SOON_MS } : {};
}

async function startOne(place: Place): Promise<Member> {
  const index = crew.length;
  const name = NAMES[index % NAMES.length] ?? '';
  const profile = { name, phone: `+4915298000${100 + index}`, vehicle_type: VEHICLES[index % VEHICLES.length] ?? '' };
  const member = { courier: await bringToWork(server, await onboard(server, staff, profile), place), place };
  crew.push(member);
  return member;
}

/** Has a new courier carry the delivery as far as its state says. */
async function carry(delivery: Delivery, from: Place, state: State): Promise<void> {
  const member = await startOne(from);
  await assign(server, staff, delivery, member.courier.id);
  if (state === 'assigned') return;
  await member.courier.act('delivery.pick_up', { delivery_id: delivery.id, ...WHY });
  if (state !== 'in_transit') return;
  await member.courier.act('delivery.depart', { delivery_id: delivery.id, ...WHY });
  member.place = await placeAlong(server, delivery, 0.5);
}

async function openBoard(page: Page): Promise<void> {
  await openConsole(page, server);
  await page.locator('.row').nth(29).waitFor();
  await page
    .locator('.alarm')
    .nth(ALARMS - 1)
    .waitFor();
}

test.each(LOOKS)('[V76] 30 deliveries are on the console at $width px, $scheme', async (look) => {
  const { page, shoot, faults } = await visit(browser, look);
  const isPhone = look.width < 700;
  const name = `board-${look.width}-${look.scheme}`;
  await openBoard(page);
  const counts = await page.locator('.filter b').allInnerTexts();
  expect(counts.map(Number)).toEqual(Object.values(COUNTS));
  await shoot(isPhone ? `${name}-list` : name);
  expect(await reachesOver(page)).toEqual([]);
  expect(await findings(page)).toEqual([]);
  const last = page.locator('.row').last();
  await last.scrollIntoViewIfNeeded();
  // The browser draws a row in the frame after the one in which it comes into view.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const bottom = (await page.locator('.rows').boundingBox()) ?? { y: 0, height: 0 };
  const { y = 0, height = 0 } = (await last.boundingBox()) ?? {};
  expect(Math.abs(y + height - bottom.y - bottom.height)).toBeLessThan(2);
  await shoot(`${name}-end`);
  if (isPhone) {
    await page.getByRole('button', { name: 'Map' }).click();
    await shoot(`${name}-map`);
    expect(await reachesOver(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'List' }).click();
  }
  await page.locator('.row .state-in_transit').first().click();
  await page.locator('.history-row').first().waitFor();
  await shoot(`${name}-detail`);
  expect(await reachesOver(page)).toEqual([]);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
});
