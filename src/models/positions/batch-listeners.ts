import type { Position } from '../../domain/couriers/position.ts';
import type { Log, Stop } from '../../ports/process.ts';

type Listener = (batch: readonly Position[]) => void;

/** The listeners that receive each batch of positions. */
export class BatchListeners {
  readonly #log: Log;
  readonly #listeners = new Set<Listener>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(listener: Listener): Stop {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(batch: readonly Position[]): void {
    if (batch.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(batch);
      } catch (error) {
        // A fault of one listener must not keep positions from the others.
        this.#log.error({ error }, 'a listener of positions failed');
      }
    }
  }
}
