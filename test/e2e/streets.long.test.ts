import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../src/embedded/processes/processes.ts';
import { EXTRACT, partsOf, SCHAAN, VADUZ, valhallaOf } from '../embedded/streets/streets-house.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { send } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('streets');
/** Requests that are in flight at a time, while the engine fails. */
const CLIENTS = 4;
const FAILURES = ['SIGKILL', 'SIGSTOP', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const;

let made = 0;
/** Quotes a way that was not quoted before. */
async function quote({ baseUrl, demo }: TestServer): Promise<{ status: number; source: unknown }> {
  made += 1;
  const to = { lat: SCHAAN.lat + (made % 100) / 5000, lng: SCHAAN.lng + Math.floor(made / 100) / 5000 };
  const body = { pickup: { coordinates: VADUZ }, drop_off: [{ coordinates: to }] };
  const { status, body: answer } = await send(baseUrl, 'POST /express/quotes', { token: demo.vendor.api_key, body });
  return { status, source: answer['distance_source'] };
}

test('[Z69] no quote fails while Valhalla is killed, frozen and started again, and routes come back', async () => {
  const server = await startServer(engines, { STREETS_FILE: EXTRACT });
  onTestFinished(async () => void (await server.stop()));
  const dataDir = dirname(server.demoFile);
  const sources = new Set<unknown>();
  const bad: unknown[] = [];
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      const { status, source } = await quote(server);
      if (status !== 201) bad.push(status);
      sources.add(source);
    }
  };
  // The first quotes come before there are routes.
  const clients = Array.from({ length: CLIENTS }, client);
  const hasRoutes = async (): Promise<boolean> => (await quote(server)).source === 'route';
  await until(hasRoutes);
  for (const signal of FAILURES) {
    const valhalla = valhallaOf(dataDir);
    process.kill(valhalla.pid, signal);
    if (signal === 'SIGSTOP') {
      await until(async () => !(await hasRoutes()));
      process.kill(valhalla.pid, 'SIGCONT');
    } else {
      await until(() => !isRunning(valhalla));
    }
    await until(hasRoutes);
  }
  isOver = true;
  await Promise.all(clients);
  expect(bad).toEqual([]);
  expect(sources.has('estimate') && sources.has('route')).toBe(true);
  const parts = partsOf(dataDir);
  expect(await server.stop()).toBe(0);
  expect(parts.filter(isRunning)).toEqual([]);
});

test('[E20] the metrics say whether a process has a routing server', async () => {
  for (const [file, sentence, line] of [
    ['none.osm.pbf', 'does not exist', 'streets_ready 0'],
    [EXTRACT, 'finds routes', 'streets_ready 1'],
  ] as const) {
    const server = await startServer(engines, { STREETS_FILE: file });
    onTestFinished(async () => void (await server.stop()));
    const own = async (): Promise<string> => (await fetch(`${server.baseUrl}/metrics`)).text();
    await until(() => server.output().includes(sentence));
    await until(async () => (await own()).includes(line));
    expect(await own()).toContain(line);
  }
});

test('[E13] a server is ready before it looks for Valhalla, and starts none beside a routing server', async () => {
  const server = await startServer(engines, { STREETS_FILE: EXTRACT });
  onTestFinished(async () => void (await server.stop()));
  await until(() => server.output().includes('Valhalla finds routes'));
  const lines = server.output().split('\n');
  const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text));
  expect(lineOf('ready in')).toBeLessThan(lineOf('Streets: building tiles'));
  const other = await startServer(engines, { STREETS_FILE: EXTRACT, TRAVEL_ROUTER_URL: 'http://127.0.0.1:1' });
  onTestFinished(async () => void (await other.stop()));
  expect((await quote(other)).source).toBe('estimate');
  const said = other
    .output()
    .split('\n')
    .filter((line) => line.startsWith('Streets'));
  expect(said).toEqual([expect.stringContaining('STREETS_FILE is not used')]);
});
