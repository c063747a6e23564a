import { z } from 'zod';
import { ContactView, DeliveryView, ItemView, StopView } from '../deliveries/delivery-view.ts';
import { isTerminal } from '../deliveries/lifecycle.ts';

/** A stop as the courier of the delivery sees it. */
export const CourierStop = StopView.pick({
  stop: true,
  visit: true,
  coordinates: true,
  address: true,
  business_name: true,
  reference: true,
  undeliverable_action: true,
  instructions: true,
  window: true,
  external_id: true,
  deliverable_action: true,
  verification: true,
  proof_status: true,
  status: true,
  eta_at: true,
  arrived_at: true,
  ended_at: true,
  reason: true,
}).extend({
  items: z.array(ItemView.omit({ price: true })).describe('The goods for this drop-off, without their prices'),
  contact: ContactView.omit({ email: true })
    .nullable()
    .describe('The person at the stop. Null after the delivery ended'),
  instructions: z.string().nullable().describe('Instructions for the stop. Null after the delivery ended'),
});

/**
 * A delivery as its courier sees it. It names each field that they may see, so that a field of the vendor's view never
 * reaches them by accident. It leaves out prices and values, the vendor's free data, tracking links and e-mail addresses.
 */
export const CourierDelivery = DeliveryView.pick({
  id: true,
  object: true,
  kind: true,
  live_mode: true,
  status: true,
  stage: true,
  version: true,
  sequence: true,
  metadata: true,
  distance_m: true,
  delay_reason: true,
  created_at: true,
  updated_at: true,
}).extend({
  assigned_at: z
    .string()
    .describe(
      'When the delivery was assigned to this courier, RFC 3339 in UTC. An action names it, so that it changes nothing of a later assignment',
    ),
  pickup: CourierStop,
  drop_off: z.array(CourierStop),
});
export type CourierDelivery = z.output<typeof CourierDelivery>;

/** The delivery for its courier. After its end they no longer see contacts and instructions. */
export function presentForCourier(view: DeliveryView): CourierDelivery {
  const hasEnded = isTerminal(view.status);
  return {
    id: view.id,
    object: view.object,
    kind: view.kind,
    live_mode: view.live_mode,
    status: view.status,
    stage: view.stage,
    version: view.version,
    sequence: view.sequence,
    metadata: view.metadata,
    distance_m: view.distance_m,
    delay_reason: view.delay_reason,
    created_at: view.created_at,
    updated_at: view.updated_at,
    // A return is assigned at its birth.
    assigned_at: view.timestamps['assigned_at'] ?? view.created_at,
    pickup: presentStop(view.pickup, hasEnded),
    drop_off: view.drop_off.map((stop) => presentStop(stop, hasEnded)),
  };
}

function presentStop(stop: z.output<typeof StopView>, hasEnded: boolean): z.output<typeof CourierStop> {
  const { contact } = stop;
  return {
    stop: stop.stop,
    visit: stop.visit,
    coordinates: stop.coordinates,
    address: stop.address,
    business_name: stop.business_name,
    reference: stop.reference,
    items: stop.items.map(({ price: _price, ...item }) => item),
    undeliverable_action: stop.undeliverable_action,
    contact: contact === null || hasEnded ? null : { name: contact.name, phone: contact.phone },
    instructions: hasEnded ? null : stop.instructions,
    window: stop.window,
    external_id: stop.external_id,
    deliverable_action: stop.deliverable_action,
    verification: withoutPin(stop.verification),
    proof_status: stop.proof_status,
    status: stop.status,
    eta_at: stop.eta_at,
    arrived_at: stop.arrived_at,
    ended_at: stop.ended_at,
    reason: stop.reason,
  };
}

/** The courier learns that a PIN is required. Only the recipient tells them which. */
function withoutPin(wanted: z.output<typeof StopView>['verification']): z.output<typeof StopView>['verification'] {
  if (wanted === null) return null;
  return { ...wanted, pin: { enabled: wanted.pin.enabled, type: wanted.pin.type } };
}
