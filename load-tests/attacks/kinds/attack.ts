// What an attack is, and what it is told of the server it attacks. Each attack is a module of this folder and a row of
// `table.ts`.
import type { DemoFacts } from '../../servers/fleet.ts';

/** The server under attack: plain data, since an attack runs in a process of its own. */
export type Target = {
  /** Such as `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The demo's vendor key, staff account and place. */
  readonly facts: DemoFacts;
  /** The token of a live tracking link that nobody else uses, and its delivery. */
  readonly trackingToken: string;
  readonly deliveryId: string;
  /**
   * The attacker's own address, for `localAddress` of a connection: other users come from another one. Undefined when
   * the server runs on another machine.
   */
  readonly localAddress: string | undefined;
};

/** What an attack did, by what: the number of its requests, packets or connections, and how they were answered. */
export type Figures = Readonly<Record<string, number>>;

export type Attack = {
  /** The name of its module. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly what: string;
  /** Attacks until the signal aborts; then it closes its connections and resolves within a few seconds. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<Figures>;
};
