import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { aVendorFeed } from './vendor-service.ts';

test('[H477] a feed that has missed the events of many deliveries asks for them little by little, and for each once', async () => {
  const { service, seen } = await aVendorFeed();
  const ids = Array.from({ length: 60 }, (_, index) => `del_${index}`);
  for (const id of ids) service.tell(id, 1, 'delivery.created');
  await until(() => seen.events.length === ids.length);
  for (const id of ids) service.note(id, 2, 'courier.assigned');
  const askedAt: number[] = [];
  service.beforeAnswer = () => void askedAt.push(performance.now());
  const from = performance.now();
  // The beacon names them again and again until they are known.
  for (let beacons = 0; beacons < 3; beacons += 1) service.beacon(Object.fromEntries(ids.map((id) => [id, 2])));
  await until(() => seen.events.length === 2 * ids.length);
  expect(service.asked).toHaveLength(ids.length);
  expect((askedAt[19] ?? NaN) - (askedAt[0] ?? NaN)).toBeLessThan(900);
  for (const [index, at] of askedAt.entries()) expect(at - from).toBeGreaterThan(Math.floor(index / 20) * 1000 - 50);
});
