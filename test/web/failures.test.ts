import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, holdAssignments, launch, openConsole, PHONE, visit } from './browser.ts';
import { assign, order, startCourier, type Delivery } from './world.ts';

const WHY = { override_reason: 'test' };
/** The bodies of both getters in browsers that give pages no storage. */
const NO_STORAGE = [
  { browserDoes: 'blocks its storage', getter: "throw new DOMException('The storage is blocked.', 'SecurityError')" },
  { browserDoes: 'has no storage', getter: 'return null' },
];

let server: TestServer;
let browser: Browser;
let staffToken: string;

beforeAll(async () => {
  server = await startServer(testEngines('web failures'));
  browser = await launch();
  staffToken = await logIn(server.baseUrl, server.demo.staff);
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
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  expect(faults).toEqual([]);
  await cancel(delivery);
  await page.context().close();
});

test.each(NO_STORAGE)('[V82] if the browser $browserDoes, dispatchers work in the console', async ({ getter }) => {
  const { page, faults } = await visit(browser, DESK);
  await page.addInitScript(withoutStorage(getter));
  await page.goto(`${server.baseUrl}/console`);
  await page.getByLabel('Email').waitFor();
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

test('[V83] if a read of the recipient’s page gets no answer, later reads go on', async () => {
  const delivery = await order(server, 'hung-read');
  const courier = await startCourier(server, 0, server.demo.center);
  const { page } = await visit(browser, PHONE);
  await page.goto(delivery.url);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  await assign(server, staffToken, delivery, courier.id);
  await page.getByText('Ada is going to collect it').waitFor();
  let reads = 0;
  await page.route(/\/state$/, (route) => {
    reads += 1;
    // The first read never gets an answer, as on a connection that has died without a sign.
    return reads === 1 ? undefined : route.continue();
  });
  await courier.act('stop.arrive', { delivery_id: delivery.id, stop: 0, ...WHY });
  await expect.poll(() => reads, { timeout: 45_000 }).toBeGreaterThan(1);
  courier.socket.close();
  await page.context().close();
});

test('[V83] if a rating gets no answer, the recipient’s page says so and keeps it', async () => {
  const delivery = await order(server, 'hung-rating');
  const courier = await startCourier(server, 1, server.demo.center);
  await assign(server, staffToken, delivery, courier.id);
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...WHY });
  await courier.act('delivery.depart', { delivery_id: delivery.id, ...WHY });
  await courier.act('delivery.deliver', { delivery_id: delivery.id, stop: 1, ...WHY });
  courier.socket.close();
  const { page } = await visit(browser, PHONE);
  await page.route(/\/rating$/, () => undefined);
  await page.goto(delivery.url);
  await page.getByRole('radio', { name: '4 of 5 stars' }).check();
  await page.getByRole('textbox').fill('Very kind');
  await page.getByRole('button', { name: 'Send rating' }).click();
  await page.getByText('Your rating was not sent.').waitFor({ timeout: 30_000 });
  expect(await page.getByRole('button', { name: 'Send rating' }).isEnabled()).toBe(true);
  expect(await page.getByRole('textbox').inputValue()).toBe('Very kind');
  await page.context().close();
});

test('[V84] a closed map does nothing when the colour scheme changes', async () => {
  const { page, faults } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.map[aria-busy="false"]').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('.map').waitFor({ state: 'detached' });
  await page.emulateMedia({ colorScheme: 'dark' });
  // The page learns of the change with its next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(afterLogout(faults)).toEqual([]);
  await page.context().close();
});

/** Refuses each cancel of the page as soon as `window.refuse` is called. */
const REFUSE_CANCELS = `
  const refused = new Promise((resolve) => { window.refuse = resolve; });
  const send = window.fetch;
  window.fetch = async (url, request) => {
    if (!url.endsWith('/cancel')) return send(url, request);
    await refused;
    const body = '{"status":409,"code":"test","detail":"It cannot be canceled now."}';
    return new Response(body, { status: 409, headers: { 'content-type': 'application/problem+json' } });
  };`;

