import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DomainEvent } from '../../domain/deliveries/events.ts';
import { present } from '../../domain/views/present-event.ts';
import { viewCellOf } from '../../domain/geo/geo.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import type { Stop } from '../../ports/process.ts';
import type { Connections } from '../connections/connections.ts';
import type { Holds } from './holds.ts';
import { courierPlace, holdRoom, placesOf, routeOf, type Place, type Route } from './rooms.ts';
import { socketsOf, type SocketServer } from '../sockets.ts';

type Needs = Pick<Context, 'eventLog' | 'deliveries' | 'clock' | 'settings' | 'log'>;

/** Machine time for which a changed delivery stays in the beacon. */
const RECENT_MS = 60_000;
/** Deliveries in one beacon frame. */
const MOST_TOLD = 200;
/** Changed deliveries that are read after a gap in the log. If there are more, every connection replays instead. */
const MOST_AFTER_GAP = 5_000;
/** Most changed deliveries that the beacon remembers. Beyond that the oldest stay for less than a minute. */
const MOST_RECENT = 50_000;

/** A delivery that has changed lately: its newest number, the newest number sent live, and the rooms that receive it. */
type Recent = {
  readonly top: number;
  readonly sent: number;
  readonly changedAt: number;
  readonly places: readonly Place[];
};
/** A change that was relayed to the sockets of this process: an event, or a delivery whose events were missed in a gap of the log. */
export type RelayedChange = { readonly route: Route } & (
  | { readonly event: DomainEvent; readonly missed: null }
  | { readonly event: null; readonly missed: Delivery }
);
/** A beacon frame: the newest number of each delivery. */
type Top = Record<DeliveryId, number>;

/**
 * Sends the events of the log to the sockets of this process. Each event goes once to one room per namespace, in the
 * form for its audience. A beacon of newest numbers shows clients what they have missed, also the last event.
 */
export class Relay {
  readonly #ctx: Needs;
  readonly #io: SocketServer;
  readonly #holds: Holds;
  readonly #connections: Connections;
  readonly #recent = new Map<DeliveryId, Recent>();
  readonly #onChanges: ((change: RelayedChange) => void)[] = [];
  #heardAt: number;

  constructor(ctx: Needs, io: SocketServer, holds: Holds, connections: Connections) {
    this.#ctx = ctx;
    this.#io = io;
    this.#holds = holds;
    this.#connections = connections;
    this.#heardAt = ctx.clock.now();
  }

