import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, findings, launch, LOOKS, openConsole, PHONE, reachesOver, SHOTS, visit, type Visit } from './browser.ts';
import { order } from './world.ts';

/** The answer of a process of another release. */
const MISSING = { status: 404, contentType: 'application/problem+json', body: '{}' };
/** The files of the start of a page, and the part with its map. */
const SCRIPT = /\/assets\/(track|console)-[\w-]+\.js$/u;
const STYLE = /\/assets\/(track|console)-[\w-]+\.css$/u;
const MAP = /\/assets\/(courier|fleet)-map-[\w-]+\.js$/u;
const WORKER = /\/assets\/maplibre-gl-worker-[\w-]+\.js$/u;
const TEXT = 'This page has not loaded';
/** Makes the waits of a page shorter. */
const HURRY = 'const wait = setTimeout; window.setTimeout = (run, ms, ...given) => wait(run, ms / 20, ...given);';

let server: TestServer;
let browser: Browser;
let tracking: string;

beforeAll(async () => {
  server = await startServer(testEngines('web releases'));
  browser = await launch();
  tracking = (await order(server, 'releases')).url;
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function visitOnce(look: Parameters<typeof visit>[1]): Promise<Visit> {
  const visitor = await visit(browser, look);
  onTestFinished(() => visitor.page.context().close());
  return visitor;
}

/** Answers requests for a file as a process of another release does, or only those of the first loads of the page. */
async function loseFile(page: Page, file: RegExp, isLost = (): boolean => true): Promise<void> {
  await page.route(file, (route) => (isLost() ? route.fulfill(MISSING) : route.continue()));
}

/** Counts how often the page is loaded. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.count += 1;
  });
  return loads;
}

test.each([
  ['script', SCRIPT],
  ['style sheet', STYLE],
])('[V98] a page without its %s loads itself again until it starts', async (_name, file) => {
  for (const [url, heading] of [
    [tracking, 'Looking for a courier'],
    [`${server.baseUrl}/console?state=searching`, 'Dispatch'],
  ] as const) {
    const { page } = await visitOnce(PHONE);
    const loads = countLoads(page);
    await loseFile(page, file, () => loads.count < 3);
    await page.goto(url);
    await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(3);
    await page.getByRole('heading', { name: heading }).waitFor();
    expect([await page.getByText(TEXT).count(), page.url()]).toEqual([0, url]);
  }
});

test.each(LOOKS)('[V98] at $width in $scheme, a page that cannot start says so', async (look) => {
  for (const [name, url] of [
    ['track', tracking],
    ['console', `${server.baseUrl}/console`],
  ] as const) {
    const { page, shoot } = await visitOnce(look);
    // The page stays as it is while the server does not answer.
    await page.route(url, (route) => (route.request().method() === 'HEAD' ? route.abort() : route.continue()));
    for (const [kind, file] of [
      ['script', SCRIPT],
      ['bare', /\/assets\//u],
    ] as const) {
      await loseFile(page, file);
      await page.goto(url);
      await page.getByRole('heading', { name: TEXT }).waitFor();
      await shoot(`${name}-${look.width}-${look.scheme}-not-loaded-${kind}`);
      expect([await findings(page), await reachesOver(page)]).toEqual([[], []]);
    }
  }
});

test('[V98] a page reloads itself five times at most, and its link tries again', async () => {
  const { page } = await visitOnce(PHONE);
  const loads = countLoads(page);
  await page.addInitScript(HURRY);
  await loseFile(page, SCRIPT);
  await page.goto(tracking);
  const expectLoads = async (count: number): Promise<void> => {
    await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(count);
    // The longest wait has passed by then.
    await page.waitForTimeout(2000);
    await page.getByRole('heading', { name: TEXT }).waitFor();
    expect(loads.count).toBe(count);
  };
  await expectLoads(6);
  // Reloads of more than ten minutes ago no longer count.
  await page.evaluate('history.replaceState({ reloads: history.state.reloads.map((at) => at - 600_000) }, "")');
  await page.reload();
  await expectLoads(12);
  await page.unroute(SCRIPT);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
});

test('[V98] a page whose connection breaks stays, and starts when the server answers again', async () => {
  const { page } = await visitOnce(PHONE);
  const loads = countLoads(page);
  let isOffline = true;
  await page.route('**/*', (route) => {
    const isFirst = loads.count === 1 && route.request().isNavigationRequest();
    return isOffline && !isFirst ? route.abort('internetdisconnected') : route.continue();
  });
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'HEAD') asked += 1;
  });
  await page.goto(tracking);
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(2);
  await page.getByRole('heading', { name: TEXT }).waitFor();
  expect(loads.count).toBe(1);
  isOffline = false;
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  expect(loads.count).toBe(2);
});

