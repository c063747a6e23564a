import type { Alarm } from '../domain/alarm.ts';
import type { Delivery } from '../domain/delivery.ts';
import { isoTime } from '../domain/delivery-view.ts';
import type { Offer } from '../domain/offer.ts';
import type { Stop } from '../domain/stop.ts';
import type { Context, Notices } from '../ports.ts';
import type { AlarmView, OfferStop, OfferView } from './protocol.ts';
import { courierRoom } from './rooms.ts';
import type { SocketServer } from './sockets.ts';

/** What the server says to couriers and dispatchers of itself, on whichever process they are connected to. */
export function createNotices(io: SocketServer, { settings }: Pick<Context, 'settings'>): Notices {
  const couriers = io.of('/courier');
  return {
    offerNew: (offer, delivery) => {
      const room = courierRoom(offer.courierId);
      // A courier has one connection: when it is here, no other process need be asked.
      const isHere = couriers.adapter.rooms.has(room);
      const listeners = (isHere ? couriers.local : couriers).to(room).timeout(settings.offers.ackRealMs);
      return new Promise((resolve) => {
        listeners.emit('offer.new', presentOffer(offer, delivery), (_error, seen) => resolve(seen.length > 0));
      });
    },
    offerWithdrawn: (offer) => {
      const told = { offer_id: offer.id, reason: offer.reason ?? 'taken' };
      couriers.to(courierRoom(offer.courierId)).emit('offer.withdrawn', told);
    },
    alarm: (alarm) => void io.of('/admin').emit('alarm', presentAlarm(alarm)),
  };
}

/** The offer as its courier sees it. */
export function presentOffer(offer: Offer, delivery: Delivery): OfferView {
  return {
    offer_id: offer.id,
    delivery_id: delivery.id,
    expires_at: isoTime(offer.expiresAt),
    pickup: presentStop(delivery.pickup),
    drop_off: delivery.dropOffs.map(presentStop),
    distance_m: delivery.distanceM,
  };
}

function presentStop({ place, address, instructions, window }: Stop): OfferStop {
  const readyAt = window?.readyAt ?? null;
  return {
    coordinates: { lat: place.lat, lng: place.lng },
    address,
    instructions,
    ...(readyAt === null ? {} : { ready_at: isoTime(readyAt) }),
  };
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
