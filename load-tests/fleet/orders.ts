// The messages between the bench and a process with clients.
import type { Coordinates } from '../../src/domain/geo/geo.ts';
import type { LoadResult } from '../pings/load.ts';

export type CourierClient = { readonly port: number; readonly token: string; readonly home: Coordinates };
export type ReaderClient = { readonly port: number; readonly token: string; readonly deliveryId: string };

/** A message to a process with clients. The next one follows after its answer. */
export type Order =
  | { readonly connect: { readonly couriers: readonly CourierClient[]; readonly readers: readonly ReaderClient[] } }
  | { readonly work: Work }
  | { readonly tell: true }
  | { readonly leave: true };

export type Work = {
  /** Pings of all couriers of the process together. */
  readonly pingsPerS: number;
  readonly seconds: number;
  /** The share of the connections that are closed and opened again in a minute, percent. */
  readonly churn: number;
};

/** The part of a delivery that a reader has: the number of its first snapshot, and how many events came after it. */
export type Seen = {
  readonly deliveryId: string;
  readonly base: number | null;
  readonly events: number;
  /** The time from each event to its arrival on a connection, ms. */
  readonly delaysMs: readonly number[];
};

export type Answer = {
  readonly worked?: LoadResult & { readonly reconnects: number };
  readonly seen?: readonly Seen[];
  readonly problem?: string;
};
