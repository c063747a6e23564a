import type { DomainEvent } from '../../domain/deliveries/events.ts';
import { present } from '../../domain/views/present-event.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Clock } from '../../ports/process.ts';
import type { Namespace } from '../protocol.ts';
import { holdRoom, viewerOf } from './rooms.ts';
import type { ClientSocket } from '../sockets.ts';
import { putIn, takeOut } from '../../work/sets/sets-by-key.ts';

/** Most events that wait while a connection reads the past of a delivery. */
export const MOST_WAITING = 500;
/** Machine time after which the live stream must have passed the replayed events. */
const FORGET_MS = 60_000;

/** A connection that catches up on a delivery. */
export type Hold = {
  readonly socket: ClientSocket;
  readonly deliveryId: DeliveryId;
  /** The live events that arrived meanwhile; null after the past has been sent. */
  waiting: DomainEvent[] | null;
  hasOverflowed: boolean;
  /** The sequence number up to which events have been sent. */
  mark: number;
  doneAt: number;
  /** Further reads of this past that wait for the current one. */
  readonly queue: (() => void)[];
};

/**
 * Keeps past and live events of a delivery in order on each connection. A connection that catches up receives no live
 * events of that delivery until the stream has passed the replayed ones. A process may receive an event from the stream
 * later than it can read it from the log.
 */
export class Holds {
  readonly #clock: Clock;
  readonly #byDelivery = new Map<string, Set<Hold>>();
  readonly #bySocket = new Map<ClientSocket, Map<DeliveryId, Hold>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of connections that catch up, counted per delivery. */
  get size(): number {
    return [...this.#bySocket.values()].reduce((sum, own) => sum + own.size, 0);
  }

  /** Withholds live events of this delivery until `finish`. Returns null if the connection is catching up already. */
  begin(socket: ClientSocket, deliveryId: DeliveryId): Hold | null {
    const known = this.#bySocket.get(socket)?.get(deliveryId);
    if (known === undefined) return this.#open(socket, deliveryId);
    if (known.waiting !== null) return null;
    this.restart(known);
    return known;
  }

  /** Like `begin`, but waits for a read of this past in flight. Refuses `busy` if the connection closes meanwhile. */
  async beginInTurn(socket: ClientSocket, deliveryId: DeliveryId): Promise<Hold> {
    let hold = this.begin(socket, deliveryId);
    while (hold === null) {
      const current = this.#bySocket.get(socket)?.get(deliveryId);
      await new Promise<void>((resolve) => current?.queue.push(resolve));
      if (!socket.connected) throw new Refusal('busy');
      hold = this.begin(socket, deliveryId);
    }
    return hold;
  }

  /** Drops the waiting events, because the past is read again. */
  restart(hold: Hold): void {
    hold.waiting = [];
    hold.hasOverflowed = false;
  }

  /** Sends the waiting events after `mark`, up to which the past has been sent. Live events follow. */
  finish(hold: Hold, mark: number): void {
    const waited = hold.waiting ?? [];
    hold.waiting = null;
    hold.mark = mark;
    hold.doneAt = this.#clock.real.elapsed();
    for (const event of waited) send(hold, event);
    const hasStreamPassed = (waited.at(-1)?.sequence ?? 0) >= mark;
    if (hasStreamPassed) this.#release(hold);
    next(hold);
  }

  /** Takes a live event for connections in the room that catch up. Call it after the event was sent to the room. */
  take(event: DomainEvent, namespace: Namespace, room: string): void {
    for (const hold of this.#byDelivery.get(keyOf(namespace, event.delivery_id)) ?? []) {
      if (!hold.socket.rooms.has(room)) continue;
      if (hold.waiting === null) {
        send(hold, event);
        if (event.sequence >= hold.mark) this.#release(hold);
      } else if (hold.waiting.length < MOST_WAITING) {
        hold.waiting.push(event);
      } else {
        hold.hasOverflowed = true;
      }
    }
  }

  /** Forgets a closed connection. */
  drop(socket: ClientSocket): void {
    for (const hold of this.#bySocket.get(socket)?.values() ?? []) {
      this.#forget(hold);
      next(hold);
    }
  }

  sweep(): void {
    const before = this.#clock.real.elapsed() - FORGET_MS;
    for (const own of this.#bySocket.values()) {
      for (const hold of own.values()) if (hold.waiting === null && hold.doneAt < before) this.#release(hold);
    }
  }

  #open(socket: ClientSocket, deliveryId: DeliveryId): Hold {
    const hold: Hold = { socket, deliveryId, waiting: [], hasOverflowed: false, mark: 0, doneAt: 0, queue: [] };
    const own = this.#bySocket.get(socket) ?? new Map<DeliveryId, Hold>();
    this.#bySocket.set(socket, own.set(deliveryId, hold));
    putIn(this.#byDelivery, keyOf(socket.nsp.name, deliveryId), hold);
    void socket.join(holdRoom(deliveryId));
    return hold;
  }

  #release(hold: Hold): void {
    this.#forget(hold);
    void hold.socket.leave(holdRoom(hold.deliveryId));
  }

  #forget(hold: Hold): void {
    takeOut(this.#byDelivery, keyOf(hold.socket.nsp.name, hold.deliveryId), hold);
    const own = this.#bySocket.get(hold.socket);
    own?.delete(hold.deliveryId);
    if (own?.size === 0) this.#bySocket.delete(hold.socket);
  }
}

function next(hold: Hold): void {
  for (const go of hold.queue.splice(0)) go();
}

function keyOf(namespace: string, id: DeliveryId): string {
  return `${namespace} ${id}`;
}

function send(hold: Hold, event: DomainEvent): void {
  if (event.sequence <= hold.mark) return;
  hold.mark = event.sequence;
  const shown = present(event, viewerOf(hold.socket.data.caller));
  hold.socket.emit(shown.type, shown);
}
