import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import type { TestServer } from '../e2e/servers.ts';

export const SHOTS = path.resolve(import.meta.dirname, '..', '..', 'test-output');

export type Look = { readonly width: number; readonly height: number; readonly scheme?: 'light' | 'dark' };

export const PHONE: Look = { width: 360, height: 740 };
export const TABLET: Look = { width: 768, height: 1024 };
export const DESK: Look = { width: 1280, height: 800 };
/** A common phone and a common desk, each in light and dark. */
export const LOOKS: readonly Required<Look>[] = (['light', 'dark'] as const).flatMap((scheme) => [
  { width: 390, height: 844, scheme },
  { width: 1440, height: 900, scheme },
]);

/** An answer that no page can show. */
export const UNREADABLE = {
  status: 422,
  contentType: 'application/problem+json',
  json: { status: 422, code: 'test', detail: 'This cannot be read now.' },
};

export type Visit = {
  readonly page: Page;
  /** Errors on the console, exceptions, and requests to other hosts. */
  readonly faults: string[];
  /** Cuts every socket of the page and lets no new one through, or lets them through again. */
  readonly cut: (isCut: boolean) => Promise<void>;
  /** Keeps a picture under test-output. */
  readonly shoot: (name: string) => Promise<void>;
};

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A fresh visitor: own storage, own look. */
export async function visit(browser: Browser, { width, height, scheme = 'light' }: Look): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  // The limit of one wait; drawing without a graphics card takes its time on a machine that others keep busy too.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error')
      faults.push(`${message.text()} (${message.location().url}:${message.location().lineNumber})`);
  });
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.hostname !== 'localhost') faults.push(`asked ${url.host}`);
  });
  const cut = await cutter(page);
  return {
    page,
    faults,
    cut,
    shoot: async (name) => {
      mkdirSync(SHOTS, { recursive: true });
      // A picture of a map that is still being drawn shows nothing.
      if ((await page.locator('.map:visible').count()) > 0) await page.locator('.map[aria-busy="false"]').waitFor();
      await page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
    },
  };
}

/** Opens the console as the dispatcher of the demo. */
export async function openConsole(page: Page, { baseUrl, demo }: Pick<TestServer, 'baseUrl' | 'demo'>): Promise<void> {
  await page.goto(`${baseUrl}/console`);
  await page.getByLabel('Email').fill(demo.staff.email);
  await page.getByLabel('Password').fill(demo.staff.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Keeps the assignments of the page from the server. The returned function answers the last one as refused. */
export async function holdAssignments(page: Page): Promise<{ isAsked(): boolean; refuse(): void }> {
  const refused = {
    ok: false,
    problem: { status: 409, code: 'test', detail: 'The courier has just taken another one.' },
  };
  let refuse: (() => void) | null = null;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const service = socket.connectToServer();
    socket.onMessage((message) => {
      const [, id] = /^42\/admin,(\d+)\["assign"/.exec(String(message)) ?? [];
      if (id === undefined) service.send(message);
      else refuse = () => socket.send(`43/admin,${id}${JSON.stringify([refused])}`);
    });
  });
  return { isAsked: () => refuse !== null, refuse: () => refuse?.() };
}

/** The faults that axe finds: each with its rule and its element. */
export async function findings(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`${axe.source};axe.run()`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Visible texts and buttons that reach over the left or right edge of the page, outside lists that scroll sideways. */
export function reachesOver(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('h1, h2, h3, p, span, b, button, a, li, dd, dt, input')]
    .filter((each) => each.closest('.map, .unseen, .filters') === null && each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().right > innerWidth || each.getBoundingClientRect().left < 0)
    .map((each) => each.outerHTML.slice(0, 200))`);
}

/** Stands between the page and its sockets. */
async function cutter(page: Page): Promise<(isCut: boolean) => Promise<void>> {
  const open = new Set<() => Promise<void>>();
  let isCutNow = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isCutNow) {
      void socket.close();
      return;
    }
    const server = socket.connectToServer();
    open.add(async () => {
      await server.close();
      await socket.close();
    });
  });
  return async (isCut) => {
    isCutNow = isCut;
    if (!isCut) return;
    await Promise.all([...open].map((close) => close()));
    open.clear();
  };
}

/** The colour of one pixel of an element as it is on the screen. */
export async function pixelAt(element: Locator, left: number, top: number): Promise<string> {
  const picture = sharp(await element.screenshot()).removeAlpha();
  return (await picture.extract({ left, top, width: 1, height: 1 }).raw().toBuffer()).toString('hex');
}

/** The pixels of the map that have this colour, once the map is drawn, and how many pixels it has in all. */
export async function paintedOf(
  page: Page,
  colour: string,
): Promise<{ readonly places: readonly (readonly [x: number, y: number])[]; readonly area: number }> {
  await page.locator('.map[aria-busy="false"]').waitFor();
  const { data, info } = await sharp(await page.locator('.map').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const wanted = Number.parseInt(colour.slice(1), 16);
  const places: [number, number][] = [];
  const area = info.width * info.height;
  for (let at = 0; at < area; at += 1) {
    if (data.readUIntBE(at * info.channels, 3) === wanted) places.push([at % info.width, Math.floor(at / info.width)]);
  }
  return { places, area };
}
