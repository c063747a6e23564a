import { expect, test } from 'vitest';
import { viewCellOf } from '../../../src/domain/geo/geo.ts';
import { centerOf } from '../../../src/domain/surge/surge.ts';
import { CENTER } from '../../builders.ts';
import { until } from '../../until.ts';
import { openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('hints');
const tokens = tokensOf(site);

test('[O55] a hint reaches only its courier, on any process', async () => {
  const [here, there] = [await site.start(), await site.start()];
  const [courier, other] = [await storeCourier(site), await storeCourier(site)];
  const told = await site.join(there, '/courier', { token: tokens.courier(courier) }).ready();
  const bystander = await site.join(there, '/courier', { token: tokens.courier(other) }).ready();
  const cell = viewCellOf(CENTER);
  const expiresAt = site.clock.now() + 900_000;
  const hint = { courierId: courier.id, cell, place: centerOf(cell), distanceM: 1234.5, expected: 3, expiresAt };
  here.ctx.notices.hint(hint);
  await until(() => told.named('courier.hint').length === 1);
  const { lat, lng } = centerOf(cell);
  expect(told.named('courier.hint')).toEqual([
    {
      cell,
      coordinates: { lat: expect.closeTo(lat, 3), lng: expect.closeTo(lng, 3) },
      distance_m: 1235,
      expected_orders: 3,
      expires_at: new Date(expiresAt).toISOString(),
    },
  ]);
  here.ctx.notices.hint({ ...hint, courierId: other.id, expected: 8 });
  await until(() => bystander.named('courier.hint').length > 0);
  expect(bystander.named('courier.hint')).toMatchObject([{ expected_orders: 8 }]);
  expect(told.named('courier.hint')).toHaveLength(1);
});
