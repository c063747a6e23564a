/** The parts that every process has: time, log, figures, leases. */
import type { IncomingMessage } from 'node:http';
import type { LabelsOf, MetricName } from '../domain/metrics.ts';

export type Stop = () => void;

/** Two kinds of time. Service time may run faster than the machine's; `real` is machine time. All values are ms. */
export type Clock = {
  /** How many times faster service time runs. */
  readonly scale: number;
  now(): number;
  sleep(ms: number): Promise<void>;
  every(ms: number, task: () => void): Stop;
  readonly real: {
    /** Epoch ms. For stored instants such as the end of a session; a span between two instants needs `elapsed`. */
    now(): number;
    /** The monotonic clock of this process, for every span. Another process cannot use the value. */
    elapsed(): number;
    /** The database's wall clock in epoch ms, which may jump. Only for timestamps that other systems check. */
    wall(): number;
    sleep(ms: number): Promise<void>;
    /** Waits for other programs, such as the database. A clock that is moved by hand does not hold it up. */
    pause(ms: number): Promise<void>;
    every(ms: number, task: () => void): Stop;
    /** As `every`, but at the same moments as the other tasks given to it, so that these can share a command. */
    everyTogether(ms: number, task: () => void): Stop;
    after(ms: number, task: () => void): Stop;
  };
};

export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /**
   * Records what an audit needs: which person changed what by right of a role, and the chain of a sound ledger. It is
   * written at every log level.
   */
  audit(fields: object, message: string): void;
  /**
   * Says whether the lines of an outage speak for this error. A warning or error whose `error` or `err` is covered is not
   * written. Only code that remembers whether it has reported a failure needs to ask.
   */
  covers(error: unknown): boolean;
};

/** The metrics of the process. The compiler takes only the names and labels of the table in `domain/metrics.ts`. */
export type Metrics = {
  /** Adds `by` to a counter; 1 if absent. */
  count<N extends MetricName<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends MetricName<'histogram'>>(name: N, seconds: number, labels: LabelsOf<N>): void;
  /** Null removes the series with these labels, because this process no longer knows its value. */
  gauge<N extends MetricName<'gauge'>>(name: N, value: number | null, labels: LabelsOf<N>): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
};

export type Leases = {
  /** Takes or renews the lease. Returns the fencing number while this process owns it, else null. Machine time. */
  tryHold(name: string, ttlMs: number): Promise<number | null>;
  release(name: string): Promise<void>;
};

/** A bell between processes. The one in the context tells the leader of a region to look at that region now. */
export type Bell = { ring(what: string): void; onRing(listener: (what: string) => void): Stop };

export type Health = { isReady(): Promise<boolean> };

/** Where a request or a socket comes from. */
export type CallerAddress = {
  /** An IP address, for logs. */
  readonly address: string;
  /** The part of the address that rate limits count by: the whole IPv4 address, or the first 64 bits of IPv6. */
  readonly network: string;
};

/** The caller's address. Trusted proxies report it for the callers behind them. */
export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => CallerAddress;

/** Members of the context that this file describes. */
export type ProcessPorts = {
  readonly addressOf: AddressOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly leases: Leases;
  readonly bell: Bell;
  readonly health: Health;
};
