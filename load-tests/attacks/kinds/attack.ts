// The type of an attack and of its target. Each attack is a module of this folder and a row of `table.ts`.
import type { DemoFacts } from '../../servers/fleet.ts';

/** The server under attack. Plain data, because an attack runs in another process. */
export type Target = {
  /** For example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The demo's vendor key, staff account and place. */
  readonly facts: DemoFacts;
  /** The token of a live tracking link that nobody else uses, and its delivery. */
  readonly trackingToken: string;
  readonly deliveryId: string;
  /**
   * The attacker's address, for `localAddress` of a connection. Other users have other addresses. Undefined if the
   * server runs on another machine.
   */
  readonly localAddress: string | undefined;
};

/**
 * Counts of an attack by name: its requests, packets or connections, and how they were answered. A name that starts with
 * `most` is that of a maximum.
 */
export type Figures = Readonly<Record<string, number>>;

export type Attack = {
  /** The name of its module. */
  readonly name: string;
  /** A sentence that describes it. */
  readonly what: string;
  /** For a flood: how long the server may keep one of its connections, ms. Its phases last at least twice as long. */
  readonly mostMsOpen?: number;
  /** Attacks until the signal aborts. Then it closes its connections and resolves within a few seconds. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<Figures>;
};