  /** Follows the log until it is stopped. */
  async start(): Promise<Stop> {
    const { eventLog, clock, settings } = this.#ctx;
    const stopFollowing = await eventLog.follow(
      (event) => this.#relay(event),
      () => void this.#catchUp(),
    );
    const stopShining = clock.real.every(settings.sockets.beaconRealMs, () => this.#shine());
    return () => {
      stopFollowing();
      stopShining();
    };
  }

  /**
   * Calls the listener once for each event, after it was sent to the sockets, and after a gap once for each delivery
   * whose events were missed.
   */
  onChange(listener: (change: RelayedChange) => void): void {
    this.#onChanges.push(listener);
  }

  /** Beacon frames with the newest numbers of deliveries in these rooms that have changed lately. */
  topOf(rooms: ReadonlySet<string>): Top[] {
    this.#forgetOld();
    const recent = [...this.#recent].filter(([, one]) => one.places.some(({ room }) => rooms.has(room)));
    return framesOf(recent.map(([id, { top }]) => [id, top]));
  }

  #relay(event: DomainEvent): void {
    const known = this.#recent.get(event.delivery_id);
    // A log that is followed again from an earlier point repeats events. Sockets receive each one once.
    if (known !== undefined && known.sent >= event.sequence) return;
    this.#heardAt = this.#ctx.clock.now();
    const route = routeOf(event);
    const places = placesOf(route);
    this.#note(event.delivery_id, { top: event.sequence, sent: event.sequence, places });
    tellAll(this.#io, this.#holds, event, places);
    this.#report({ route, event, missed: null });
  }

  #report(change: RelayedChange): void {
    for (const listener of this.#onChanges) listener(change);
  }

  /** Records a change. The map is in the order of changes, so that old entries are at its front. */
  #note(id: DeliveryId, { top, sent, places }: Omit<Recent, 'changedAt'>): void {
    const known = this.#recent.get(id);
    this.#recent.delete(id);
    this.#recent.set(id, {
      top: Math.max(top, known?.top ?? 0),
      sent,
      changedAt: this.#ctx.clock.real.elapsed(),
      places,
    });
    this.#forgetOld();
  }

  #forgetOld(): void {
    const before = this.#ctx.clock.real.elapsed() - RECENT_MS;
    for (const [id, { changedAt }] of this.#recent) {
      if (changedAt >= before && this.#recent.size <= MOST_RECENT) return;
      this.#recent.delete(id);
    }
  }

  #shine(): void {
    this.#forgetOld();
    const byRoom = new Map<string, { readonly place: Place; readonly tops: [DeliveryId, number][] }>();
    for (const [id, { top, places }] of this.#recent) {
      for (const place of places.filter((one) => hasReader(this.#io, one))) {
        const key = `${place.namespace} ${place.room}`;
        const told = byRoom.get(key) ?? { place, tops: [] };
        told.tops.push([id, top]);
        byRoom.set(key, told);
      }
    }
    for (const { place, tops } of byRoom.values()) {
      for (const frame of framesOf(tops)) this.#io.of(place.namespace).local.to(place.room).emit('top', frame);
    }
  }

  /** After missed events, reads the deliveries that have changed since, and sends their newest numbers at once. */
  async #catchUp(): Promise<void> {
    const { clock, deliveries, log } = this.#ctx;
    const since = this.#heardAt - RECENT_MS * Math.max(1, clock.scale);
    // Events that arrive during the read do not bring back those before them.
    const sentBefore = new Map([...this.#recent].map(([id, { sent }]) => [id, sent]));
    try {
      const changed = await deliveries.listChangedSince(since, MOST_AFTER_GAP);
      if (changed.length === MOST_AFTER_GAP) throw new Error(`${MOST_AFTER_GAP} deliveries or more have changed`);
      for (const delivery of changed.toReversed()) {
        const sent = this.#recent.get(delivery.id)?.sent ?? 0;
        this.#note(delivery.id, { top: delivery.sequence, sent, places: placesAround(delivery) });
      }
      this.#shine();
      for (const missed of changed) {
        if (missed.sequence <= (sentBefore.get(missed.id) ?? 0)) continue;
        this.#report({ route: presentRouteOf(missed), event: null, missed });
      }
    } catch (error) {
      // It is unknown what was missed. The clients are closed, reconnect and receive it from the replay.
      log.error({ error }, 'a gap in the log could not be read; closing all sockets');
      for (const socket of socketsOf(this.#io)) this.#connections.close(socket, 'failed');
    }
  }
}

function tellAll(io: SocketServer, holds: Holds, event: DomainEvent, places: readonly Place[]): void {
  for (const place of places) {
    const { namespace, room, viewer } = place;
    if (!hasReader(io, place)) continue;
    const shown = present(event, viewer);
    io.of(namespace).local.to(room).except(holdRoom(event.delivery_id)).emit(shown.type, shown);
    holds.take(event, namespace, room);
  }
}

function hasReader(io: SocketServer, { namespace, room }: Place): boolean {
  return io.of(namespace).adapter.rooms.has(room);
}

/** The rooms that receive a delivery now, and its last former courier, who may have missed the event about the loss. */
function placesAround(delivery: Delivery): Place[] {
  const former = delivery.formerCouriers.at(-1);
  const places = placesOf(presentRouteOf(delivery));
  return former === undefined ? places : [...places, courierPlace(former)];
}

/** The route that an event of the delivery would have now. */
function presentRouteOf({ id, dropOffs, vendorId, liveMode, courierId, pickup }: Delivery): Route {
  return {
    deliveryId: id,
    dropOffs: dropOffs.length,
    vendor_id: vendorId,
    live_mode: liveMode,
    courier_id: courierId,
    cell: viewCellOf(pickup.place),
  };
}

/** Beacon frames of these numbers, which are in the order of changes. The frames start with the newest. */
function framesOf(tops: readonly [DeliveryId, number][]): Top[] {
  const newestFirst = tops.toReversed();
  const frames: Top[] = [];
  for (let from = 0; from < newestFirst.length; from += MOST_TOLD) {
    frames.push(Object.fromEntries(newestFirst.slice(from, from + MOST_TOLD)));
  }
  return frames;
}
