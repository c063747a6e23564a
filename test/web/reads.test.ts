import { expect, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { DESK, openConsole, UNREADABLE, visit } from './browser.ts';
import { browser, openHouse, server } from './house.ts';
import { cancel, order } from './world.ts';

openHouse('web reads');

test('[V113] a history that cannot be read says why, and is read again by itself', async () => {
  await order(server, 'read-1');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'read-1' }).waitFor();
  await page.route(/\/history(?:\?|$)/, (route) => route.fulfill(UNREADABLE));
  await page.locator('.row', { hasText: 'read-1' }).click();
  await page.locator('.detail').getByText('This cannot be read now.').waitFor();
  await page.unroute(/\/history(?:\?|$)/);
  await page.locator('.history-row').first().waitFor();
  expect(await page.getByText('This cannot be read now.').count()).toBe(0);
  await page.context().close();
});

test('[V113] a delivery that ended so long ago that its events are removed is shown without them', async () => {
  const delivery = await order(server, 'read-old');
  await cancel(server, delivery);
  const { page } = await visit(browser, DESK);
  await page.route(/\/history(?:\?|$)/, (route) =>
    route.fulfill({ ...UNREADABLE, status: 410, json: { status: 410, code: 'history_expired', detail: '' } }),
  );
  await openConsole(page, server);
  await page.getByLabel('Search').fill('read-old');
  await page.locator('.row', { hasText: 'read-old' }).click();
  await page.locator('.detail').getByRole('heading', { name: 'read-old' }).waitFor({ timeout: 20_000 });
  const why = 'The delivery ended so long ago that its events have been removed.';
  await expect.poll(() => page.locator('.detail').getByText(why).count()).toBe(1);
  await page.context().close();
});

/** An answer of a proxy or a captive portal. No read of the console looks like it. */
const STRANGE = { status: 200, json: { login: 'https://portal.example' } };

test('[V143] strange answers break no read of the console, which goes on when the server answers', async () => {
  await order(server, 'read-strange');
  const { page, faults } = await visit(browser, DESK);
  const reads = /\/(deliveries|dispatch|kyc)(\/|\?)|\/healthz$/;
  await page.route(reads, (route) => route.fulfill(STRANGE));
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'read-strange' }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.assign').getByText('The server did not answer.').waitFor({ timeout: 30_000 });
  await page.unroute(reads);
  await page.getByRole('button', { name: 'Search again' }).click();
  await page.locator('.assign').getByText('No online courier is near.').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('[H562] strange answers to a login and to a cancel of the console are missing ones, which it repeats', async () => {
  const delivery = await order(server, 'write-strange');
  const { page, faults } = await visit(browser, DESK);
  let strange = 0;
  await page.route(/\/auth\/token$|\/cancel$/, (route) => {
    strange += 1;
    return strange % 2 === 1 ? route.fulfill(STRANGE) : route.continue();
  });
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'write-strange' }).click();
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { body } = await call(server.baseUrl, `GET /deliveries/${delivery.id}`, { token: server.demo.vendor.api_key });
  expect(body['status']).toBe('canceled');
  expect([strange, faults]).toEqual([4, []]);
  await page.context().close();
});

test('[V114] until the open deliveries are read, the list does not say that there are none', async () => {
  const { page } = await visit(browser, DESK);
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const list = /\/deliveries\?.*status=/;
  await page.route(list, async (route) => {
    asked.resolve();
    await held.promise;
    await route.fulfill(UNREADABLE);
  });
  await openConsole(page, server);
  await asked.promise;
  const pane = page.locator('.list-pane');
  await pane.getByText('Loading…').waitFor();
  expect(await pane.getByText('There are no open deliveries.').count()).toBe(0);
  held.resolve();
  await pane.getByText('This cannot be read now.').waitFor();
  await page.unroute(list);
  await pane.locator('.row').first().waitFor();
  await page.context().close();
});

test('[V123] the time of the last update comes from the clock of the server, and is left out until that is read', async () => {
  const { page, cut } = await visit(browser, DESK);
  const read = Promise.withResolvers<void>();
  await page.route(/\/healthz$/, async (route) => {
    await read.promise;
    await route.fulfill({ json: { now: Date.UTC(2026, 0, 1, 11), clock_scale: 1 } });
  });
  await openConsole(page, server);
  await page.getByText('Live', { exact: true }).waitFor();
  await cut(true);
  await page.getByText('Reconnecting…', { exact: true }).waitFor();
  read.resolve();
  await expect.poll(() => page.locator('.connection').innerText()).toBe('Reconnecting… last update 12:00');
  await page.context().close();
});

test('[V125] a stop that was not visited is shown as canceled when its delivery has ended', async () => {
  const delivery = await order(server, 'read-4');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'read-4' }).click();
  const stops = page.locator('.stop-head .quiet');
  await expect
    .poll(() => stops.allInnerTexts())
    .toEqual([expect.stringMatching(/^open/), expect.stringMatching(/^open/)]);
  await cancel(server, delivery);
  await expect.poll(() => stops.allInnerTexts()).toEqual(['canceled', expect.stringMatching(/^canceled/)]);
  await page.context().close();
});

test('[V119] after a new search for couriers, the panel does not show why the one before failed', async () => {
  await order(server, 'read-3');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'read-3' }).click();
  await page.route(/\/dispatch\/candidates/, (route) => route.fulfill(UNREADABLE));
  await page.locator('.actions').getByRole('button', { name: 'Assign' }).click();
  const panel = page.locator('.assign');
  await panel.getByText('This cannot be read now.').waitFor();
  await page.unroute(/\/dispatch\/candidates/);
  await panel.getByRole('button', { name: 'Search again' }).click();
  await panel.getByText('No online courier is near. Wait, or ask a courier to go online.').waitFor();
  expect(await panel.getByText('This cannot be read now.').count()).toBe(0);
  await page.context().close();
});
