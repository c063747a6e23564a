import type { CourierId } from '../../domain/ids.ts';
import type { Stop } from '../../ports/process.ts';
import { DueTimes } from '../../work/sets/due-times.ts';

/** How exactly renewals keep to their time: within this part of the time between two of them. */
const SLOTS_PER_RENEWAL = 5;

/** A connection of a courier, who may have several for a moment. */
type Connected = { readonly courierId: CourierId };

/** The couriers who are connected to this process, by when their presence must be renewed. */
export class ConnectedCouriers {
  readonly #renewalMs: number;
  readonly #renewAt: DueTimes<Connected>;

  /** @param renewalMs machine time between two renewals of a courier who sends nothing */
  constructor(now: number, renewalMs: number) {
    this.#renewalMs = renewalMs;
    this.#renewAt = new DueTimes(now, renewalMs / SLOTS_PER_RENEWAL);
  }

  /** Adds a connection of this courier. Returns the function that removes it. */
  add(courierId: CourierId, now: number): Stop {
    const connected = { courierId };
    this.#renewAt.set(connected, now);
    return () => this.#renewAt.set(connected, null);
  }

  /** Calls `touch` for the couriers who are due. It returns when the courier was last heard. */
  renew(now: number, touch: (courierId: CourierId) => number): void {
    for (const connected of this.#renewAt.take(now)) {
      this.#renewAt.set(connected, touch(connected.courierId) + this.#renewalMs);
    }
  }
}
