import { expect, test } from 'vitest';
import { openConsole, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { assign, order, startCourier } from './world.ts';

openHouse('web keyboard');

test('[V144] a courier is unassigned by keys alone, and the notice of it is as wide as a phone allows', async () => {
  const courier = await startCourier(server, 0, server.demo.center);
  const delivery = await order(server, 'keys-1');
  await assign(server, staffToken, delivery, courier.id);
  const { page, faults, shoot } = await visit(browser, { width: 390, height: 844 });
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'keys-1' }).waitFor();
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.locator('.detail:focus').waitFor();
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('dialog').locator('select:focus').waitFor();
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  const notice = page.getByText('Unassigned. The search has started again.');
  await notice.waitFor();
  await shoot('console-390-unassigned');
  await page.locator('.detail:focus').waitFor();
  const box = await notice.boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  expect(box?.x).toBeGreaterThanOrEqual(16);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390 - 16);
  expect(faults).toEqual([]);
  await page.context().close();
  courier.socket.close();
});
