/** Couriers, as stored. */
import type { Availability, Courier, CourierState } from '../domain/couriers/courier.ts';
import type { Device } from '../domain/couriers/device.ts';
import type { CourierId, DeliveryId, DeviceId, SessionId } from '../domain/ids.ts';

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

/** The phones that pushes can wake. */
export type DeviceStore = {
  /** Registers a token, also if another courier had it, and removes devices above the limit. The id of a known one stays. */
  register(device: Device): Promise<Device>;
  /** The devices of a courier, the last registered first. */
  listOf(courierId: CourierId): Promise<readonly Device[]>;
  /** Returns false if the courier does not have this device. */
  remove(courierId: CourierId, id: DeviceId): Promise<boolean>;
  removeOfSessions(ids: readonly SessionId[]): Promise<void>;
};

/** Members of the context that this file describes. */
export type CourierPorts = {
  readonly couriers: CourierStore;
  readonly roster: Roster;
  readonly devices: DeviceStore;
};
