import { openStops, type Delivery } from '../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../domain/deliveries/events.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { hasCourier, SHOWN_STATES } from '../../domain/deliveries/lifecycle.ts';
import type { State } from '../../domain/deliveries/states.ts';
import type { Stop as DropOff } from '../../domain/deliveries/stop.ts';
import type { Context } from '../../ports/context.ts';
import type { DeliveryStore } from '../../ports/deliveries.ts';
import { recipientRoom, vendorRoom } from '../relay/rooms.ts';

/** A delivery with an assigned courier, and the rooms whose readers may see the courier. */
export type Carried = {
  readonly deliveryId: DeliveryId;
  readonly courierId: CourierId;
  readonly sequence: number;
  readonly vendorRoom: string;
  /** The room of the recipient who is next. Null before the pickup and after the end. */
  readonly trackRoom: string | null;
};

export type CarriedIndex = {
  get(deliveryId: DeliveryId): Carried | null;
  of(courierId: CourierId): ReadonlySet<Carried>;
  /** The deliveries whose couriers the readers of this room may see. */
  in(room: string): ReadonlySet<Carried>;
  /** Applies an event of the log. Returns the entry before and after it; null while no courier is assigned. */
  apply(event: DomainEvent): { before: Carried | null; after: Carried | null };
  /** Reads all entries from the store, at the start and after missed events. Returns the entries that were removed. */
  load(): Promise<readonly Carried[]>;
};

const NONE: ReadonlySet<Carried> = new Set();
const PAGE = 500;

/** An index of couriers and their deliveries, for the fan-out of positions. The event log keeps it up to date. */
export function createCarried(ctx: Pick<Context, 'deliveries'>): CarriedIndex {
  const byDelivery = new Map<DeliveryId, Carried>();
  const byCourier = new Map<string, Set<Carried>>();
  const byRoom = new Map<string, Set<Carried>>();
  /** For each read of the store in flight: the newest sequence number from the log since its start, by delivery. */
  const readings = new Set<Map<DeliveryId, number>>();

  const remove = (carried: Carried): void => {
    byDelivery.delete(carried.deliveryId);
    takeOut(byCourier, carried.courierId, carried);
    takeOut(byRoom, carried.vendorRoom, carried);
    if (carried.trackRoom !== null) takeOut(byRoom, carried.trackRoom, carried);
  };

  const put = (id: DeliveryId, after: Carried | null): void => {
    const before = byDelivery.get(id);
    if (before !== undefined) remove(before);
    if (after === null) return;
    byDelivery.set(id, after);
    putIn(byCourier, after.courierId, after);
    putIn(byRoom, after.vendorRoom, after);
    if (after.trackRoom !== null) putIn(byRoom, after.trackRoom, after);
  };

  return {
    get: (deliveryId) => byDelivery.get(deliveryId) ?? null,
    of: (courierId) => byCourier.get(courierId) ?? NONE,
    in: (room) => byRoom.get(room) ?? NONE,
    apply: (event) => {
      for (const news of readings) news.set(event.delivery_id, event.sequence);
      const before = byDelivery.get(event.delivery_id) ?? null;
      if (before !== null && before.sequence >= event.sequence) return { before, after: before };
      const after = fromEvent(event);
      put(event.delivery_id, after);
      return { before, after };
    },
    load: async () => {
      const news = new Map<DeliveryId, number>();
      readings.add(news);
      try {
        const held = await readHeld(ctx.deliveries);
        const gone = [...byDelivery.values()].filter(({ deliveryId: id }) => !held.has(id) && !news.has(id));
        for (const carried of gone) remove(carried);
        for (const carried of held.values()) {
          if ((news.get(carried.deliveryId) ?? 0) < carried.sequence) put(carried.deliveryId, carried);
        }
        return gone;
      } finally {
        readings.delete(news);
      }
    },
  };
}

async function readHeld(deliveries: Pick<DeliveryStore, 'listWithCourier'>): Promise<ReadonlyMap<DeliveryId, Carried>> {
  const held = new Map<DeliveryId, Carried>();
  let page: readonly Delivery[] = [];
  do {
    page = await deliveries.listWithCourier(PAGE, page.at(-1)?.id ?? null);
    for (const carried of page.flatMap((delivery) => fromDelivery(delivery) ?? []))
      held.set(carried.deliveryId, carried);
  } while (page.length === PAGE);
  return held;
}

function fromDelivery({ id, courierId, sequence, vendorId, liveMode, state, dropOffs }: Delivery): Carried | null {
  if (courierId === null) return null;
  return {
    deliveryId: id,
    courierId,
    sequence,
    vendorRoom: vendorRoom(vendorId, liveMode),
    trackRoom: trackRoomOf(id, state, dropOffs),
  };
}

function fromEvent({ delivery_id: id, sequence, data, route }: DomainEvent): Carried | null {
  if (!hasCourier(data.to) || route.courier_id === null) return null;
  const stops = data.delivery?.drop_off ?? [];
  return {
    deliveryId: id,
    courierId: route.courier_id,
    sequence,
    vendorRoom: vendorRoom(route.vendor_id, route.live_mode),
    trackRoom: trackRoomOf(
      id,
      data.to,
      stops.map(({ stop: index, visit, status }) => ({ index, visit, state: status })),
    ),
  };
}

/** The room of the recipient to whom the courier is on the way, or at whose drop-off they are. */
function trackRoomOf(
  id: DeliveryId,
  state: State,
  dropOffs: readonly Pick<DropOff, 'index' | 'visit' | 'state'>[],
): string | null {
  const [next] = openStops(dropOffs);
  return next === undefined || !SHOWN_STATES.includes(state) ? null : recipientRoom(id, next.index);
}

function putIn<K>(map: Map<K, Set<Carried>>, key: K, carried: Carried): void {
  map.set(key, (map.get(key) ?? new Set()).add(carried));
}

function takeOut<K>(map: Map<K, Set<Carried>>, key: K, carried: Carried): void {
  const set = map.get(key);
  set?.delete(carried);
  if (set?.size === 0) map.delete(key);
}
