import type { Alarm } from '../../domain/alarm.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import type { Hint } from '../../domain/surge/hint.ts';
import { goneReasonOf, type Offer } from '../../domain/offers/offer.ts';
import { byVisit, type Stop } from '../../domain/deliveries/stop.ts';
import type { Context } from '../../ports/context.ts';
import type { Notices } from '../../ports/offers.ts';
import type { AlarmView, HintView, OfferStop, OfferView } from '../protocol.ts';
import { courierRoom } from '../relay/rooms.ts';
import { socketsIn, type ClientSocket, type SocketServer } from '../sockets.ts';

/** Sends messages to couriers and dispatchers on any process. */
export function createNotices(io: SocketServer, { settings }: Pick<Context, 'settings'>): Notices {
  const couriers = io.of('/courier');
  return {
    offerNew: (offer, delivery) => {
      const room = courierRoom(offer.courierId);
      const view = presentOffer(offer, delivery);
      // A courier has one connection. If it is here, the other processes need not know.
      const [here] = socketsIn(couriers, room);
      if (here !== undefined) return showOffer(here, view, settings);
      return new Promise((resolve) => {
        const everywhere = couriers.to(room).timeout(settings.offers.ackRealMs);
        everywhere.emit('offer.new', view, (_error, seen) => resolve(seen.length > 0));
      });
    },
    offerWithdrawn: (offer) => {
      const told = { offer_id: offer.id, reason: goneReasonOf(offer) };
      couriers.to(courierRoom(offer.courierId)).emit('offer.withdrawn', told);
    },
    alarm: (alarm) => void io.of('/admin').emit('alarm', presentAlarm(alarm)),
    hint: (hint) => void couriers.to(courierRoom(hint.courierId)).emit('courier.hint', presentHint(hint)),
  };
}

/** Shows an offer to a courier of this process. Returns true if their phone acknowledged it in time. */
export async function showOffer(
  socket: ClientSocket,
  view: OfferView,
  settings: Context['settings'],
): Promise<boolean> {
  try {
    await socket.timeout(settings.offers.ackRealMs).emitWithAck('offer.new', view);
    return true;
  } catch {
    // The library rejects if the phone does not answer, which is a result here.
    return false;
  }
}

/** The offer as the courier receives it. */
export function presentOffer(offer: Offer, delivery: Delivery): OfferView {
  return {
    offer_id: offer.id,
    delivery_id: delivery.id,
    expires_at: isoTime(offer.expiresAt),
    pickup: presentStop(delivery.pickup),
    drop_off: byVisit(delivery.dropOffs).map(presentStop),
    distance_m: delivery.distanceM,
  };
}

function presentStop({ index, place, address, instructions, window }: Stop): OfferStop {
  const readyAt = window?.readyAt ?? null;
  return {
    stop: index,
    coordinates: { lat: place.lat, lng: place.lng },
    address,
    instructions,
    ...(readyAt === null ? {} : { ready_at: isoTime(readyAt) }),
  };
}

/** The hint as the courier receives it. */
function presentHint({ cell, place, distanceM, expected, expiresAt }: Hint): HintView {
  return {
    cell,
    coordinates: { lat: coarse(place.lat), lng: coarse(place.lng) },
    distance_m: Math.round(distanceM),
    expected_orders: expected,
    expires_at: isoTime(expiresAt),
  };
}

/** Rounds to about ten metres, because the middle of a cell is not an address. */
function coarse(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}

/** The alarm as dispatchers see it. */
export function presentAlarm(alarm: Alarm): AlarmView {
  return {
    id: alarm.id,
    kind: alarm.kind,
    ...(alarm.deliveryId === null ? {} : { delivery_id: alarm.deliveryId }),
    since: isoTime(alarm.since),
    detail: alarm.detail,
    ...(alarm.clearedAt === null ? {} : { cleared: true }),
  };
}
