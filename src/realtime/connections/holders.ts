import { accountOf } from '../../domain/access.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import { DueTimes } from '../../work/sets/due-times.ts';
import type { SocketCaller } from '../sockets.ts';
import type { Connection } from './connection.ts';
import { counted } from '../../domain/refusals/shown-text.ts';

/** Least joins that a holder may make at once. Otherwise it may join once for each connection that it may have. */
const LEAST_JOINS_AT_ONCE = 10;
/** Further joins in a minute, for each connection that the holder may have. They are limited because each costs a replay. */
const JOINS_PER_MINUTE = 4;
const MINUTE_MS = 60_000;
/** After this time a holder may again make all its joins at once. */
const FORGET_MS = 2 * MINUTE_MS;

type Holder = { readonly connections: Set<Connection>; joins: number; countedAt: number };
/** The key of a holder, and the connections that it may have. */
type Allowance = { readonly key: string; readonly most: number };

/** The connections on this process of each account and each tracking link. */
export class Holders {
  readonly #limits: Settings['sockets'];
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Holder>();
  /** A holder that still has connections then is not forgotten, and gets a new time when one of them closes. */
  readonly #forgetAt: DueTimes<string>;

  constructor(limits: Settings['sockets'], clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#forgetAt = new DueTimes(clock.real.elapsed());
  }

  /**
   * Counts the connection for its holder until it is closed. If a courier has too many connections, the oldest is
   * closed, because a phone that lost its network leaves one behind. Refuses `too_many_requests` if another caller has
   * too many connections or joins too often. Refuses `busy` if the connection is closed.
   */
  take(caller: SocketCaller, connection: Connection): void {
    if (!connection.isOpen) throw new Refusal('busy');
    const allowance = allowanceOf(caller, this.#limits);
    const { most } = allowance;
    const holder = this.#holderOf(allowance);
    if (holder.joins < 1) {
      const waitMs = ((1 - holder.joins) * MINUTE_MS) / (most * JOINS_PER_MINUTE);
      throw new Refusal('too_many_requests', {
        detail: `This caller may join ${counted(most * JOINS_PER_MINUTE, 'time')} a minute.`,
        metadata: { retry_after_s: Math.ceil(waitMs / 1000) },
      });
    }
    if (!holder.connections.has(connection)) {
      if (holder.connections.size >= most) makeRoom(caller, holder, most);
      holder.connections.add(connection);
      connection.onClose(() => this.#leave(allowance.key, holder, connection));
    }
    holder.joins -= 1;
  }

  /** Forgets holders without connections whose joins have all come back. */
  sweep(): void {
    for (const key of this.#forgetAt.take(this.#clock.real.elapsed())) {
      if (this.#byKey.get(key)?.connections.size === 0) this.#byKey.delete(key);
    }
  }

  #leave(key: string, { connections }: Holder, connection: Connection): void {
    connections.delete(connection);
    this.#forgetAt.set(key, this.#clock.real.elapsed() + FORGET_MS);
  }

  /** The entry of a holder, with the joins that it may make now. */
  #holderOf({ key, most }: Allowance): Holder {
    const now = this.#clock.real.elapsed();
    const atOnce = Math.max(LEAST_JOINS_AT_ONCE, most);
    const holder = this.#byKey.get(key) ?? { connections: new Set(), joins: atOnce, countedAt: now };
    const gained = ((now - holder.countedAt) / MINUTE_MS) * most * JOINS_PER_MINUTE;
    holder.joins = Math.min(atOnce, holder.joins + gained);
    holder.countedAt = now;
    this.#byKey.set(key, holder);
    this.#forgetAt.set(key, now + FORGET_MS);
    return holder;
  }
}

function makeRoom(caller: SocketCaller, { connections }: Holder, most: number): void {
  const [oldest] = connections;
  if (caller.type !== 'courier' || oldest === undefined) {
    throw new Refusal('too_many_requests', {
      detail: `This caller may have ${counted(most, 'connection')} at a time.`,
    });
  }
  oldest.close('newer');
}

/** The key by which connections are counted, and how many are allowed. All API keys of a vendor and mode count together. */
function allowanceOf(caller: SocketCaller, limits: Settings['sockets']): Allowance {
  switch (caller.type) {
    case 'courier':
      return { key: caller.courierId, most: limits.perCourier };
    case 'staff':
      return { key: caller.staffId, most: limits.perStaff };
    case 'vendor':
      return { key: accountOf(caller), most: limits.perVendor };
    case 'recipient':
      return { key: caller.linkId, most: limits.perLink };
  }
}
