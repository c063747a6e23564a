import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { DESK, findings, holdAssignments, LOOKS, openConsole, reachesOver, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { assign, cancel, order, startCourier } from './world.ts';

openHouse('web candidates');

/** Opens the candidates of a delivery. */
async function openCandidates(page: Page, name: string): Promise<void> {
  await openConsole(page, server);
  await page.locator('.row', { hasText: name }).click();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.candidate').first().waitFor();
}

test('[V111] if another hand assigns a courier or cancels while the candidates are open, a notice says so', async () => {
  const delivery = await order(server, 'taken-2');
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  const { page, shoot } = await visit(browser, DESK);
  await openCandidates(page, 'taken-2');
  await assign(server, staffToken, delivery, courier.id);
  const notices = () => page.locator('.notice').allInnerTexts();
  await expect.poll(notices).toEqual(['Ada was assigned by staff a moment ago.']);
  await shoot('console-1280-taken');
  await courier.act('delivery.release', { delivery_id: delivery.id, reason: 'A flat tyre' });
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.assign').waitFor();
  await cancel(server, delivery);
  await expect.poll(notices).toEqual(['The delivery is now canceled.']);
  await page.context().close();
});

test('[V111] a dispatcher who cancels while the candidates are open hears of it once', async () => {
  await order(server, 'taken-4');
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  const { page } = await visit(browser, DESK);
  await openCandidates(page, 'taken-4');
  await page.evaluate(`globalThis.told = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
    addedNodes.forEach(({ textContent }) => told.push(textContent))))
    .observe(document.querySelector('.notice-place'), { childList: true })`);
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click();
  await page.locator('.summary').getByText('Canceled').waitFor();
  await page.locator('.notice', { hasText: 'Canceled.' }).waitFor();
  expect(await page.evaluate('told')).toEqual(['Canceled.']);
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

test('[V19] a press on a candidate of a delivery that another dispatcher has assigned meanwhile is refused', async () => {
  const delivery = await order(server, 'taken-3');
  const [first, second] = [
    await startCourier(server, 1, server.demo.center),
    await startCourier(server, 2, server.demo.center),
  ];
  onTestFinished(() => [first, second].forEach(({ socket }) => socket.close()));
  const { page } = await visit(browser, DESK);
  // The page hears of the other assignment late.
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const service = socket.connectToServer();
    service.onMessage((message) => {
      if (!String(message).includes('courier.assigned')) socket.send(message);
    });
  });
  await openCandidates(page, 'taken-3');
  await assign(server, staffToken, delivery, first.id);
  await page.getByRole('button', { name: 'Assign to Chi Lam' }).press('Enter');
  const mistake = page.locator('.assign').getByRole('alert');
  expect(await mistake.innerText()).toBe(
    'Another courier is assigned already. To change the courier, unassign them first.',
  );
  expect(await page.locator('.assign:focus').count()).toBe(1);
  await page.context().close();
});

test('[V126] the candidates of a delivery are one list with the delivery, and five of nine are seen at once', async () => {
  await order(server, 'many-1');
  const data = Array.from({ length: 9 }, (_, index) => ({
    courier: { id: newId('cou'), name: `Maximiliane Hohenstein ${index}`, vehicle_type: 'scooter' },
    distance_m: 480 * (index + 1),
    travel_s: 90 * (index + 1),
    load: 1,
    cost: 1472,
    reason: 'Carries 1 and has no room for another.',
  }));
  for (const look of LOOKS.filter(({ width, scheme }) => width < 400 === (scheme === 'light'))) {
    const { page, shoot } = await visit(browser, look);
    await page.route(/\/dispatch\/candidates\?/, (route) =>
      route.fulfill({ json: { object: 'list', data, has_more: false, next_cursor: null } }),
    );
    await openCandidates(page, 'many-1');
    const seen = (): Promise<number> =>
      page.evaluate<number>(`[...document.querySelectorAll('.candidate')].map((each) => each.getBoundingClientRect())
        .filter(({ x, y, width, height }) => {
          const hit = [y + 2, y + height - 2].map((at) => document.elementFromPoint(x + width / 2, at));
          return hit.every((each) => each?.closest('.candidate'));
        }).length`);
    await expect.poll(seen).toBeGreaterThanOrEqual(5);
    await shoot(`console-${look.width}-${look.scheme}-nine-candidates`);
    const last = page.getByRole('button', { name: 'Assign to Maximiliane Hohenstein 8' });
    await last.scrollIntoViewIfNeeded();
    expect(await page.evaluate(`document.querySelector('.candidates').scrollTop`)).toBe(0);
    expect(await reachesOver(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await page.context().close();
  }
});
