import { openStops } from '../../domain/deliveries/delivery.ts';
import type { Carried } from '../../domain/deliveries/carried.ts';
import { isHidden, placesBefore } from '../../domain/deliveries/stops/hidden.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { SHOWN_STATES } from '../../domain/deliveries/lifecycle.ts';
import { putIn, takeOut } from '../../work/sets/sets-by-key.ts';
import { recipientRoom, vendorRoom } from '../relay/rooms.ts';

/** A carried delivery, and the rooms whose readers may see its courier. */
export type InRooms = {
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  readonly vendorRoom: string;
  /** The room of the recipient who is next. Null before the pickup, and if no drop-off is open. */
  readonly trackRoom: string | null;
  /** The drop-off of that recipient; null if there is none. */
  readonly own: Coordinates | null;
  /** The drop-offs of the delivery where the courier has been. */
  readonly before: readonly Coordinates[];
  /** All drop-offs. */
  readonly dropOffs: readonly Coordinates[];
};

export type RoomIndex = {
  get(deliveryId: DeliveryId): InRooms | null;
  of(courierId: CourierId): ReadonlySet<InRooms>;
  /** The deliveries whose couriers the readers of this room may see. */
  in(room: string): ReadonlySet<InRooms>;
  /**
   * Says whether the recipient of the entry does not see the courier at this place, because it is beside the drop-off of
   * another recipient: of this delivery, or of another one that the courier carries or has carried meanwhile.
   */
  hides(entry: InRooms, at: Coordinates): boolean;
  /** Replaces the entry of a delivery. Returns the entry before and the one after it; null without a courier. */
  change(was: Carried | null, is: Carried | null): { before: InRooms | null; after: InRooms | null };
};

const NONE: ReadonlySet<InRooms> = new Set();
/** Most past drop-offs that are remembered of a courier. */
const MOST_PAST = 20;

/** An index of carried deliveries by courier and room, for the fan-out of positions. */
export function createRoomIndex(): RoomIndex {
  const byDelivery = new Map<DeliveryId, InRooms>();
  const byCourier = new Map<string, Set<InRooms>>();
  const byRoom = new Map<string, Set<InRooms>>();
  /** By courier, as long as they carry anything: the drop-offs of what they no longer carry. */
  const past = new Map<string, readonly Coordinates[]>();

  const remove = (entry: InRooms): void => {
    byDelivery.delete(entry.deliveryId);
    takeOut(byCourier, entry.courierId, entry);
    for (const room of roomsOf(entry)) takeOut(byRoom, room, entry);
  };
  const put = (entry: InRooms): void => {
    byDelivery.set(entry.deliveryId, entry);
    putIn(byCourier, entry.courierId, entry);
    for (const room of roomsOf(entry)) putIn(byRoom, room, entry);
  };
  const remember = ({ courierId, dropOffs }: InRooms): void => {
    if (byCourier.has(courierId)) past.set(courierId, [...(past.get(courierId) ?? []), ...dropOffs].slice(-MOST_PAST));
    else past.delete(courierId);
  };

  return {
    get: (deliveryId) => byDelivery.get(deliveryId) ?? null,
    of: (courierId) => byCourier.get(courierId) ?? NONE,
    in: (room) => byRoom.get(room) ?? NONE,
    hides: (entry, at) => {
      const { courierId, own, before } = entry;
      if (own === null) return true;
      if (isHidden(at, own, before) || isHidden(at, own, past.get(courierId) ?? [])) return true;
      for (const other of byCourier.get(courierId) ?? NONE) {
        if (other !== entry && isHidden(at, own, other.dropOffs)) return true;
      }
      return false;
    },
    change: (was, is) => {
      const before = was === null ? null : (byDelivery.get(was.id) ?? null);
      if (before !== null) remove(before);
      const after = is === null ? null : entryOf(is);
      if (after !== null) put(after);
      if (before !== null && before.courierId !== after?.courierId) remember(before);
      return { before, after };
    },
  };
}

/** The rooms whose readers see this courier with this delivery. */
export function roomsOf({ vendorRoom: ofVendor, trackRoom }: InRooms): string[] {
  return trackRoom === null ? [ofVendor] : [ofVendor, trackRoom];
}

function entryOf({ id, courierId, vendorId, liveMode, state, dropOffs }: Carried): InRooms {
  // The recipient to whom the courier is on the way, or at whose drop-off they are.
  const [next] = openStops(dropOffs);
  const isSeen = next !== undefined && SHOWN_STATES.includes(state);
  return {
    deliveryId: id,
    courierId,
    vendorRoom: vendorRoom(vendorId, liveMode),
    trackRoom: isSeen ? recipientRoom(id, next.index) : null,
    own: isSeen ? next.place : null,
    before: isSeen ? placesBefore(dropOffs, next.index) : [],
    dropOffs: dropOffs.map(({ place }) => place),
  };
}
