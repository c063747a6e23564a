import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, findings, launch, openConsole, PHONE, reachesOver, visit } from './browser.ts';
import { order } from './world.ts';

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer(testEngines('web search'));
  browser = await launch();
  const token = await logIn(server.baseUrl, server.demo.staff);
  const ended = await order(server, 'order-2001');
  await call(server.baseUrl, `POST /deliveries/${ended.id}/cancel`, { token, body: { reason: 'other' } });
  await order(server, 'order-2002');
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const rowsOf = (page: Page) => page.locator('.row');

test('[V93] the search shows ended deliveries below the list, and the keys open them', async () => {
  for (const size of [DESK, PHONE]) {
    const { page, shoot } = await visit(browser, size);
    await openConsole(page, server);
    await rowsOf(page).filter({ hasText: 'order-2002' }).waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('garden street');
    await page.getByRole('heading', { name: 'From all deliveries' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await reachesOver(page)).toEqual([]);
    await shoot(`search-${size.width}`);
    await page.getByRole('searchbox').fill('order-2001');
    await expect.poll(() => rowsOf(page).allTextContents()).toEqual([expect.stringContaining('order-2001')]);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'order-2001' }).waitFor();
    // A search that nothing matches says so, and its end leaves the list alone.
    await page.goto(`${server.baseUrl}/console?q=order-3000`);
    await page.getByText('No delivery matches.').waitFor();
    await page.getByRole('searchbox').fill('');
    await rowsOf(page).filter({ hasText: 'order-2002' }).waitFor();
    expect(await page.getByRole('heading', { name: 'From all deliveries' }).count()).toBe(0);
    await page.close();
  }
});

test('[V93] an answer that is lost is requested again, and nothing is said to be missing until then', async () => {
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await rowsOf(page).filter({ hasText: 'order-2002' }).waitFor();
  await page.route('**/deliveries?q=*', (route) => route.abort());
  await page.getByRole('searchbox').fill('order-2001');
  await page.getByText('Searching all deliveries…').waitFor();
  expect(await page.getByText('No delivery matches.').count()).toBe(0);
  await page.unroute('**/deliveries?q=*');
  await rowsOf(page).filter({ hasText: 'order-2001' }).waitFor({ timeout: 60_000 });
  await page.close();
});
