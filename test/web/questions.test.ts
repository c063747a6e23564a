import { expect, onTestFinished, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { DESK, openConsole, visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { assign, cancel, order, startCourier } from './world.ts';

const WHY = { override_reason: 'test' };

openHouse('web questions');

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
  expect(await question.locator(':focus').count()).toBe(1);
  await question.getByRole('button', { name: 'Keep it' }).click();
  await question.waitFor({ state: 'detached' });
  await cancel(server, delivery);
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
  await cancel(server, delivery);
  const notices = () => page.locator('.notice').allInnerTexts();
  await expect.poll(notices).toEqual(['It cannot be canceled now.']);
  await page.context().close();
});

test('[V104] a question that its delivery took away does not come back with the next one', async () => {
  const { delivery, page, question } = await askToCancel('asked-4');
  const next = await order(server, 'asked-5');
  await cancel(server, delivery);
  await question.waitFor({ state: 'detached' });
  await page.locator('.row', { hasText: 'asked-5' }).click();
  await page.locator('.detail').getByRole('heading', { name: 'asked-5' }).waitFor();
  await page.getByRole('button', { name: 'Cancel delivery' }).waitFor();
  expect(await question.count()).toBe(0);
  await cancel(server, next);
  await page.context().close();
});

test('[V104] a question does not come back when its action is possible again', async () => {
  const delivery = await order(server, 'asked-6');
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  await assign(server, staffToken, delivery, courier.id);
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-6' }).click();
  const unassign = page.getByRole('button', { name: 'Unassign' });
  await unassign.click();
  const question = page.getByRole('dialog');
  await question.waitFor();
  await courier.act('delivery.release', { delivery_id: delivery.id, reason: 'A flat tyre' });
  await question.waitFor({ state: 'detached' });
  const other = await startCourier(server, 1, server.demo.center);
  onTestFinished(() => void other.socket.close());
  await assign(server, staffToken, delivery, other.id);
  await unassign.waitFor();
  expect(await question.count()).toBe(0);
  await cancel(server, delivery);
  await page.context().close();
});

test('[V117] the focus returns to the button that opened a question, or to the details if it was confirmed', async () => {
  await order(server, 'asked-7');
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-7' }).click();
  const opener = page.locator('.actions > .button-danger');
  await opener.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).press('Enter');
  // A dialog that is closed has no role, but it stays on the page until its event has come.
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.actions > .button-danger:focus').count()).toBe(1);
  await opener.press('Enter');
  await page.getByRole('dialog').getByText('No fee is charged.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).press('Enter');
  await opener.waitFor({ state: 'detached' });
  expect(await page.locator('.detail:focus').count()).toBe(1);
  await page.context().close();
});

test('[V130] on a phone at 200 %, the page does not scroll sideways and a question can be kept', async () => {
  const delivery = await order(server, 'asked-9');
  const { page } = await visit(browser, { width: 195, height: 422 });
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-9' }).waitFor();
  const widths = "[...document.querySelectorAll('html, .top, .panes')].map((each) => each.scrollWidth)";
  expect(await page.evaluate(widths)).toEqual([195, 195, 195]);
  await page.locator('.row', { hasText: 'asked-9' }).click();
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click({ timeout: 10_000 });
  await page.locator('dialog').waitFor({ state: 'detached' });
  await cancel(server, delivery);
  await page.context().close();
});

test('[V116] a second notice with the same text is shown as a new one', async () => {
  for (const name of ['told-1', 'told-2']) await order(server, name);
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  for (const name of ['told-1', 'told-2']) {
    await page.locator('.row', { hasText: name }).click();
    await page.locator('.detail').getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Cancel delivery' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click();
    // The first one is still shown when the second one comes, and has a mark by then.
    const notice = page.locator('.notice:not(.seen)');
    expect(await notice.evaluate((shown) => (shown.classList.add('seen'), shown.textContent))).toBe('Canceled.');
  }
  await page.context().close();
});

test('[V111] the console stops asking for a courier when another hand has assigned one', async () => {
  const delivery = await order(server, 'taken-1');
  const courier = await startCourier(server, 0, server.demo.center);
  onTestFinished(() => void courier.socket.close());
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'taken-1' }).click();
  const opener = page.getByRole('button', { name: 'Assign', exact: true });
  const advice = page.getByText('Pick a courier on the map or in the list.');
  await opener.click();
  await advice.waitFor();
  await assign(server, staffToken, delivery, courier.id);
  await page.getByRole('button', { name: 'Unassign' }).waitFor();
  expect(await advice.count()).toBe(0);
  await courier.act('delivery.release', { delivery_id: delivery.id, reason: 'A flat tyre' });
  await opener.waitFor();
  expect(await opener.getAttribute('aria-expanded')).toBe('false');
  await cancel(server, delivery);
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

test('[V112] a login that is needed again lies over an open question, which is still there afterwards', async () => {
  await order(server, 'asked-8');
  const { page, shoot } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'asked-8' }).click();
  await page.getByRole('button', { name: 'Cancel delivery' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  const json = { status: 401, code: 'token_expired', detail: '' };
  const over = /\/(?:auth\/token|cancel)$/;
  await page.route(over, (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', json }));
  await confirm.click();
  const heading = page.getByRole('heading', { name: 'Your session has ended' });
  await heading.waitFor();
  for (let times = 0; times < 3; times += 1) {
    await page.keyboard.press('Escape');
    await expect.poll(() => heading.isVisible()).toBe(true);
  }
  await shoot('console-1280-session-over-question');
  await page.unroute(over);
  await page.getByLabel('Password').click();
  await page.getByLabel('Password').fill(server.demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await heading.waitFor({ state: 'detached' });
  await confirm.click();
  await page.getByText('Canceled.').waitFor();
  await page.context().close();
});
