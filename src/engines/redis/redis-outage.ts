import type { Log } from '../../ports/process.ts';

/**
 * The server refuses writes because it is not a primary, or no longer one. Errors of a script have other words before
 * this text.
 */
const REPLICA = /\bREADONLY\b|\bMASTERDOWN\b/;

/** Says whether this error means that the connection leads to a replica, as after a failover. */
export function isFromReplica(error: Error): boolean {
  return REPLICA.test(error.message);
}

/**
 * Says whether Redis is away: a connection is lost, messages do not arrive, or writes are refused. The log gets one
 * line when this starts and one when it is over, however often the clients try.
 */
export class RedisOutage {
  readonly #log: Log;
  readonly #lost = new Set<object>();
  #areWritesRefused = false;
  #isOn = false;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  isOn(): boolean {
    return this.#isOn;
  }

  /** Reports that a connection, or a way for messages, does not work. */
  lose(what: object, cause: string): void {
    this.#lost.add(what);
    this.#begin(cause);
  }

  regain(what: object): void {
    this.#lost.delete(what);
    this.#endIfWell();
  }

  refuseWrites(cause: string): void {
    this.#areWritesRefused = true;
    this.#begin(cause);
  }

  acceptWrites(): void {
    this.#areWritesRefused = false;
    this.#endIfWell();
  }

  /** From here on connections close on purpose. */
  close(): void {
    this.#isClosed = true;
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  #begin(cause: string): void {
    if (!this.#isOn && !this.#isClosed) this.#log.warn({ cause }, 'Redis is away');
    this.#isOn = true;
  }

  #endIfWell(): void {
    if (this.#lost.size > 0 || this.#areWritesRefused || !this.#isOn) return;
    this.#isOn = false;
    this.#log.warn({}, 'Redis is back');
  }
}
