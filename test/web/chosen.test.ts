import { expect, onTestFinished, test } from 'vitest';
import { DESK, openConsole, pixelAt, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { assign, order, startCourier } from './world.ts';

openHouse('web chosen');

test('[V129] without an open delivery the legend names the scale of demand before the map is moved', async () => {
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.map[aria-busy="false"]').waitFor();
  await expect.poll(() => page.locator('.demand-scale').count(), { timeout: 5000 }).toBe(1);
  await page.context().close();
});

test('[V139] with forced colours, the console shows which delivery is chosen and which filter is on', async () => {
  await order(server, 'forced-1');
  await order(server, 'forced-2');
  const { page, shoot } = await visit(browser, DESK);
  await page.emulateMedia({ forcedColors: 'active' });
  await openConsole(page, server);
  const [chosen, other] = [
    page.locator('.row', { hasText: 'forced-1' }),
    page.locator('.row', { hasText: 'forced-2' }),
  ];
  const [on, off] = [
    page.locator('.filter', { hasText: 'Searching' }),
    page.locator('.filter', { hasText: 'Assigned' }),
  ];
  await other.waitFor();
  await chosen.click();
  await on.click();
  await page.locator('.history-row').first().waitFor();
  await shoot('console-1280-forced');
  expect(await pixelAt(chosen, 1, 20)).not.toBe(await pixelAt(other, 1, 20));
  expect(await pixelAt(on, 20, 4)).not.toBe(await pixelAt(off, 20, 4));
  await page.context().close();
});

test('[V110] an event of the chosen delivery leaves the map where the dispatcher has moved it', async () => {
  const delivery = await order(server, 'moved-1');
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'moved-1' }).click();
  await page.locator('.history-row').first().waitFor();
  const kept = () => page.evaluate<string | null>("localStorage.getItem('map')");
  const box = await page.locator('.map').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 200);
  for (let turns = 0; turns < 6; turns += 1) await page.mouse.wheel(0, -400);
  await expect.poll(kept).toEqual(expect.stringMatching(/"zoom":1[5-9]/u));
  await page.locator('.map[aria-busy="false"]').waitFor();
  const scale = () => page.locator('.maplibregl-ctrl-scale').innerText();
  const moved = await scale();
  await assign(server, staffToken, delivery, courier.id);
  await page.getByRole('button', { name: 'Unassign' }).waitFor();
  // A move that the map makes by itself begins within two frames.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await scale()).toBe(moved);
  await page.context().close();
});
