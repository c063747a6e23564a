import type { Delivery } from '../domain/delivery.ts';
import type { DeliveryView } from '../domain/delivery-view.ts';
import type { Audience } from '../domain/events.ts';
import { trackState, viewDelivery } from '../dispatch/view-delivery.ts';
import type { CourierDelivery, Snapshot } from './protocol.ts';

type Needs = Parameters<typeof viewDelivery>[0] & Parameters<typeof trackState>[0];

/** The delivery as this audience sees it now. */
export async function takeSnapshot(ctx: Needs, delivery: Delivery, audience: Audience): Promise<Snapshot> {
  return {
    delivery_id: delivery.id,
    sequence: delivery.sequence,
    delivery: await viewFor(ctx, delivery, audience),
  };
}

async function viewFor(ctx: Needs, delivery: Delivery, audience: Audience): Promise<Snapshot['delivery']> {
  switch (audience) {
    case 'courier':
      return courierView(await viewDelivery(ctx, delivery));
    case 'track':
      return trackState(ctx, delivery);
    case 'vendor':
    case 'staff':
    case 'webhook':
      return viewDelivery(ctx, delivery);
  }
}

function courierView(view: DeliveryView): CourierDelivery {
  return {
    id: view.id,
    object: view.object,
    kind: view.kind,
    live_mode: view.live_mode,
    status: view.status,
    stage: view.stage,
    version: view.version,
    sequence: view.sequence,
    pickup: view.pickup,
    drop_off: view.drop_off,
    metadata: view.metadata,
    distance_m: view.distance_m,
  };
}
