import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, launch, openConsole, PHONE, visit } from './browser.ts';
import { order, type Delivery } from './world.ts';

/** The bodies of both getters in browsers that give pages no storage. */
const NO_STORAGE = [
  { browserDoes: 'blocks its storage', getter: "throw new DOMException('The storage is blocked.', 'SecurityError')" },
  { browserDoes: 'has no storage', getter: 'return null' },
];

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer(testEngines('web failures'));
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function cancel({ id }: Delivery): Promise<void> {
  const token = server.demo.vendor.api_key;
  const { status } = await call(server.baseUrl, `POST /express/deliveries/${id}/cancel`, { token, body: {} });
  expect(status).toBe(200);
}

/** Replaces both storages of a page before it loads. */
function withoutStorage(getter: string): string {
  return `for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(window, name, { get() { ${getter} } });`;
}

/** The faults of a page that has logged out. Its socket may still send an acknowledgement while it closes. */
function afterLogout(faults: readonly string[]): string[] {
  return faults.filter((fault) => !fault.startsWith('WebSocket is already in CLOSING'));
}

test.each(NO_STORAGE)('[V82] if the browser $browserDoes, recipients see their delivery', async ({ getter }) => {
  const delivery = await order(server, `kept-${getter.length}`);
  const { page, faults } = await visit(browser, PHONE);
  await page.addInitScript(withoutStorage(getter));
  await page.goto(delivery.url);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor({ timeout: 20_000 });
  expect(faults).toEqual([]);
  await cancel(delivery);
  await page.context().close();
});

test.each(NO_STORAGE)('[V82] if the browser $browserDoes, dispatchers work in the console', async ({ getter }) => {
  const { page, faults } = await visit(browser, DESK);
  await page.addInitScript(withoutStorage(getter));
  await page.goto(`${server.baseUrl}/console`);
  await page.getByLabel('Email').waitFor({ timeout: 20_000 });
  await openConsole(page, server);
  await page.locator('.map[aria-busy="false"]').waitFor();
  // The console keeps the place of the map when the dispatcher moves it.
  const scale = page.locator('.maplibregl-ctrl-scale');
  const before = await scale.innerText();
  await page.locator('.map').hover();
  await page.mouse.wheel(0, -900);
  await expect.poll(() => scale.innerText()).not.toBe(before);
  await page.locator('.map[aria-busy="false"]').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  expect(afterLogout(faults)).toEqual([]);
  await page.context().close();
});
