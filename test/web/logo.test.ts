import { expect, test } from 'vitest';
import { aPicture } from '../files/samples.ts';
import { PHONE, visit } from './browser.ts';
import { browser, openHouse, server } from './house.ts';
import { order } from './world.ts';

openHouse('web logo');

async function ask(method: 'POST' | 'DELETE', body: FormData | null): Promise<number> {
  const headers = { authorization: `Bearer ${server.demo.vendor.api_key}` };
  const { status } = await fetch(`${server.baseUrl}/vendor/profile/logo`, { method, headers, body });
  return status;
}

async function setLogo(width: number): Promise<number> {
  const form = new FormData();
  const content = await aPicture({ width, height: 200 }).png().toBuffer();
  form.append('logo', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'logo.png');
  return ask('POST', form);
}

test('[H376] the page shows the logo beside the name, a new one at the next state, and the letter without one', async () => {
  expect(await setLogo(900)).toBe(200);
  const { url } = await order(server, 'branded');
  const { page, shoot, faults } = await visit(browser, PHONE);
  await page.goto(url);
  const logo = page.getByRole('img', { name: /^Logo of / });
  const width = () => logo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth);
  await expect.poll(width).toBe(512);
  const box = await logo.boundingBox();
  expect([box?.height, (box?.width ?? 999) <= 96]).toEqual([32, true]);
  await shoot('track-360-logo');
  const dark = await visit(browser, { ...PHONE, scheme: 'dark' });
  await dark.page.goto(url);
  await dark.page.getByRole('img', { name: /^Logo of / }).waitFor();
  await dark.shoot('track-360-dark-logo');
  expect(await setLogo(100)).toBe(200);
  // The page reads the state again every 20 seconds.
  await expect.poll(width).toBe(100);
  expect(await ask('DELETE', null)).toBe(204);
  await page.locator('.vendor-mark').waitFor();
  expect(await logo.count()).toBe(0);
  expect([...faults, ...dark.faults]).toEqual([]);
});

test('[H376] a logo that does not load leaves the letter', async () => {
  expect(await setLogo(100)).toBe(200);
  const { url } = await order(server, 'broken');
  const { page } = await visit(browser, PHONE);
  await page.route(/\/logo/, (route) => route.abort());
  await page.goto(url);
  await page.locator('.vendor-mark').waitFor();
  expect(await page.getByRole('img', { name: /^Logo of / }).count()).toBe(0);
});
