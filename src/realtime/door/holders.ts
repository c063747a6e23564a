import { Refusal } from '../../domain/refusals.ts';
import type { Clock } from '../../ports.ts';
import type { Settings } from '../../settings.ts';
import type { SocketCaller } from '../sockets.ts';
import type { Connection } from './connection.ts';

/** Machine time over which joins are counted. */
const WINDOW_MS = 60_000;
/** Joins of one credential in a window, for each connection that it may have: each costs a replay. */
const JOINS_PER_CONNECTION = 10;

type Holder = { readonly connections: Set<Connection>; joins: number; windowFrom: number };

/** The connections of each credential on this process. */
export class Holders {
  readonly #limits: Settings['sockets'];
  readonly #clock: Clock;
  readonly #byCredential = new Map<string, Holder>();

  constructor(limits: Settings['sockets'], clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts the connection as one of this credential until it is closed. If a courier has too many, the oldest one is
   * closed, since a phone that has lost its network leaves one behind. Refuses `too_many_requests` to others who have as
   * many as they may and to a credential that joins too often, and `busy` when the connection has gone.
   */
  take(caller: SocketCaller, connection: Connection): void {
    if (!connection.isOpen) throw new Refusal('busy');
    const { key, most } = credentialOf(caller, this.#limits);
    const holder = this.#holderOf(key);
    if (holder.joins >= most * JOINS_PER_CONNECTION) {
      const leftMs = WINDOW_MS - (this.#clock.real.elapsed() - holder.windowFrom);
      throw new Refusal('too_many_requests', {
        detail: `This credential may join ${most * JOINS_PER_CONNECTION} times a minute.`,
        metadata: { retry_after_s: Math.ceil(leftMs / 1000) },
      });
    }
    if (!holder.connections.has(connection)) {
      if (holder.connections.size >= most) makeRoom(caller, holder, most);
      holder.connections.add(connection);
      connection.onClose(() => holder.connections.delete(connection));
    }
    holder.joins += 1;
  }

  /** Forgets credentials without a connection whose joins are long past. */
  sweep(): void {
    const before = this.#clock.real.elapsed() - WINDOW_MS;
    for (const [key, { connections, windowFrom }] of this.#byCredential) {
      if (connections.size === 0 && windowFrom < before) this.#byCredential.delete(key);
    }
  }

  #holderOf(key: string): Holder {
    const now = this.#clock.real.elapsed();
    const holder = this.#byCredential.get(key) ?? { connections: new Set(), joins: 0, windowFrom: now };
    if (now - holder.windowFrom >= WINDOW_MS) Object.assign(holder, { joins: 0, windowFrom: now });
    this.#byCredential.set(key, holder);
    return holder;
  }
}

function makeRoom(caller: SocketCaller, { connections }: Holder, most: number): void {
  const [oldest] = connections;
  if (caller.type !== 'courier' || oldest === undefined) {
    throw new Refusal('too_many_requests', { detail: `This credential may have ${most} connections at a time.` });
  }
  oldest.close('newer');
}

/** What a limit counts by, and how many connections it allows. */
function credentialOf(caller: SocketCaller, limits: Settings['sockets']): { key: string; most: number } {
  switch (caller.type) {
    case 'courier':
      return { key: caller.courierId, most: limits.perCourier };
    case 'staff':
      return { key: caller.staffId, most: limits.perStaff };
    case 'vendor':
      return { key: caller.keyId, most: limits.perVendorKey };
    case 'recipient':
      return { key: caller.linkId, most: limits.perLink };
  }
}
