/** Shared by tests of streets: the shipped extract, and a Valhalla on it as a server of this machine starts it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import type { StreetEngineOptions } from '../../../src/embedded/streets/lead-streets.ts';
import { createStreetEngine, type StreetEngine } from '../../../src/embedded/streets/street-engine.ts';
import type { Companion } from '../../../src/embedded/processes/lock.ts';
import { isRunning, stopProcess } from '../../../src/embedded/processes/processes.ts';
import { ENVIRONMENT } from '../../environment.ts';
import { until } from '../../until.ts';
import { companionsOf, fakeProgram, temporaryDir } from '../house.ts';

export const EXTRACT = fileURLToPath(
  new URL('../../../examples/streets/liechtenstein-2015-07-27.osm.pbf', import.meta.url),
);
/** Places in the extract. The way from one to the other is about half as long again as the straight line. */
export const VADUZ = { lat: 47.1392, lng: 9.5228 };
export const SCHAAN = { lat: 47.165, lng: 9.51 };

const STREETS = { file: EXTRACT, env: ENVIRONMENT, longestM: 100_000, say: () => {}, warn: () => {} };

/** A data directory for streets. After the test, it is removed and the processes that still use it are stopped. */
export function streetsDir(finished: (then: () => Promise<void>) => void = onTestFinished): string {
  const dir = mkdtempSync(join(tmpdir(), 'dispatch-streets-'));
  finished(async () => {
    await Promise.all(partsOf(dir).map((one) => stopProcess(one, 0)));
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  return dir;
}

/** Programs in place of Valhalla: one that builds an empty tile, and a service that runs this script. */
export function fakeValhalla(service: string, beside = 'true'): string {
  const bin = temporaryDir();
  fakeProgram(bin, 'valhalla_build_tiles', `${beside}; cd building-*; touch 0.gph`);
  return fakeProgram(bin, 'valhalla_service', `[ "$1" = --version ] && echo 3.9.1 && exit; ${service}`);
}

/** The tiles of a data directory, also those that are being built. */
export function tilesIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'streets')).filter((name) => /^(tiles|building)-/.test(name));
}

/** The running processes that work in this folder, by their pids. */
export function processesIn(dir: string): string[] {
  const isThere = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === dir;
    } catch {
      // It has ended.
      return false;
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isThere(name));
}

/** The processes that run for the streets of a data directory. */
export function partsOf(dataDir: string): Companion[] {
  return companionsOf(join(dataDir, 'streets')).filter(isRunning);
}

/** The Valhalla of a data directory. */
export function valhallaOf(dataDir: string): Companion {
  const [found] = partsOf(dataDir).filter(({ name }) => name === 'valhalla');
  if (found === undefined) throw new Error('no Valhalla runs for this directory');
  return found;
}

/** Streets as a server has them, with the lines that they print. They are stopped after the test. */
export function openStreets(
  options: Partial<StreetEngineOptions> & { dataDir: string },
): StreetEngine & { said: string[] } {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const streets = createStreetEngine({ ...STREETS, say, warn: say, ...options });
  onTestFinished(() => streets.stop());
  streets.start();
  return { ...streets, said };
}

/** A Valhalla for all tests of a file. Returns its address. */
export async function valhallaForFile(): Promise<string> {
  const streets = createStreetEngine({ ...STREETS, dataDir: streetsDir(afterAll) });
  afterAll(() => streets.stop());
  streets.start();
  return addressOf(streets);
}

/** Waits until there are routes, and returns where. */
export async function addressOf(streets: StreetEngine): Promise<string> {
  await until(() => streets.url() !== null);
  return streets.url() ?? '';
}

/** The kilometres along streets from Vaduz to Schaan. */
export async function wayKm(url: string): Promise<number> {
  const locations = [VADUZ, SCHAAN].map(({ lat, lng }) => ({ lat, lon: lng }));
  const body = JSON.stringify({ locations, costing: 'auto' });
  const response = await fetch(`${url}/route`, { method: 'POST', body });
  const { trip } = (await response.json()) as { trip: { summary: { length: number } } };
  return trip.summary.length;
}

/** A process that has streets, as a server has them. */
export function streetsProcess(dataDir: string): { readonly child: ChildProcess; printed(): string } {
  const script = fileURLToPath(new URL('streets-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir, EXTRACT], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, printed: () => text };
}
