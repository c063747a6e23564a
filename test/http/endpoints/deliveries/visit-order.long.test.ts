import { expect, test } from 'vitest';
import { SCHAAN, VADUZ, valhallaForFile } from '../../../embedded/streets/streets-house.ts';
import { addVendor, call, openHouse } from '../../house.ts';

const TRIESEN = { lat: 47.1078, lng: 9.5287 };

test('[E51] Valhalla gives a table for the drop-offs of a quote, with other times there and back', async () => {
  // The machine that runs the tests may be slow.
  const budgets = { routeBudgetRealMs: 30_000, tableBudgetRealMs: 30_000 };
  const travel = { routerUrl: await valhallaForFile(), routerKind: 'valhalla', ...budgets } as const;
  const house = await openHouse('visit-order-valhalla', (settings) => ({
    ...settings,
    travel: { ...settings.travel, ...travel },
  }));
  const body = { pickup: { coordinates: VADUZ }, drop_off: [SCHAAN, TRIESEN].map((coordinates) => ({ coordinates })) };
  const { key: token } = await addVendor(house);
  const quote = await call(house, 'POST /express/quotes', { token, body });
  expect(quote.body['distance_source']).toBe('route');
  const table = house.ctx.streets.knownTable([VADUZ, SCHAAN, TRIESEN], 'scooter') ?? [];
  expect(table.map((row) => row.length)).toEqual([2, 2, 2]);
  const [[toSchaan = 0, toTriesen = 0] = [], [, there] = [], [back] = []] = table;
  expect(there).not.toBe(back);
  // From Vaduz both are about 4 km away in opposite directions.
  expect(Math.min(toSchaan, toTriesen)).toBeGreaterThan(200);
});
