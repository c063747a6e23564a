import { expect, test } from 'vitest';
import { DESK, openConsole, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { sendPicture } from './papers.ts';

openHouse('web review lists');

test('[V118] a document that was decided does not come back with a list that was requested before', async () => {
  const id = await sendPicture(server, staffToken, 'Old List');
  const desk = await visit(browser, DESK);
  const { page } = desk;
  await openConsole(page, server);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.goto(`${server.baseUrl}/console?desk=documents&document=${id}`);
  const row = page.locator('.row', { hasText: 'Old List' });
  await row.waitFor();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/kyc\/documents\?/, async (route) => {
    const response = await route.fetch();
    asked.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  // The page reads the list again after a reconnection.
  await desk.cut(true);
  await desk.cut(false);
  await asked.promise;
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await row.waitFor({ state: 'detached' });
  const again = page.waitForRequest(/\/kyc\/documents\?/);
  held.resolve();
  await again;
  expect(await row.count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
});

test('[V147] after a decision before the list is read, the next document opens once the list is there', async () => {
  const first = await sendPicture(server, staffToken, 'Early Bird');
  await sendPicture(server, staffToken, 'Later Bird');
  const { page } = await visit(browser, DESK);
  await page.clock.install();
  await openConsole(page, server);
  await page.getByText('Live', { exact: true }).waitFor();
  const held = Promise.withResolvers<void>();
  let [lost, isBack] = [0, false];
  await page.route(/\/kyc\/documents\?/, async (route) => {
    await held.promise;
    if (isBack) return route.continue();
    lost += 1;
    return route.abort();
  });
  await page.goto(`${server.baseUrl}/console?desk=documents&document=${first}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByText('Choose a document to review it.').count()).toBe(0);
  // The read of the list is lost, also the one that follows the decision. The next round reads it.
  held.resolve();
  await expect.poll(() => lost).toBeGreaterThan(1);
  isBack = true;
  await page.clock.fastForward(30_000);
  await page.locator('.row', { hasText: 'Later Bird' }).waitFor();
  await expect.poll(() => page.url()).not.toContain(first);
  expect(page.url()).toContain('document=doc_');
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
});
