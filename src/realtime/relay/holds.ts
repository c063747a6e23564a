import type { DomainEvent } from '../../domain/deliveries/events.ts';
import { present } from '../../domain/views/present-event.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Clock } from '../../ports/process.ts';
import type { Namespace } from '../protocol.ts';
import { holdRoom, viewerOf } from './rooms.ts';
import type { ClientSocket } from '../sockets.ts';

/** Events that wait while one connection reads one delivery's past. */
export const MOST_WAITING = 500;
/** Machine time after which the live stream must have passed what was replayed. */
const FORGET_MS = 60_000;

/** One connection that catches up on one delivery. */
export type Hold = {
  readonly socket: ClientSocket;
  readonly deliveryId: DeliveryId;
  /** What came meanwhile; null once the past has been sent. */
  waiting: DomainEvent[] | null;
  hasOverflowed: boolean;
  /** Everything up to here has been sent. */
  mark: number;
  doneAt: number;
  /** Who wants to read this past too, once it has been sent. */
  readonly queue: (() => void)[];
};

/**
 * Keeps the past and the live stream of a delivery in order on each connection. A connection that catches up is taken
 * out of the live stream of that delivery; afterwards it stays out until the stream has passed what was replayed,
 * because a process may hear of an event later than it can read it.
 */
export class Holds {
  readonly #clock: Clock;
  readonly #byDelivery = new Map<string, Set<Hold>>();
  readonly #bySocket = new Map<ClientSocket, Map<DeliveryId, Hold>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many connections catch up, counted per delivery. */
  get size(): number {
    return [...this.#bySocket.values()].reduce((sum, own) => sum + own.size, 0);
  }

  /** Keeps this delivery's live events from the connection until `finish`; null while that is so already. */
  begin(socket: ClientSocket, deliveryId: DeliveryId): Hold | null {
    const known = this.#bySocket.get(socket)?.get(deliveryId);
    if (known === undefined) return this.#open(socket, deliveryId);
    if (known.waiting !== null) return null;
    this.restart(known);
    return known;
  }

  /** As `begin`, after whoever reads this past already. Refuses `busy` when the connection goes meanwhile. */
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

  /** Forgets what waited: the past is read once more. */
  restart(hold: Hold): void {
    hold.waiting = [];
    hold.hasOverflowed = false;
  }

  /** The past is sent up to `mark`: what waited follows, and from then on the live stream from there. */
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

  /** The live stream has this event: for whoever in the room is catching up. Call after the room has been told. */
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

  /** The connection is gone. */
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
    const key = keyOf(socket.nsp.name, deliveryId);
    this.#byDelivery.set(key, (this.#byDelivery.get(key) ?? new Set()).add(hold));
    void socket.join(holdRoom(deliveryId));
    return hold;
  }

  #release(hold: Hold): void {
    this.#forget(hold);
    void hold.socket.leave(holdRoom(hold.deliveryId));
  }

  #forget(hold: Hold): void {
    const key = keyOf(hold.socket.nsp.name, hold.deliveryId);
    const others = this.#byDelivery.get(key);
    others?.delete(hold);
    if (others?.size === 0) this.#byDelivery.delete(key);
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
