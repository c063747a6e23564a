import { expect, test } from 'vitest';
import { DESK, openConsole, PHONE, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { assign, cancel, order, startCourier } from './world.ts';

const WHY = { override_reason: 'test' };
/** The bodies of both getters in browsers that give pages no storage. */
const NO_STORAGE = [
  { browserDoes: 'blocks its storage', getter: "throw new DOMException('The storage is blocked.', 'SecurityError')" },
  { browserDoes: 'has no storage', getter: 'return null' },
];

openHouse('web failures');

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
  await cancel(server, delivery);
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

test('[V133] a key that comes right after "Keep it" opens the question again', async () => {
  const delivery = await order(server, 'asked-10');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-10' }).click();
  await page.locator('.actions > .button-danger').press('Enter');
  await page.getByRole('dialog').waitFor();
  // In one task, so that the event of the closed dialog comes after the second key, as on a busy machine.
  await page.evaluate(`(async () => {
    document.querySelector('.ask-buttons > .button').click();
    for (let turn = 0; turn < 20; turn += 1) await null;
    document.querySelector('.actions > .button-danger').click();
  })()`);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).press('Escape', { timeout: 10_000 });
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.actions > .button-danger:focus').count()).toBe(1);
  await cancel(server, delivery);
  await page.context().close();
});
