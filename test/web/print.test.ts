import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { launch, LOOKS, visit } from './browser.ts';
import { assign, order, startCourier, type TestCourier } from './world.ts';

let server: TestServer;
let browser: Browser;
let staffToken: string;
let courier: TestCourier;

beforeAll(async () => {
  server = await startServer(testEngines('web print'), {});
  browser = await launch();
  staffToken = await logIn(server.baseUrl, server.demo.staff);
  courier = await startCourier(server, 0, server.demo.center);
});

afterAll(async () => {
  courier?.socket.close();
  await browser?.close();
  await server?.stop();
});

test('[V142] on paper the tracking page has the vendor, the state and its times in dark on white, and no map', async () => {
  const delivery = await order(server, 'print');
  await assign(server, staffToken, delivery, courier.id);
  for (const look of LOOKS) {
    const { page, shoot, faults } = await visit(browser, look);
    await page.goto(delivery.url);
    await page.getByText('Ada is going to collect it').waitFor();
    await page.locator('.map canvas').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: look.scheme });
    expect(await page.locator('.map-frame').isVisible()).toBe(false);
    for (const part of ['.vendor-name', 'h1', '.steps']) expect(await page.locator(part).isVisible()).toBe(true);
    const colours = await page.evaluate<string[]>(
      `[getComputedStyle(document.querySelector('.sheet'))].flatMap((style) => [style.color, style.backgroundColor])`,
    );
    expect(colours).toEqual(['rgb(20, 24, 28)', 'rgb(255, 255, 255)']);
    await shoot(`track-${look.width}-${look.scheme}-print`);
    expect(faults).toEqual([]);
  }
});