test('[V98] a page that waits for a file says so, and starts when the file arrives', async () => {
  const { page } = await visitOnce(PHONE);
  const loads = countLoads(page);
  await page.addInitScript(HURRY);
  let send = (): void => undefined;
  await page.route(SCRIPT, (route) => {
    send = () => void route.continue();
  });
  // The page is not loaded before the script is.
  await page.goto(tracking, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: TEXT }).waitFor();
  send();
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
  expect([loads.count, await page.getByText(TEXT).count()]).toEqual([1, 0]);
});

test('[V99] the recipient’s page whose map is missing reloads itself once, and then says so', async () => {
  const { page, shoot } = await visitOnce(PHONE);
  const loads = countLoads(page);
  await loseFile(page, MAP, () => loads.count < 2);
  await page.goto(tracking);
  await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(2);
  await page.locator('.map canvas').waitFor();
  await loseFile(page, MAP);
  await page.reload();
  await page.getByText('The map could not be loaded.').waitFor();
  await shoot('track-360-map-not-loaded');
  await page.waitForTimeout(3000);
  expect(loads.count).toBe(3);
  await page.getByRole('heading', { name: 'Looking for a courier' }).waitFor();
});

test('[V99] the console whose map is missing reloads itself once, keeps its session, and then says so', async () => {
  const { page, shoot } = await visitOnce(DESK);
  const loads = countLoads(page);
  await loseFile(page, MAP);
  await openConsole(page, server);
  await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(2);
  // A change of the view must not take the count of the reloads away.
  await page.locator('.row', { hasText: 'releases' }).click();
  await page.getByText('The map could not be loaded.').waitFor();
  await shoot('console-1280-map-not-loaded');
  await page.reload();
  await page.getByText('The map could not be loaded.').waitFor();
  await page.waitForTimeout(3000);
  expect(loads.count).toBe(3);
});

test('[V122] the recipient’s page loads its map again when the reader asks for it', async () => {
  const { page, cut } = await visitOnce(PHONE);
  // A page that gets live would load its map by itself.
  await cut(true);
  const loads = countLoads(page);
  await loseFile(page, MAP);
  await page.goto(tracking);
  await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(2);
  await page.getByText('The map could not be loaded.').waitFor();
  await page.unroute(MAP);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.map[aria-busy="false"] canvas').waitFor();
  expect([loads.count, await page.getByText('The map could not be loaded.').count()]).toEqual([2, 0]);
});

test('[V122] a page whose worker does not come for now is not reloaded, and its button loads the map', async () => {
  const { page, cut } = await visitOnce(PHONE);
  // A page that gets live would load its map by itself.
  await cut(true);
  const loads = countLoads(page);
  await page.route(WORKER, (route) => route.fulfill({ ...MISSING, status: 503 }));
  await page.goto(tracking);
  await page.getByText('The map could not be loaded.').waitFor();
  await page.unroute(WORKER);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.map[aria-busy="false"] canvas').waitFor();
  expect(loads.count).toBe(1);
});

test('[V122] the console notices that the worker of its map is missing, and loads it when it is live again', async () => {
  const { page, cut } = await visitOnce(DESK);
  const loads = countLoads(page);
  await loseFile(page, WORKER);
  await openConsole(page, server);
  await expect.poll(() => loads.count, { timeout: 30_000 }).toBe(2);
  await page.getByText('The map could not be loaded.').waitFor();
  await page.locator('.row', { hasText: 'releases' }).click();
  await cut(true);
  await page.getByText('Reconnecting…').waitFor();
  await page.unroute(WORKER);
  await cut(false);
  await page.locator('.map[aria-busy="false"] canvas').waitFor();
  expect([loads.count, await page.getByText('The map could not be loaded.').count()]).toEqual([2, 0]);
});

test('[V101] a browser without JavaScript shows a text that says so', async () => {
  for (const { width, height, scheme } of LOOKS) {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width, height },
      colorScheme: scheme,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    for (const [name, url, heading] of [
      ['track', tracking, 'Looking for a courier'],
      ['console', `${server.baseUrl}/console`, 'This page needs JavaScript'],
    ] as const) {
      await page.goto(url);
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.getByText(TEXT).isVisible()).toBe(false);
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}-no-script.png` });
    }
  }
});
