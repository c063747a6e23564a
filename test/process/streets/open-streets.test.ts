import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openStreets } from '../../../src/process/streets/open-streets.ts';

test('[E13] a routing server of the settings takes precedence, and a line says so', () => {
  const said: string[] = [];
  const voice = { say: (line: string) => void said.push(line), warn: (line: string) => void said.push(line) };
  const engineOf = (env: Record<string, string>) =>
    openStreets(env['STREETS_FILE'] ?? null, readConfig(env), env, voice);
  expect(engineOf({})).toBeNull();
  expect(engineOf({ STREETS_FILE: 'city.osm.pbf' })?.url()).toBeNull();
  expect(said).toEqual([]);
  expect(engineOf({ STREETS_FILE: 'city.osm.pbf', TRAVEL_ROUTER_URL: 'http://127.0.0.1:5000' })).toBeNull();
  expect(said).toEqual(['Streets: STREETS_FILE is not used, because TRAVEL_ROUTER_URL names a routing server.']);
});
