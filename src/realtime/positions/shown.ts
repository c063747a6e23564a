import { openStops } from '../../domain/deliveries/delivery.ts';
import type { Carried } from '../../domain/deliveries/carried.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { SHOWN_STATES } from '../../domain/deliveries/lifecycle.ts';
import { recipientRoom, vendorRoom } from '../relay/rooms.ts';

/** A carried delivery, and the rooms whose readers may see its courier. */
export type Shown = {
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  readonly vendorRoom: string;
  /** The room of the recipient who is next. Null before the pickup and after the end. */
  readonly trackRoom: string | null;
};

export type ShownIndex = {
  get(deliveryId: DeliveryId): Shown | null;
  of(courierId: CourierId): ReadonlySet<Shown>;
  /** The deliveries whose couriers the readers of this room may see. */
  in(room: string): ReadonlySet<Shown>;
  /** Replaces the entry of a delivery. Returns the entry before and the one after it; null without a courier. */
  change(before: Carried | null, after: Carried | null): { before: Shown | null; after: Shown | null };
};

const NONE: ReadonlySet<Shown> = new Set();

/** An index of carried deliveries by courier and room, for the fan-out of positions. */
export function createShown(): ShownIndex {
  const byDelivery = new Map<DeliveryId, Shown>();
  const byCourier = new Map<string, Set<Shown>>();
  const byRoom = new Map<string, Set<Shown>>();

  const remove = (shown: Shown): void => {
    byDelivery.delete(shown.deliveryId);
    takeOut(byCourier, shown.courierId, shown);
    for (const room of roomsOf(shown)) takeOut(byRoom, room, shown);
  };
  const put = (shown: Shown): void => {
    byDelivery.set(shown.deliveryId, shown);
    putIn(byCourier, shown.courierId, shown);
    for (const room of roomsOf(shown)) putIn(byRoom, room, shown);
  };

  return {
    get: (deliveryId) => byDelivery.get(deliveryId) ?? null,
    of: (courierId) => byCourier.get(courierId) ?? NONE,
    in: (room) => byRoom.get(room) ?? NONE,
    change: (carriedBefore, carriedAfter) => {
      const before = carriedBefore === null ? null : (byDelivery.get(carriedBefore.id) ?? null);
      if (before !== null) remove(before);
      const after = carriedAfter === null ? null : shownOf(carriedAfter);
      if (after !== null) put(after);
      return { before, after };
    },
  };
}

/** The rooms whose readers see this courier with this delivery. */
export function roomsOf({ vendorRoom: ofVendor, trackRoom }: Shown): string[] {
  return trackRoom === null ? [ofVendor] : [ofVendor, trackRoom];
}

function shownOf({ id, courierId, vendorId, liveMode, state, dropOffs }: Carried): Shown {
  // The recipient to whom the courier is on the way, or at whose drop-off they are.
  const [next] = openStops(dropOffs);
  const isSeen = next !== undefined && SHOWN_STATES.includes(state);
  return {
    deliveryId: id,
    courierId,
    vendorRoom: vendorRoom(vendorId, liveMode),
    trackRoom: isSeen ? recipientRoom(id, next.index) : null,
  };
}

function putIn<K>(map: Map<K, Set<Shown>>, key: K, shown: Shown): void {
  map.set(key, (map.get(key) ?? new Set()).add(shown));
}

function takeOut<K>(map: Map<K, Set<Shown>>, key: K, shown: Shown): void {
  const set = map.get(key);
  set?.delete(shown);
  if (set?.size === 0) map.delete(key);
}
