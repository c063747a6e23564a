import { Refusal } from '../domain/refusals/refusals.ts';
import type { Clock, Log, Stop } from '../ports/process.ts';

/** An engine in the words of the log, and the errors by which its clients report that it is away. */
export type Engine = { readonly name: 'MongoDB' | 'Redis'; readonly isAway: (error: unknown) => boolean };

/** `waitedMs` says how much earlier than its line an error came. */
type Waited = { readonly waitedMs?: number };
type Write = (waited: Waited) => void;
type Fields = Waited & { readonly error?: unknown; readonly err?: unknown };
type Needs = { readonly log: Pick<Log, 'warn'>; readonly clock: Pick<Clock, 'real'> };

/** Machine time between two reminders of an outage. */
const REMIND_MS = 600_000;
/** An outage is noticed within this time after the first error that comes from it. */
const NOTICED_MS = 5000;
/** Work that began in an outage may fail until this long after its end: a read is tried twice. */
const ECHO_MS = 15_000;
/** Most lines that wait for an outage. Further ones are written at once. */
const MOST_HELD = 100;

/**
 * Knows whether an engine is away: a connection is lost, messages do not arrive, writes are refused, or there is no
 * primary. The log gets one line with the cause when this starts, one every ten minutes, and one with the length when it
 * is over, however often the process tries.
 */
export class Outage {
  readonly #engine: Engine;
  readonly #needs: Needs;
  readonly #lost = new Set<unknown>();
  #since: number | null = null;
  #endedAt = -Infinity;
  #cause = '';
  #stopReminding: Stop = () => {};
  /** Lines that may come from an outage which nobody has noticed yet. */
  #held: { readonly at: number; readonly write: Write }[] = [];
  #stopHolding: Stop = () => {};
  #isClosed = false;
  readonly #writeHeld = (): void => {
    this.#stopHolding();
    process.off('exit', this.#writeHeld);
    const now = this.#needs.clock.real.elapsed();
    for (const { at, write } of this.#held.splice(0)) write({ waitedMs: Math.round(now - at) });
  };

  constructor(engine: Engine, needs: Needs) {
    this.#engine = engine;
    this.#needs = needs;
  }

  isOn(): boolean {
    return this.#since !== null;
  }

  /** Says whether this error comes from an outage that goes on or has just ended. */
  covers(error: unknown): boolean {
    const isHere = this.isOn() || this.#needs.clock.real.elapsed() - this.#endedAt < ECHO_MS;
    return isHere && this.#mayCause(error);
  }

  /**
   * Writes a line of the log, but not if an outage covers its error, or begins to within a few seconds.
   * @param write takes the time that the line has waited, if it has
   */
  writeUnlessCovered(error: unknown, write: Write): void {
    if (this.covers(error)) return;
    if (!this.#mayCause(error) || this.#isClosed || this.#held.length >= MOST_HELD) return write({});
    if (this.#held.push({ at: this.#needs.clock.real.elapsed(), write }) > 1) return;
    this.#stopHolding = this.#needs.clock.real.after(NOTICED_MS, this.#writeHeld);
    // The lines before a fatal error often say why. At its own exit, which comes after this one, the log writes all.
    process.prependListener('exit', this.#writeHeld);
  }

  /** Reports that a connection, or another thing that the engine must do, does not work. */
  lose(what: unknown, cause: string): void {
    this.#lost.add(what);
    this.#cause = cause;
    if (this.isOn()) return;
    this.#since = this.#needs.clock.real.elapsed();
    if (this.#isClosed) return;
    this.#held = [];
    this.#writeHeld();
    this.#needs.log.warn({ cause }, `${this.#engine.name} is away`);
    this.#remindLater();
  }

  regain(what: unknown): void {
    this.#lost.delete(what);
    if (this.#lost.size > 0 || !this.isOn()) return;
    this.#stopReminding();
    if (!this.#isClosed) this.#needs.log.warn({ lastedS: this.#lastedS() }, `${this.#engine.name} is back`);
    this.#since = null;
    this.#endedAt = this.#needs.clock.real.elapsed();
  }

  /** From here on connections close on purpose. */
  close(): void {
    this.#isClosed = true;
    this.#stopReminding();
    this.#writeHeld();
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  /** The refusal `busy` often hides an error of an engine from callers. */
  #mayCause(error: unknown): boolean {
    return this.#engine.isAway(error) || (error instanceof Refusal && error.code === 'busy');
  }

  #remindLater(): void {
    this.#stopReminding = this.#needs.clock.real.after(REMIND_MS, () => {
      this.#needs.log.warn({ cause: this.#cause, lastedS: this.#lastedS() }, `${this.#engine.name} is still away`);
      this.#remindLater();
    });
  }

  #lastedS(): number {
    const now = this.#needs.clock.real.elapsed();
    return Math.round((now - (this.#since ?? now)) / 1000);
  }
}

/**
 * The same log without the lines of errors that an outage covers. The outage has its own lines, and one for each request
 * would hide everything else.
 */
export function quietDuring(outage: Pick<Outage, 'covers' | 'writeUnlessCovered'>, log: Log): Log {
  const at =
    (level: 'warn' | 'error') =>
    (fields: Fields, message: string): void => {
      const error = fields.error ?? fields.err;
      const write: Write = (waited) => log[level]({ ...fields, ...waited }, message);
      // A line that has waited for the other engine has waited long enough.
      if (fields.waitedMs === undefined) outage.writeUnlessCovered(error, write);
      else if (!outage.covers(error)) write({});
    };
  return { ...log, covers: (error) => outage.covers(error) || log.covers(error), warn: at('warn'), error: at('error') };
}
