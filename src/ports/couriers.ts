/** Couriers, as stored. */
import type { Availability, Courier, CourierState } from '../domain/couriers/courier.ts';
import type { CourierId, DeliveryId } from '../domain/ids.ts';

export type CourierStore = {
  get(id: CourierId): Promise<Courier>;
  find(id: CourierId): Promise<Courier | null>;
  findMany(ids: readonly CourierId[]): Promise<readonly Courier[]>;
  findByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  /** Adds a courier. Returns false if another courier has the phone in this mode. */
  add(courier: Courier): Promise<boolean>;
  /** Both check the version and return null if it is stale. A courier who is no longer active also goes offline. */
  setState(id: CourierId, version: number, state: CourierState): Promise<Courier | null>;
  setAvailability(id: CourierId, version: number, availability: Availability, at: number): Promise<Courier | null>;
  listOnline(ids: readonly CourierId[]): Promise<readonly Courier[]>;
};

/** The traits that separate couriers before anybody looks at one of them. */
export type CourierKind = Pick<Courier, 'liveMode' | 'kind' | 'vehicleType'>;

/**
 * The couriers who are online, in this process's memory. It is at most a little old. A plan made with it may fail when
 * it is written, because the write decides.
 */
export type Roster = {
  /**
   * Brings the roster up to date. Afterwards it knows everything that this process wrote before the call, and the news
   * of other processes.
   */
  refresh(): Promise<void>;
  /** A courier who is online, as last read; null for any other. */
  find(id: CourierId): Courier | null;
  /** The courier among them who has the delivery. */
  courierOf(id: DeliveryId): CourierId | null;
  /** All couriers of this mode, kind and vehicle. */
  ofKind(kind: CourierKind): ReadonlySet<CourierId>;
};

/** Members of the context that this file describes. */
export type CourierPorts = {
  readonly couriers: CourierStore;
  readonly roster: Roster;
};
