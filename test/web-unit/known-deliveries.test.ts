import { afterAll, expect, test } from 'vitest';
import { NO_ETAS } from '../../src/domain/deliveries/eta.ts';
import { presentDelivery } from '../../src/domain/views/present-delivery.ts';
import { deliveries, forgetDeliveries, keepOnly, legs, takeDelivery } from '../../web/console/known-deliveries.ts';
import type { DeliveryView } from '../../web/shared/wire.ts';
import { aDelivery } from '../builders.ts';
import { until } from '../until.ts';

afterAll(forgetDeliveries);

const LEGS: NonNullable<DeliveryView['legs']> = [{ from: 0, to: 1, polyline: '_izlhA~rlgdF_c`|@' }];

/** A delivery as events contain it and as a read of it alone returns it. */
function views(): { readonly read: DeliveryView; readonly event: DeliveryView } {
  const event: DeliveryView = presentDelivery(aDelivery(), NO_ETAS);
  const drop_off = event.drop_off.map((stop) => ({ ...stop, tracking_url: 'https://a.example/t/1' }));
  return { event, read: { ...event, drop_off, legs: LEGS } };
}
const after = (view: DeliveryView): DeliveryView => ({ ...view, sequence: view.sequence + 1, status: 'assigned' });
const shown = (id: string) => deliveries.value.get(id);

test('[V80] an event that arrives after the read of a delivery leaves its line and its links', async () => {
  const { read, event } = views();
  takeDelivery(read);
  takeDelivery(after(event));
  await until(() => shown(event.id)?.status === 'assigned');
  expect([legs.value.get(event.id), shown(event.id)?.drop_off[0]?.tracking_url]).toEqual([
    LEGS,
    'https://a.example/t/1',
  ]);
});

test('[V80] an event that arrives before the answer to the read leaves them too, and stays the newest view', async () => {
  const { read, event } = views();
  takeDelivery(after(event));
  await until(() => shown(event.id) !== undefined);
  takeDelivery(read);
  await until(() => shown(event.id)?.drop_off[0]?.tracking_url !== undefined);
  expect([legs.value.get(event.id), shown(event.id)?.status]).toEqual([LEGS, 'assigned']);
});

test('[V81] a reload of the list removes a delivery that is not open, unless an event arrived since the request', async () => {
  const { read, event } = views();
  takeDelivery(event);
  await until(() => shown(event.id) !== undefined);
  const known = deliveries.value;
  takeDelivery(after(event));
  keepOnly(new Set(), null, known);
  expect(shown(event.id)?.status).toBe('assigned');
  // A read of the delivery alone does not count as an event.
  const later = deliveries.value;
  takeDelivery(read);
  keepOnly(new Set(), null, later);
  expect(shown(event.id)).toBeUndefined();
});

test('[V80] the lines of deliveries that the console forgets are forgotten too', async () => {
  const { read, event } = views();
  takeDelivery(read);
  await until(() => shown(event.id) !== undefined);
  keepOnly(new Set(), null, deliveries.value);
  expect([deliveries.value.size, legs.value.size]).toEqual([0, 0]);
});
