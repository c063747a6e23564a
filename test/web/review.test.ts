import { expect, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { aPdf } from '../files/samples.ts';
import { DESK, PHONE, TABLET, visit, type Visit } from './browser.ts';
import { browser, openHouse, server, staffToken } from './house.ts';
import { sendPaper, sendPicture } from './papers.ts';

openHouse('web review');

const addPaper = (name: string, vehicle: string, file: Blob) => sendPaper(server, staffToken, { name, vehicle, file });
const addPicture = (name: string, vehicle?: string) => sendPicture(server, staffToken, name, vehicle);

/** Another member of staff rejects a document. */
async function reject(id: string): Promise<void> {
  const body = { decision: 'reject', reason: 'name_mismatch' };
  const route = `POST /kyc/documents/${id}/decide`;
  expect((await call(server.baseUrl, route, { token: staffToken, body })).status).toBe(200);
}

async function enter({ page }: Visit, { email, password } = server.demo.staff): Promise<void> {
  await page.goto(`${server.baseUrl}/console`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
}

test('[H442] reviewers read the oldest document first, approve it or reject it with a reason, and the next one opens', async () => {
  await addPicture('Ada Obi');
  const second = await addPicture('Bo Berg', 'scooter');
  await addPaper('Chi Lam', 'bicycle', new Blob([new Uint8Array(aPdf())], { type: 'application/pdf' }));
  const desk = await visit(browser, DESK);
  const { page, shoot, faults } = desk;
  await enter(desk);
  await page.getByRole('button', { name: 'Documents 3' }).click();
  const names = ['Ada Obi', 'Bo Berg', 'Chi Lam'];
  await expect
    .poll(() => page.locator('.row').allInnerTexts())
    .toEqual(names.map((name) => expect.stringContaining(name)));
  await page.locator('.row').first().click();
  const image = page.getByRole('img', { name: 'Picture of the document' });
  await expect.poll(() => image.evaluate((img) => 'naturalWidth' in img && img.naturalWidth)).toBe(800);
  await page.locator('.review').getByText('L01X1').waitFor();
  await page.getByRole('button', { name: 'Start review' }).click();
  await page.locator('.review').getByText('You review it').waitFor();
  await shoot('console-1280-review');
  await page.getByRole('button', { name: 'Approve' }).click();
  await shoot('console-1280-approve');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The profile of Ada Obi is active.').waitFor();
  await page.locator('.review').getByText('Bo Berg').waitFor();
  await page.getByText('Identity document, Driving licence, Vehicle insurance').waitFor();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Reason').selectOption({ label: 'Not readable' });
  await page.getByLabel('Note to the courier').fill('Too dark.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('The browser cannot show this file here.').waitFor();
  await shoot('console-1280-review-pdf');
  const rejected = await call(server.baseUrl, `GET /kyc/documents/${second}`, { token: staffToken });
  expect(rejected.body).toMatchObject({ status: 'rejected', reason: 'unreadable', comment: 'Too dark.' });
  const opening = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Open the file' }).click();
  expect((await opening).suggestedFilename()).toMatch(/\.pdf$/);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('[H442] staff who may not review see no documents, also with the address of the queue', async () => {
  const account = { email: 'dispatcher@example.com', password: 'a long password 47' };
  const made = await call(server.baseUrl, 'POST /staff', {
    token: staffToken,
    body: { ...account, roles: ['dispatcher'] },
  });
  expect(made.status).toBe(201);
  const desk = await visit(browser, DESK);
  await enter(desk, account);
  await desk.page.goto(`${server.baseUrl}/console?desk=documents`);
  await desk.page.getByText('Live', { exact: true }).waitFor();
  await desk.page.getByRole('heading', { name: 'Open deliveries' }).waitFor();
  expect(await desk.page.getByText('Documents').count()).toBe(0);
  expect(desk.faults).toEqual([]);
  await desk.page.context().close();
});

test('[H443] a second decision is refused in words, and the decision of a colleague appears by itself', async () => {
  const [first, second] = [await addPicture('Dee Dar'), await addPicture('Eli Eze')];
  const desk = await visit(browser, DESK);
  const { page, cut, faults, shoot } = desk;
  await enter(desk);
  await page.goto(`${server.baseUrl}/console?desk=documents&document=${first}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await reject(first);
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('A colleague was faster.').waitFor();
  await shoot('console-1280-review-refused');
  await page.keyboard.press('Escape');
  await page.locator('.review').getByText('Rejected').waitFor();
  await page.locator('.row', { hasText: 'Dee Dar' }).waitFor({ state: 'detached' });
  // The browser logs the refusal on its console.
  faults.length = 0;

  await page.locator('.row', { hasText: 'Eli Eze' }).click();
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  await cut(true);
  await page.getByText(/Reconnecting/).waitFor();
  await reject(second);
  await cut(false);
  await page.locator('.review').getByText('The name differs from the profile').waitFor();
  expect(await page.getByRole('button', { name: 'Reject' }).count()).toBe(0);
  await page.context().close();
});

test('[H444] an action whose answer is lost is sent again with the same key, and acts once', async () => {
  const id = await addPicture('Gil Gal');
  const desk = await visit(browser, DESK);
  const { page } = desk;
  await enter(desk);
  await page.goto(`${server.baseUrl}/console?desk=documents&document=${id}`);
  const keys: (string | undefined)[] = [];
  await page.route(/\/decide$/, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const answer = await route.fetch();
    if (keys.length === 1) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The profile of Gil Gal is active.').waitFor();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await page.context().close();
});

test('[V132] after the last document is decided, the focus stays at the review', async () => {
  const { body } = await call(server.baseUrl, 'GET /kyc/documents', { token: staffToken });
  for (const { id } of body['data'] as { id: string }[]) await reject(id);
  const id = await addPicture('Hal Hug');
  const desk = await visit(browser, DESK);
  const { page } = desk;
  await enter(desk);
  await page.goto(`${server.baseUrl}/console?desk=documents&document=${id}`);
  // Once the list is read, the next document would open.
  await page.locator('.row', { hasText: 'Hal Hug' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter');
  await page.locator('.review > .hint').waitFor();
  expect(await page.locator('.review:focus').count()).toBe(1);
  await page.context().close();
});

test('[H442] the review works on a phone and a tablet, dark and light', async () => {
  await addPicture('Flo Fox', 'van');
  for (const [name, look] of [
    ['768-dark', { ...TABLET, scheme: 'dark' }],
    ['360', PHONE],
  ] as const) {
    const seen = await visit(browser, look);
    await enter(seen);
    await seen.page.getByRole('button', { name: /^Documents/ }).click();
    await seen.page.locator('.row', { hasText: 'Flo Fox' }).waitFor();
    await seen.shoot(`console-${name}-reviews`);
    await seen.page.locator('.row', { hasText: 'Flo Fox' }).click();
    const image = seen.page.getByRole('img', { name: 'Picture of the document' });
    await expect.poll(() => image.evaluate((img) => 'naturalWidth' in img && img.naturalWidth)).toBe(800);
    await seen.shoot(`console-${name}-review`);
    await seen.page.getByRole('button', { name: 'Reject' }).scrollIntoViewIfNeeded();
    await seen.page.getByRole('button', { name: 'Reject' }).click();
    await seen.shoot(`console-${name}-reject`);
    await seen.page.getByRole('button', { name: 'Back' }).click();
    await seen.page.getByRole('button', { name: 'Close' }).click();
    await seen.page.locator('.row', { hasText: 'Flo Fox' }).waitFor();
    expect(seen.faults).toEqual([]);
    await seen.page.context().close();
  }
});
