import type { Clock, Log } from '../../ports/process.ts';

type Needs = {
  readonly clock: Clock;
  readonly log: Log;
  /** The name of the requests in the log. */
  readonly of: string;
  /** After failures no request is sent for so long, machine time. */
  readonly restMs: number;
};

/** After this many failures in a row, requests pause. One request then tries again. */
const FAILURES_TO_REST = 5;

/** Pauses requests to a routing server that fails. */
export class Breaker {
  readonly #needs: Needs;
  #failures = 0;
  #restsUntil = -Infinity;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** How many requests may be in flight: usually `usual`, none during a pause, and one after it. */
  mostInFlight(usual: number): number {
    if (this.#failures < FAILURES_TO_REST) return usual;
    return this.#needs.clock.real.elapsed() < this.#restsUntil ? 0 : 1;
  }

  succeeded(): void {
    const { log, of } = this.#needs;
    if (this.#failures >= FAILURES_TO_REST) log.warn({ of }, 'the routing server answers again');
    this.#failures = 0;
  }

  /** Counts a failure, and begins a pause if it is one too many. */
  failed(error: unknown): void {
    const { clock, log, of, restMs } = this.#needs;
    this.#failures += 1;
    this.#restsUntil = clock.real.elapsed() + restMs;
    if (this.#failures === FAILURES_TO_REST) log.warn({ of, error }, 'routing requests are paused');
  }
}

/** The name of a failure in the metrics. */
export function failureOf(error: unknown): 'late' | 'failed' {
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'late' : 'failed';
}
