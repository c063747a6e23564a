import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { createClient } from '../../packages/client/src/client.ts';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { launch } from '../../test/web/browser.ts';

/** A house, and how many times faster than usual its robo-courier works. */
type House = { readonly lat: number; readonly lng: number; readonly address: string; readonly pace: number };
type Demo = {
  readonly base_url: string;
  readonly console_url: string;
  readonly vendor: { readonly api_key: string; readonly location_id: string };
  readonly staff: { readonly email: string; readonly password: string };
};

/** The house of the delivery that both pages show. */
const HOME: House = { lat: 47.16361, lng: 9.50598, address: 'Wiesengass 21', pace: 1 };
/** Their couriers have different paces, so that the deliveries are in different states. */
const OTHERS: readonly House[] = [
  { lat: 47.1548, lng: 9.51079, address: 'Landstrasse 120', pace: 1 },
  { lat: 47.14857, lng: 9.5096, address: 'Schaanerstrasse 22', pace: 1.3 },
  { lat: 47.13828, lng: 9.51614, address: 'Alvierweg 16', pace: 1.1 },
  { lat: 47.16805, lng: 9.51091, address: 'Feldkircher Strasse 13', pace: 1.2 },
  { lat: 47.14483, lng: 9.52179, address: 'Fürst-Franz-Josef-Strasse 102', pace: 1 },
];
/** The picture is taken when the courier is this far north, half the way to the house. */
const HALF_WAY_LAT = 47.15;
/** The console shows that many letters of an id. */
const SHOWN_LETTERS = 6;
const HEIGHT = 844;
const [DESK_WIDTH, PHONE_WIDTH, GAP] = [1200, 390, 24];
const PATIENCE_MS = 240_000;
const FILE = path.join(import.meta.dirname, 'streets.png');

// Takes the picture of the README from a server that runs with its demo.
// oxlint-disable-next-line node/no-process-env -- an entry point
const demoFile = process.env['DEMO_FILE'] ?? '.data/demo.json';
const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
const client = createClient({ baseUrl: demo.base_url, credential: demo.vendor.api_key });
const browser = await launch();
try {
  const desk = await openConsole(browser);
  for (const house of OTHERS) await order(house);
  const { id, tracking_url: url } = await order(HOME);
  const halfWay = whenHalfWay(id, url ?? '');
  const phone = await openPage(browser, PHONE_WIDTH, url ?? '');
  await desk.locator('.row', { hasText: id.slice(-SHOWN_LETTERS) }).click();
  await halfWay;
  const [left, right] = await Promise.all([shoot(desk), shoot(phone)]);
  const size = { width: DESK_WIDTH + GAP + PHONE_WIDTH, height: HEIGHT, channels: 4 } as const;
  const { size: bytes } = await sharp({ create: { ...size, background: '#00000000' } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: DESK_WIDTH + GAP, top: 0 },
    ])
    .png({ palette: true, effort: 10 })
    .toFile(FILE);
  process.stdout.write(`${path.relative('.', FILE)}: ${Math.round(bytes / 1024)} KiB\n`);
} finally {
  await browser.close();
}

/** Orders a delivery with a way along streets. */
async function order({ pace, address, ...coordinates }: House) {
  const pickup = { location_id: demo.vendor.location_id };
  const quote = await client.express.createQuote({ pickup, drop_off: [{ coordinates }] });
  if (quote.distance_source !== 'route')
    throw new Error('The demo has no streets yet. Wait for the line about Valhalla.');
  return client.express.create({
    quote_id: quote.id,
    pickup,
    drop_off: [{ coordinates, address, contact: { name: 'Robin', phone: '+4237912399' } }],
    test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: pace } },
  });
}

/** Resolves when the courier has done half of the way to the house. */
function whenHalfWay(deliveryId: string, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = new Error(`The courier did not come half the way within ${PATIENCE_MS / 1000} s.`);
    setTimeout(() => reject(tooLate), PATIENCE_MS).unref();
    const feed = openTrackFeed({
      baseUrl: demo.base_url,
      token: url.slice(url.lastIndexOf('/') + 1),
      lastSeq: { [deliveryId]: 0 },
      onPositions: ({ items }) => {
        if (items.some(([, , , lat]) => lat >= HALF_WAY_LAT)) resolve(feed.close());
      },
    });
  });
}

async function openPage(on: Browser, width: number, url: string): Promise<Page> {
  const context = await on.newContext({
    viewport: { width, height: HEIGHT },
    locale: 'en-CH',
    timezoneId: 'Europe/Vaduz',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** The console after a login. */
async function openConsole(on: Browser): Promise<Page> {
  const page = await openPage(on, DESK_WIDTH, demo.console_url);
  await page.getByLabel('Email').fill(demo.staff.email);
  await page.getByLabel('Password').fill(demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('.map[aria-busy="false"]').waitFor();
  return page;
}

/** A picture of the page when its map is drawn. */
async function shoot(page: Page): Promise<Buffer> {
  await page.locator('.map[aria-busy="false"]').waitFor();
  return page.screenshot();
}
