import type { Alarm } from '../../domain/alarm.ts';
import { viewOffer, type OfferNeeds } from '../../dispatch/offers/view-offer.ts';
import { isoTime } from '../../domain/time.ts';
import type { Hint } from '../../domain/surge/hint.ts';
import type { OfferView } from '../../domain/offers/offer-view.ts';
import { goneReasonOf } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import type { Notices } from '../../ports/offers.ts';
import type { AlarmView, HintView } from '../protocol.ts';
import { courierRoom } from '../relay/rooms.ts';
import { socketsIn, type ClientSocket, type SocketServer } from '../sockets.ts';

/** Sends messages to couriers and dispatchers on any process. */
export function createNotices(io: SocketServer, ctx: OfferNeeds): Notices {
  const { settings } = ctx;
  const couriers = io.of('/courier');
  return {
    offerNew: async (offer, delivery) => {
      const room = courierRoom(offer.courierId);
      const view = await viewOffer(ctx, offer, delivery);
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
    isConnected: async (courierId) => {
      const room = courierRoom(courierId);
      if (socketsIn(couriers, room).length > 0) return true;
      try {
        return (await couriers.in(room).timeout(settings.offers.ackRealMs).fetchSockets()).length > 0;
      } catch {
        // The library rejects if a process does not answer. A push too many is better than one too few.
        return false;
      }
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
