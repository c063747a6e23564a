import { isResultOf, isTerminal } from '../deliveries/lifecycle.ts';
import type { WindowView, DeliveryView, EtaView, StopView } from '../deliveries/delivery-view.ts';
import type { z } from 'zod';
import { presentVerification } from '../proof/proof-view.ts';
import { proofStatusOf } from '../proof/verification.ts';
import { isoTime, type EtaRange } from '../time.ts';
import { delayReasonOf, type Delivery, type Times } from '../deliveries/delivery.ts';
import type { Etas } from '../deliveries/eta.ts';
import { chargedOf, refundedOf, type ChargeLine, type Funds } from '../pricing/funds.ts';
import type { Item } from '../deliveries/parcel.ts';
import type { Stop } from '../deliveries/stops/stop.ts';
import type { Window } from '../window.ts';

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

/** The view of a delivery for its vendor and staff. `eta` has the known arrival times. */
export function presentDelivery(delivery: Delivery, eta: Etas): DeliveryView {
  return {
    id: delivery.id,
    object: 'delivery',
    kind: delivery.kind,
    live_mode: delivery.liveMode,
    channel: delivery.channel,
    vendor_id: delivery.vendorId,
    external_id: delivery.externalId,
    order_id: delivery.orderId ?? null,
    status: delivery.state,
    stage: delivery.stage,
    courier_imminent: eta.isImminent,
    complete: isTerminal(delivery.state),
    version: delivery.version,
    sequence: delivery.sequence,
    priority: delivery.priority,
    quote_id: delivery.quoteId,
    pickup: presentStop(delivery.pickup, eta),
    drop_off: delivery.dropOffs.map((stop) => presentStop(stop, eta)),
    metadata: { ...delivery.metadata },
    vehicle_types: [...delivery.vehicleTypes],
    custom: { ...delivery.custom },
    tip: delivery.tip ?? 0,
    promo: delivery.promo ?? null,
    order_value_collected_by: delivery.orderValueCollectedBy ?? 'vendor',
    notify_recipient: delivery.notifyRecipient ?? false,
    fee: delivery.fee,
    currency: delivery.currency,
    fee_breakdown: delivery.feeBreakdown.map((line) => ({ ...line })),
    ...presentFunds(delivery),
    distance_m: delivery.distanceM,
    duration_s: delivery.durationS,
    distance_source: delivery.distanceSource ?? 'estimate',
    courier: delivery.courier === null ? null : { ...delivery.courier },
    eta: presentEtas(eta),
    outcome: delivery.outcome,
    cancellation: presentCancellation(delivery),
    failure: presentFailure(delivery),
    related_deliveries: [...delivery.related],
    delay_reason: delayReasonOf(delivery),
    search_until: isoTime(delivery.searchUntilAt),
    timestamps: presentTimes(delivery.times),
    created_at: isoTime(delivery.times.createdAt),
    updated_at: isoTime(delivery.times.updatedAt),
  };
}

function presentStop(stop: Stop, { stops }: Etas): z.output<typeof StopView> {
  return {
    stop: stop.index,
    visit: stop.visit,
    coordinates: { lat: stop.place.lat, lng: stop.place.lng },
    address: typeof stop.address === 'object' && stop.address !== null ? { ...stop.address } : stop.address,
    contact: stop.contact === null ? null : { ...stop.contact },
    business_name: stop.businessName ?? null,
    reference: stop.reference ?? null,
    instructions: stop.instructions,
    items: (stop.items ?? []).map(presentItem),
    order_value: stop.orderValue ?? null,
    undeliverable_action: stop.undeliverableAction,
    window: presentWindow(stop.window),
    external_id: stop.externalId,
    deliverable_action: stop.deliverableAction ?? 'meet_at_door',
    verification: stop.verification === undefined ? null : presentVerification(stop.verification),
    proof_status: proofStatusOf(stop),
    status: stop.state,
    eta_at: stop.arrivedAt === null ? isoOrNull(stops.get(stop.index)?.at ?? null) : null,
    arrived_at: isoOrNull(stop.arrivedAt),
    ended_at: isoOrNull(stop.doneAt),
    reason: stop.reason,
  };
}

function presentItem({ weightG, ...item }: Item): z.output<typeof StopView>['items'][number] {
  return { ...item, ...(weightG === undefined ? {} : { weight_g: weightG }) };
}

/** The range is that of the next stop: the pickup, or after it the next drop-off. */
function presentEtas({ pickup, dropOff, basis }: Etas): DeliveryView['eta'] {
  const next = pickup ?? dropOff;
  return {
    pickup: presentEta(pickup),
    drop_off: presentEta(dropOff),
    pickup_at: isoOrNull(pickup?.at ?? null),
    drop_off_at: isoOrNull(dropOff?.at ?? null),
    lower_at: isoOrNull(next?.lowerAt ?? null),
    upper_at: isoOrNull(next?.upperAt ?? null),
    updated_at: isoOrNull(basis?.at ?? null),
    reason: basis?.reason ?? null,
  };
}

export function presentEta(eta: EtaRange | null): z.output<typeof EtaView> | null {
  return eta === null ? null : { at: isoTime(eta.at), lower_at: isoTime(eta.lowerAt), upper_at: isoTime(eta.upperAt) };
}

function presentWindow(window: Window | null): z.output<typeof WindowView> | null {
  return window === null ? null : { ready_at: isoOrNull(window.readyAt), deadline_at: isoOrNull(window.deadlineAt) };
}

function presentFunds({ fee, funds }: Delivery) {
  const { customer, vendor, platform } = funds?.shares ?? { customer: fee, vendor: 0, platform: 0 };
  const charges = funds?.charges;
  return {
    customer_fee: customer,
    vendor_net_cost: vendor,
    platform_share: platform,
    hold: funds?.hold ?? null,
    charge: funds === undefined || charges === undefined ? null : presentCharge(funds, charges),
  };
}

function presentCharge(funds: Funds, charges: readonly ChargeLine[]): NonNullable<DeliveryView['charge']> {
  const breakdown = charges.map((line) => ({ ...line }));
  return { amount: chargedOf(charges), breakdown, refunded: refundedOf(funds) };
}

function presentCancellation({ state, ending, times, funds }: Delivery): DeliveryView['cancellation'] {
  if (!isResultOf('cancel', state) || ending === null || times.canceledAt === null) return null;
  return {
    by: ending.by,
    reason: ending.reason,
    comment: ending.comment ?? null,
    fee: chargedOf(funds?.charges ?? []),
    at: isoTime(times.canceledAt),
  };
}

function presentFailure({ state, ending, times }: Delivery): DeliveryView['failure'] {
  if (!isResultOf('fail', state) || ending === null || times.failedAt === null) return null;
  return { by: ending.by, reason: ending.reason, at: isoTime(times.failedAt) };
}

function presentTimes(times: Times): Record<string, string | null> {
  return {
    searching_at: isoOrNull(times.searchingAt),
    assigned_at: isoOrNull(times.assignedAt),
    ready_at: isoOrNull(times.readyAt),
    arrived_pickup_at: isoOrNull(times.arrivedPickupAt),
    picked_up_at: isoOrNull(times.pickedUpAt),
    in_transit_at: isoOrNull(times.inTransitAt),
    arrived_drop_off_at: isoOrNull(times.arrivedDropOffAt),
    delivered_at: isoOrNull(times.deliveredAt),
    canceled_at: isoOrNull(times.canceledAt),
    failed_at: isoOrNull(times.failedAt),
  };
}
