import type { Page, Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, openConsole, visit } from './browser.ts';
import { browser, openHouse, server } from './house.ts';

const TOKENS = '**/auth/token';
const REFUSED = {
  status: 401,
  contentType: 'application/problem+json',
  body: '{"status":401,"code":"token_expired","detail":""}',
};

openHouse('web session');

/** A console that has logged in. */
async function openLoggedIn(): Promise<Page> {
  const { page } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** Refuses the next read of the list, so that the console renews its session. */
async function expireAccess(page: Page): Promise<void> {
  await page.route(/\/deliveries\?/, (route) => route.fulfill(REFUSED), { times: 1 });
}

/** Starts a renewal whose answer does not arrive until the returned route is fulfilled. */
async function beginRenewal(page: Page): Promise<Route> {
  const held = Promise.withResolvers<Route>();
  await page.route(TOKENS, held.resolve, { times: 1 });
  await expireAccess(page);
  return held.promise;
}

/** Answers a held renewal. Returns when the page has handled the answer. */
async function answer(page: Page, route: Route, given: Parameters<Route['fulfill']>[0]): Promise<void> {
  const answered = page.waitForResponse(TOKENS);
  await route.fulfill(given);
  await (await answered).finished();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** Lets the tabs that open from now on wait a minute instead of a second: on a busy machine others answer late. */
async function makePatient(page: Page): Promise<void> {
  await page.context().addInitScript(`{
    const wait = setTimeout;
    setTimeout = (task, ms = 0, ...rest) => wait(task, ms === 1000 ? 60_000 : ms, ...rest);
  }`);
}

function refreshTokenOf(page: Page): Promise<string | undefined> {
  return page.evaluate<string | undefined>(`JSON.parse(sessionStorage.getItem('staff-session') ?? '{}').refreshToken`);
}

function tokenIn(request: Request): string {
  return String((request.postDataJSON() as Record<string, unknown>)['refresh_token']);
}

test('[V86] a duplicated tab takes the renewed session, renews it in its turn, and ends with a log-out', async () => {
  const page = await openLoggedIn();
  const first = await refreshTokenOf(page);
  // A page that opens another one gives it a copy of its storage, like a tab that is duplicated.
  const [twin] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void open('/console')`)]);
  await twin.getByText('Live', { exact: true }).waitFor();
  expect(await refreshTokenOf(twin)).toBe(first);
  const asked: Request[] = [];
  twin.on('request', (request) => {
    if (request.url().endsWith('/auth/token')) asked.push(request);
  });
  // The renewed session ends soon, and then the server can be reached only from the other tab.
  let renewals = 0;
  await page.route(TOKENS, async (route) => {
    renewals += 1;
    if (renewals > 1) return route.abort();
    const response = await route.fetch();
    const tokens = (await response.json()) as object;
    return route.fulfill({ response, json: { ...tokens, expires_in: 4 } });
  });
  const renewed = page.waitForResponse(TOKENS);
  await expireAccess(page);
  const second = ((await (await renewed).json()) as { refresh_token: string }).refresh_token;
  expect(second).not.toBe(first);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.map(tokenIn)).toEqual([second]);
  await expect.poll(() => refreshTokenOf(twin)).not.toBe(second);
  const third = await refreshTokenOf(twin);
  await expect.poll(() => refreshTokenOf(page)).toBe(third);
  await page.getByRole('button', { name: 'Log out' }).click();
  await twin.getByLabel('Password').waitFor();
  expect(await refreshTokenOf(twin)).toBeUndefined();
});

test('[V86] a tab that comes back with old tokens takes the newest from another tab and does not use its own', async () => {
  const page = await openLoggedIn();
  await makePatient(page);
  const asked: Request[] = [];
  page.context().on('request', (request) => {
    if (request.url().endsWith('/auth/token')) asked.push(request);
  });
  const [stale] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`{
      const kept = sessionStorage.getItem('staff-session');
      const { refreshToken, ...session } = JSON.parse(kept);
      const used = { accessToken: 'old', refreshToken: refreshToken.split('.')[0] + '.used', since: 0, expiresAt: Date.now() - 1 };
      sessionStorage.setItem('staff-session', JSON.stringify({ ...session, ...used }));
      open('/console');
      sessionStorage.setItem('staff-session', kept);
    }`),
  ]);
  await stale.getByText('Live', { exact: true }).waitFor();
  expect(await refreshTokenOf(stale)).toBe(await refreshTokenOf(page));
  expect(asked.map(tokenIn)).toEqual([]);
});

test('[V87] a renewal whose answer arrives after the log-out does not log in again', async () => {
  const page = await openLoggedIn();
  const route = await beginRenewal(page);
  const response = await route.fetch();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  await answer(page, route, { response });
  expect(await refreshTokenOf(page)).toBeUndefined();
  expect(await page.getByLabel('Password').isVisible()).toBe(true);
});

test('[V87] a renewal that is refused after a log-out does not end the session of the next login', async () => {
  const page = await openLoggedIn();
  const route = await beginRenewal(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Email').fill(server.demo.staff.email);
  await page.getByLabel('Password').fill(server.demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await answer(page, route, REFUSED);
  expect(await page.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0);
});