/** A dispatcher who has confirmed the question of a cancel. */
async function askToCancel(name: string) {
  const delivery = await order(server, name);
  const { page } = await visit(browser, DESK);
  await page.addInitScript(REFUSE_CANCELS);
  await openConsole(page, server);
  await page.locator('.row', { hasText: name }).click();
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Cancel delivery' }).click();
  await expect.poll(() => question.getByRole('button', { name: 'Keep it' }).isDisabled()).toBe(true);
  return { delivery, page, question };
}

test('[V85] a question stays open while its action is under way, and shows its failure', async () => {
  const { delivery, page, question } = await askToCancel('asked-1');
  await page.keyboard.press('Escape');
  expect(await question.isVisible()).toBe(true);
  await page.evaluate('window.refuse()');
  await question.getByText('It cannot be canceled now.').waitFor();
  await question.getByRole('button', { name: 'Keep it' }).click();
  await question.waitFor({ state: 'detached' });
  await cancel(delivery);
  await page.context().close();
});

test('[V85] if the question is gone when its action fails, the failure is a notice', async () => {
  const { delivery, page } = await askToCancel('asked-2');
  // The answer arrives in the moment in which the question leaves the page.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.querySelector('dialog') !== null) return;
    observer.disconnect();
    window.refuse();
  }).observe(document.body, { childList: true, subtree: true })`);
  // The delivery ends by another hand, and its question goes with it.
  await cancel(delivery);
  const notices = () => page.locator('.notice').allInnerTexts();
  await expect.poll(notices).toEqual(['It cannot be canceled now.']);
  await page.context().close();
});

test('[V85] if another delivery is chosen when an assignment fails, the failure is a notice', async () => {
  for (const name of ['given-1', 'given-2']) await order(server, name);
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  const { page } = await visit(browser, DESK);
  const held = await holdAssignments(page);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'given-1' }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.candidates').getByRole('button').first().click();
  await expect.poll(() => held.isAsked()).toBe(true);
  await page.locator('.row', { hasText: 'given-2' }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.candidates').waitFor();
  held.refuse();
  await expect.poll(() => page.locator('.notice').allInnerTexts()).toEqual(['The courier has just taken another one.']);
  expect(await page.locator('.candidates').count()).toBe(1);
  await page.context().close();
});

test('[V89] the question of a cancel shows the fee of each reason, and the server refuses a higher one', async () => {
  const delivery = await order(server, 'asked-3');
  const courier = await startCourier(server, 1, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  await assign(server, staffToken, delivery, courier.id);
  await courier.act('delivery.pick_up', { delivery_id: delivery.id, ...WHY });
  const { page, shoot } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-3' }).click();
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  const question = page.getByRole('dialog');
  const confirm = question.getByRole('button', { name: 'Cancel delivery' });
  await question.getByText(/^The vendor is charged .*\d\.$/).waitFor();
  await shoot('console-1280-cancel');
  await question.getByLabel('Reason').selectOption('other');
  await question.getByText('No fee is charged.').waitFor();
  // The server accepts no fee above the one that was shown.
  await question.getByLabel('Reason').selectOption('customer_request');
  await question.getByText(/^The vendor is charged/).waitFor();
  const accepted = Promise.withResolvers<unknown>();
  await page.route(/\/deliveries\/[^/]+\/cancel$/, async (route) => {
    const sent = route.request().postDataJSON() as { accept_fee: number };
    accepted.resolve(sent.accept_fee);
    await route.continue({ postData: JSON.stringify({ ...sent, accept_fee: sent.accept_fee - 1 }) });
  });
  await confirm.click();
  await question.getByText('The fee has changed meanwhile.').waitFor();
  expect(await accepted.promise).toBeGreaterThan(0);
  await page.unroute(/\/deliveries\/[^/]+\/cancel$/);
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.click();
  await question.waitFor({ state: 'detached' });
  const { body } = await call(server.baseUrl, `GET /deliveries/${delivery.id}`, { token: staffToken });
  expect(body).toMatchObject({ status: 'canceled', charge: { amount: await accepted.promise } });
  await page.context().close();
});
