import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { logIn } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { launch } from './browser.ts';

/** The tests of a file share these after `openHouse`. The token is that of a member of staff. */
export let server: TestServer;
export let browser: Browser;
export let staffToken: string;

/** Starts a server and a browser for the tests of a file. @param name shows in the database which file it is */
export function openHouse(name: string): void {
  beforeAll(async () => {
    server = await startServer(testEngines(name));
    browser = await launch();
    staffToken = await logIn(server.baseUrl, server.demo.staff);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
}
