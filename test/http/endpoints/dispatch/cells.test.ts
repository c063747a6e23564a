import { gridDisk } from 'h3-js';
import { beforeAll, expect, test } from 'vitest';
import { cellsWithin } from '../../../../src/domain/geo/cells-within.ts';
import { viewCellOf } from '../../../../src/domain/geo/geo.ts';
import { surgeCellOf, type SurgeCell } from '../../../../src/domain/surge/surge.ts';
import { CENTER } from '../../../builders.ts';
import { regionOf } from '../../../regions.ts';
import { addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('cells');
const { ctx } = house;
const region = regionOf(CENTER);
const cell = surgeCellOf(CENTER, region);
let staff: string;

const row = (over: Partial<SurgeCell> = {}): SurgeCell => ({
  cell,
  liveMode: true,
  demand: 5,
  supply: 2,
  ratio: 2.2512,
  surge: 2.3,
  at: ctx.clock.now(),
  ...over,
});
const ask = (query: string, token = staff) => call(house, `GET /dispatch/cells?${query}`, { token });

beforeAll(async () => {
  staff = await addStaff(house, 'support');
});

test('[H52] staff and services read demand, supply and surge of the cells they name, in one mode or in both', async () => {
  await ctx.surge.publish(region, [row(), row({ liveMode: false, supply: 9, surge: 1, ratio: 0.4 })]);
  const answer = await ask(`cells=${cell},${viewCellOf({ lat: 0, lng: 0 })}`);
  expect(answer.status).toBe(200);
  expect(replyOf('GET /dispatch/cells')?.safeParse(answer.body).error).toBeUndefined();
  expect(answer.body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
  expect(answer.body.data).toHaveLength(2);
  const live = await ask(`cells=${cell}&live_mode=true`);
  expect(live.body.data).toEqual([
    {
      object: 'surge_cell',
      cell,
      live_mode: true,
      demand: 5,
      supply: 2,
      ratio: 2.25,
      surge: 2.3,
      counted_at: expect.stringMatching(/Z$/),
    },
  ]);
  const service = await ctx.credentials.issueInternal('pricing', 600);
  expect((await ask(`cells=${cell}`, service)).status).toBe(200);
  expect((await ask(`cells=${cell}`, (await addVendor(house)).key)).status).toBe(403);
});

test('[H52] cells can also be named by the bounds of a map', async () => {
  const { lat, lng } = CENTER;
  await ctx.surge.publish(region, [row()]);
  const bounds = [lng - 0.1, lat - 0.1, lng + 0.1, lat + 0.1].join(',');
  expect((await ask(`bounds=${bounds}&live_mode=true`)).body.data).toMatchObject([{ cell }]);
  expect((await ask('bounds=5,5,5.1,5.1')).body.data).toEqual([]);
});

test('[H53] cells that are none, too many, named twice or not at all are refused', async () => {
  const many = gridDisk(cell, 13);
  expect(many.length).toBeGreaterThan(500);
  expect((await ask(`cells=${many.slice(0, 500).join(',')}`)).status).toBe(200);
  for (const query of [
    '',
    'cells=',
    'cells=x',
    `cells=${cell},`,
    `cells=${region}`,
    `cells=${many.slice(0, 501).join(',')}`,
    `cells=${cell}&bounds=5,5,5.1,5.1`,
    `cells=${cell}&limit=5`,
    `cells=${cell}&live_mode=yes`,
    'bounds=1,2,3',
    'bounds=1,2,3,4,5',
    'bounds=5.1,5,5,5.1',
    'bounds=5,5,5.1,x',
    'bounds=5,5,5.1,1e0',
    'bounds=-180,-85,180,85',
    'bounds=-180,5,180,5.0001',
    'bounds=5,5,6,6.1',
    'bounds=5,-91,5,91',
  ]) {
    const { status, body } = await ask(query);
    expect([query.slice(0, 60), status]).toEqual([query.slice(0, 60), body['code'] === 'impossible_value' ? 422 : 400]);
    expect(['invalid_params', 'impossible_value', 'unknown_field']).toContain(body['code']);
  }
});

test('[H53] bounds cover the cells with their middle inside, and the cells of their corners', () => {
  const { lat, lng } = CENTER;
  expect(cellsWithin({ west: lng, south: lat, east: lng, north: lat }, 500)).toEqual([viewCellOf(CENTER)]);
  const cells = cellsWithin({ west: lng - 0.2, south: lat - 0.1, east: lng + 0.2, north: lat + 0.1 }, 500) ?? [];
  expect(cells).toContain(viewCellOf(CENTER));
  expect(cells).toContain(viewCellOf({ lat: lat - 0.1, lng: lng + 0.2 }));
  expect(cells.length).toBeGreaterThan(80);
  expect(cellsWithin({ west: lng - 0.2, south: lat - 0.1, east: lng + 0.2, north: lat + 0.1 }, 50)).toBeNull();
});
