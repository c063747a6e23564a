import { expect, test } from 'vitest';
import { call } from '../e2e/client.ts';
import { DESK, openConsole, visit } from './browser.ts';
import { browser, openHouse, server } from './house.ts';

const [FROM, TO, NAME, PHONE] = ['شارع الملك 12', 'شارع النخيل 34', 'محمد العلي', '+4237912399'];

openHouse('web directions');

/** The left edge of each text inside an element. */
const leftsOf = (inside: string, ...texts: string[]): string => `((texts) => {
  const walker = document.createTreeWalker(document.querySelector('${inside}'), NodeFilter.SHOW_TEXT);
  const lefts = new Map();
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    lefts.set(walker.currentNode.data.trim(), range.getBoundingClientRect().left);
  }
  return texts.map((text) => lefts.get(text));
})(${JSON.stringify(texts)})`;

test('[V128] addresses and names from right to left stand in the order of the console', async () => {
  const { vendor, center } = server.demo;
  const contact = { name: NAME, phone: PHONE };
  const body = {
    external_id: 'rtl-1',
    pickup: { coordinates: center, address: FROM, contact },
    drop_off: [{ coordinates: { lat: center.lat + 0.01, lng: center.lng }, address: TO, contact }],
  };
  const made = await call(server.baseUrl, 'POST /express/deliveries', { token: vendor.api_key, body });
  expect(made.status).toBe(201);
  const { page, shoot } = await visit(browser, DESK);
  await openConsole(page, server);
  await page.locator('.row', { hasText: 'rtl-1' }).click();
  await page.locator('.stop a[href^="tel:"]').first().waitFor();
  await shoot('console-1280-right-to-left');
  for (const [inside, ...texts] of [
    ['.row-way', FROM, '→', TO],
    ['.stop', NAME, PHONE],
  ] as const) {
    const lefts = await page.evaluate<number[]>(leftsOf(inside, ...texts));
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    expect(lefts).not.toContain(null);
  }
});
