import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { SHIPPED_TILES } from '../embedded/map/shipped-tiles.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { findings, launch, LOOKS, PHONE, pixelAt, reachesOver, visit } from './browser.ts';
import { assign, orderAlongStreets, placeAlong, startCourier, type Delivery, type TestCourier } from './world.ts';

const valhalla = await valhallaForFile();
const SHOP = { place: VADUZ, address: 'Städtle 1' };
const HOME = { place: SCHAAN, address: 'Landstrasse 12' };
const STAGES = ['searching', 'on the way', 'delivered'] as const;
type Stage = (typeof STAGES)[number];
const HEADINGS: Readonly<Record<Stage, RegExp>> = {
  searching: /^Looking for a courier$/,
  'on the way': /^Arriving /,
  delivered: /^Delivered at /,
};
/** Where the courier is on the way, as a share of its line. */
const ALONG = 0.45;
const WHY = { override_reason: 'test' };

let server: TestServer;
let browser: Browser;
let courier: TestCourier;
let beat: ReturnType<typeof setInterval>;
const deliveries = new Map<Stage, Delivery>();

beforeAll(async () => {
  const streets = { MAP_TILES: SHIPPED_TILES, TRAVEL_ROUTER_URL: valhalla, TRAVEL_ROUTER_KIND: 'valhalla' };
  // The machine that runs the tests may be slow.
  server = await startServer(testEngines('web stages'), { ...streets, TRAVEL_ROUTE_BUDGET_REAL_MS: '10000' });
  browser = await launch();
  const staff = await logIn(server.baseUrl, server.demo.staff);
  courier = await startCourier(server, 0, VADUZ);
  for (const stage of ['delivered', 'on the way', 'searching'] as const) {
    const delivery = await orderAlongStreets(server, {
      externalId: `order-${stage.replaceAll(' ', '-')}`,
      from: SHOP,
      to: HOME,
    });
    deliveries.set(stage, delivery);
    if (stage === 'searching') continue;
    await assign(server, staff, delivery, courier.id);
    await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...WHY });
    await courier.act('delivery.depart', { delivery_id: delivery.id, ...WHY });
    if (stage === 'delivered') await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...WHY });
    else await goHalfWay(delivery);
  }
});

afterAll(async () => {
  clearInterval(beat);
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

/** Takes the courier along the line of the delivery. Their phone goes on reporting the place. */
async function goHalfWay(delivery: Delivery): Promise<void> {
  const place = await placeAlong(server, delivery, ALONG);
  // A leap is believed when the next fix agrees with it.
  await courier.ping(place);
  await courier.ping(place);
  beat = setInterval(() => void courier.ping(place).catch(() => undefined), 3000);
}

test.each(STAGES.flatMap((stage) => LOOKS.map((look) => ({ stage, ...look }))))(
  '[V75] the recipient’s page is whole at $width px, $scheme: $stage',
  async ({ stage, ...look }) => {
    const { page, shoot, faults } = await visit(browser, look);
    await page.goto(deliveries.get(stage)?.url ?? '');
    await page.getByRole('heading', { name: HEADINGS[stage] }).waitFor();
    if (stage !== 'delivered')
      await page
        .locator(stage === 'searching' ? '.place' : '.courier')
        .first()
        .waitFor();
    await shoot(`stage-${look.width}-${look.scheme}-${stage.replaceAll(' ', '-')}`);
    expect(await reachesOver(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
  },
);

test('[V5] a screen reader hears that a step is done or comes next, and never that it happens before it does', async () => {
  const { page } = await visit(browser, PHONE);
  await page.goto(deliveries.get('on the way')?.url ?? '');
  const said = page.locator('.step .unseen');
  await expect.poll(() => said.allInnerTexts()).toEqual(['done', 'done', 'done', 'done', 'next']);
  await page.context().close();
});

test('[V138] with forced colours, the page shows which step comes next and the line between the steps', async () => {
  const { page } = await visit(browser, PHONE);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(deliveries.get('on the way')?.url ?? '');
  await page.locator('.step-current').waitFor();
  const dot = page.locator('.step-current .step-dot');
  // The middle of the mark and the ring around it, and the line before it and the space above the line.
  expect(await pixelAt(dot, 12, 12)).not.toBe(await pixelAt(dot, 12, 4));
  const step = page.locator('.step-current');
  expect(await pixelAt(step, 4, 12)).not.toBe(await pixelAt(step, 4, 4));
  await page.context().close();
});

test('[V4] a recipient whose delivery is half an hour late reads who can help', async () => {
  const { page } = await visit(browser, PHONE);
  const url = deliveries.get('on the way')?.url ?? '';
  const promise = JSON.stringify({ until: Date.now() - 3_600_000 });
  await page.addInitScript(`sessionStorage.setItem('promised:${url.split('/').at(-1)}', '${promise}')`);
  await page.goto(url);
  const said = await page.locator('.late').innerText();
  expect(said).toMatch(/^Running 1 hr.* late: the trip takes .*\. Questions\? Demo Kitchen can help you\.$/u);
  await page.context().close();
});

test('[V134] a long name leaves the mark of the vendor round, and instructions run in their own direction', async () => {
  const { page } = await visit(browser, PHONE);
  await page.goto(deliveries.get('on the way')?.url ?? '');
  await page.locator('.vendor-name').evaluate((name) => (name.textContent = 'Konditorei '.repeat(20)));
  expect((await page.locator('.vendor-mark').boundingBox())?.width).toBe(32);
  const instructions = page.getByText('Ring twice, second courtyard');
  await instructions.evaluate((text) => (text.textContent = 'الطابق 3، الباب الأيسر.'));
  const shown = page.getByText('الطابق');
  expect(await shown.evaluate((text) => text.matches(':dir(rtl)'))).toBe(true);
  await page.context().close();
});

test.each(STAGES)('[V135] on a phone at 200 %, the recipient’s page does not scroll sideways: %s', async (stage) => {
  const { page } = await visit(browser, { width: 180, height: 370 });
  await page.goto(deliveries.get(stage)?.url ?? '');
  await page.getByRole('heading', { name: HEADINGS[stage] }).waitFor();
  expect(await reachesOver(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(180);
  await page.context().close();
});
