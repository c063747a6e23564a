import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { call, logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { DESK, findings, launch, openConsole, visit } from './browser.ts';
import { order } from './world.ts';

let server: TestServer;
let browser: Browser;
/** A delivery of the server. The pages of a crowded server are made of its copies. */
let sample: Record<string, unknown>;

beforeAll(async () => {
  server = await startServer(testEngines('web crowded'));
  browser = await launch();
  const { id } = await order(server, 'order-1');
  const token = await logIn(server.baseUrl, server.demo.staff);
  sample = (await call(server.baseUrl, `GET /deliveries/${id}`, { token })).body;
  await call(server.baseUrl, `POST /deliveries/${id}/cancel`, { token });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const copyOf = (name: string) => ({ ...sample, id: newId('del'), external_id: name });
const alarmOf = (delivery: object) => {
  const since = new Date(Date.now() - 20 * 60_000).toISOString();
  return { object: 'alarm', id: newId('alm'), kind: 'late', since, detail: 'Not collected yet.', delivery };
};

/** Answers the reads of open deliveries with 2,100 of them, newest first, and those of alarms with these. */
async function crowd(page: Page, alarms: readonly object[]): Promise<void> {
  const open = Array.from({ length: 2100 }, (_, index) => copyOf(`order-${3000 - index}`));
  await page.route(/\/deliveries\?/, (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor'));
    const page = { data: open.slice(from, from + 100), has_more: from < 2000, next_cursor: String(from + 100) };
    return route.fulfill({ json: { object: 'list', ...page } });
  });
  await page.route(/\/dispatch\/alarms\?/, (route) =>
    route.fulfill({ json: { object: 'list', data: alarms, has_more: false, next_cursor: null } }),
  );
}

test('[V90] of too many open deliveries the console keeps the newest and those with an alarm, and says so', async () => {
  const { page, shoot, faults } = await visit(browser, DESK);
  await crowd(page, [alarmOf(copyOf('order-old'))]);
  await openConsole(page, server);
  await page.getByText('Only the newest 2,000 open deliveries and those with an alarm are loaded.').waitFor();
  await expect.poll(() => page.locator('.row').first().innerText()).toContain('order-old');
  expect(await page.locator('.row-alarmed').count()).toBe(1);
  await expect.poll(() => page.locator('.filter', { hasText: 'Searching' }).innerText()).toContain('2,001');
  await shoot('console-1280-crowded');
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('[V115] the arrow keys choose only deliveries that the list shows', async () => {
  const { page } = await visit(browser, DESK);
  await crowd(page, []);
  await openConsole(page, server);
  await page.getByText('Only the newest 2,000 open deliveries and those with an alarm are loaded.').waitFor();
  await page.keyboard.press('ArrowUp');
  const last = page.locator('.row').last();
  await expect.poll(() => last.getAttribute('aria-current')).toBe('true');
  expect(await page.locator('.row').count()).toBe(300);
  await page.keyboard.press('ArrowDown');
  expect(await last.getAttribute('aria-current')).toBe('true');
  await page.context().close();
});

test('[V124] at 200 % on a common desk, a dispatcher with alarms reaches the rows of the list', async () => {
  const { page, shoot } = await visit(browser, { width: 720, height: 450 });
  await crowd(page, [alarmOf(copyOf('order-old')), alarmOf(copyOf('order-older'))]);
  await openConsole(page, server);
  await page.getByText('Only the newest 2,000 open deliveries and those with an alarm are loaded.').waitFor();
  await page.locator('.row').nth(2).click({ timeout: 20_000 });
  await shoot('console-720-low');
  expect(await page.locator('.row').nth(2).getAttribute('aria-current')).toBe('true');
  await page.context().close();
});

test('[V91] the console reads the open alarms again, so that a lost notice does no harm', async () => {
  const { page } = await visit(browser, DESK);
  const alarms = [alarmOf(copyOf('order-ghost'))];
  await crowd(page, alarms);
  await openConsole(page, server);
  await page.locator('.alarm', { hasText: 'order-ghost' }).waitFor();
  alarms[0] = alarmOf(copyOf('order-late'));
  await page.locator('.alarm', { hasText: 'order-late' }).waitFor();
  expect(await page.locator('.alarm').count()).toBe(1);
  await page.context().close();
});

test('[V92] a beacon that names 500 missed deliveries does not get the console cut off', async () => {
  const { page } = await visit(browser, DESK);
  const sockets: WebSocketRoute[] = [];
  const asked = new Set<string>();
  let answered = 0;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const behind = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage((message) => {
      const number = /^42\/admin,(\d+)\["resync"/.exec(String(message))?.[1];
      if (number !== undefined) asked.add(number);
      behind.send(message);
    });
    behind.onMessage((message) => {
      if (asked.has(/^43\/admin,(\d+)\[/.exec(String(message))?.[1] ?? '')) answered += 1;
      socket.send(message);
    });
  });
  await openConsole(page, server);
  await page.getByText('Live', { exact: true }).waitFor();
  const top = Object.fromEntries(Array.from({ length: 500 }, () => [newId('del'), 2]));
  sockets[0]?.send(`42/admin,${JSON.stringify(['top', top])}`);
  await expect.poll(() => answered, { timeout: 150_000 }).toBe(500);
  expect(sockets).toHaveLength(1);
  await page.context().close();
});
