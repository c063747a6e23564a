import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { findDemoStreets } from '../src/demo.ts';
import { keptLog } from './kept-ports.ts';
import { newId } from '../src/domain/ids.ts';
import { createDemoRows } from '../src/models/demo-rows.ts';
import { pathOf } from '../src/http/pages/page-map.ts';
import { CENTER } from './builders.ts';
import { SHIPPED_TILES } from './embedded/map/shipped-tiles.ts';
import { EXTRACT, VADUZ } from './embedded/streets/streets-house.ts';
import { openHouse } from './engines/mongo-house.ts';
import { openMap } from '../src/process/map/open-map.ts';

const { mongo } = await openHouse('demo-streets');
const rows = createDemoRows(mongo);

function streetsWith(env: Record<string, string> = {}): ReturnType<typeof findDemoStreets> {
  return findDemoStreets(readConfig(env), mongo, keptLog());
}

function demoAt(center: typeof CENTER, isUnfinished: boolean): Parameters<typeof rows.keep>[0] {
  const vendor = { id: newId('ven'), api_key: '', location_id: newId('loc') };
  const staff = { email: 'dispatcher@example.com', password: '' };
  return { facts: { center, vendor, couriers: [], staff }, isUnfinished };
}

test('[E40] the demo has the shipped streets and map, unless the settings name others or turn them off', async () => {
  const { file } = await openMap({ MAP_TILES: SHIPPED_TILES });
  if (file === null) throw new Error('the shipped map is a file');
  expect(await streetsWith()).toMatchObject({ extract: EXTRACT, map: { source: { tiles: pathOf(file) } } });
  for (const [name, value] of Object.entries({
    DEMO_STREETS: 'off',
    STREETS_FILE: 'city.osm.pbf',
    TRAVEL_ROUTER_URL: 'http://127.0.0.1:5000',
    MAP_TILES: 'city.pmtiles',
    MAP_STYLE_URL: 'https://maps.example/style.json',
  })) {
    expect([name, await streetsWith({ [name]: value })]).toEqual([name, null]);
  }
});

test('[E41] a demo in another city has no streets of Vaduz', async () => {
  for (const isUnfinished of [true, false]) {
    await rows.keep(demoAt(CENTER, isUnfinished));
    expect(await streetsWith()).toBeNull();
  }
  await rows.keep(demoAt(VADUZ, false));
  expect(await streetsWith()).not.toBeNull();
});
