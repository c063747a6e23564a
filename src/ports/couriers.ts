/** Couriers, as stored. */
import type { Availability, Courier, CourierState } from '../domain/couriers/courier.ts';
import type { CourierId, DeliveryId } from '../domain/ids.ts';

export type CourierStore = {
  get(id: CourierId): Promise<Courier>;
  find(id: CourierId): Promise<Courier | null>;
  findMany(ids: readonly CourierId[]): Promise<readonly Courier[]>;
  findByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  /** Adds a courier; false when the phone is taken in this mode. */
  add(courier: Courier): Promise<boolean>;
  /** Both conditional on the version; null when stale. Who is no longer active goes offline with it. */
  setState(id: CourierId, version: number, state: CourierState): Promise<Courier | null>;
  setAvailability(id: CourierId, version: number, availability: Availability, at: number): Promise<Courier | null>;
  listOnline(ids: readonly CourierId[]): Promise<readonly Courier[]>;
};

/** What couriers are told apart by before anybody looks at them. */
export type CourierKind = Pick<Courier, 'liveMode' | 'kind' | 'vehicleType'>;

/**
 * The couriers who are online, in this process's memory: a little old at worst, so what is planned with it may fail when
 * it is written, which is where it is decided.
 */
export type Roster = {
  /** Brings it up to date. What this process wrote before the call is known after it, as is what others told meanwhile. */
  refresh(): Promise<void>;
  /** A courier who is online, as last read; null for any other. */
  find(id: CourierId): Courier | null;
  /** Who of them holds the delivery. */
  holderOf(id: DeliveryId): CourierId | null;
  /** All of them of this mode, kind and vehicle. */
  ofKind(kind: CourierKind): ReadonlySet<CourierId>;
};
