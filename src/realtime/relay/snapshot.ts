import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { presentForCourier } from '../../domain/views/courier-delivery.ts';
import type { Viewer } from '../../domain/views/present-event.ts';
import { trackState } from '../../dispatch/deliveries/track-state.ts';
import { viewDelivery } from '../../dispatch/deliveries/view-delivery.ts';
import type { Snapshot } from '../protocol.ts';

type Needs = Parameters<typeof viewDelivery>[0] & Parameters<typeof trackState>[0];

/** Takes a snapshot of the delivery for this viewer. */
export async function takeSnapshot(ctx: Needs, delivery: Delivery, viewer: Viewer): Promise<Snapshot> {
  return {
    delivery_id: delivery.id,
    sequence: delivery.sequence,
    delivery: await viewFor(ctx, delivery, viewer),
  };
}

async function viewFor(ctx: Needs, delivery: Delivery, viewer: Viewer): Promise<Snapshot['delivery']> {
  if (typeof viewer === 'object') return trackState(ctx, delivery, viewer.stop);
  const view = await viewDelivery(ctx, delivery);
  return viewer === 'courier' ? presentForCourier(view) : view;
}
