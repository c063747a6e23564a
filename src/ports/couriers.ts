/** Couriers, as stored. */
import type { Availability, Courier, Standing } from '../domain/couriers/courier.ts';
import type { BankAccount } from '../domain/couriers/bank-account.ts';
import type { Device } from '../domain/couriers/device.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { CourierDocument, DocumentStatus } from '../domain/couriers/document.ts';
import type { CourierId, DeliveryId, DeviceId, DocumentId, SessionId } from '../domain/ids.ts';
import type { Page, PageRequest } from './pages.ts';

/** Which couriers a list has. `search`: an id, whole words of a name, or last digits of a phone. */
export type CourierFilter = Partial<Pick<Courier, 'liveMode' | 'state' | 'availability' | 'vehicleType'>> & {
  readonly search?: string;
};

/** A courier as a writer has read them. */
type Versioned = Pick<Courier, 'id' | 'version'>;

export type CourierStore = {
  get(id: CourierId): Promise<Courier>;
  find(id: CourierId): Promise<Courier | null>;
  findMany(ids: readonly CourierId[]): Promise<readonly Courier[]>;
  findByPhone(phone: string, liveMode: boolean): Promise<Courier | null>;
  /**
   * Adds a courier. Returns false if another courier has the phone in this mode. Each change of a courier is stored
   * together with its entry of the audit log, or neither is. Only what nobody audits has none.
   */
  add(courier: Courier, entry: AuditEntry | null): Promise<boolean>;
  /** Both return null if the courier no longer has this version. */
  setStanding(courier: Versioned, standing: Standing, entry: AuditEntry): Promise<Courier | null>;
  setAvailability(
    courier: Versioned,
    availability: Availability,
    at: number,
    entry: AuditEntry | null,
  ): Promise<Courier | null>;
  /**
   * Writes the profile `after` if the courier still has the version of `before`. `taken` means that another courier of
   * the mode has the new phone.
   */
  update(before: Courier, after: Courier, entry: AuditEntry | null): Promise<'done' | 'stale' | 'taken'>;
  /** The couriers who are persons, newest first. A page of a search may have fewer items than its limit. */
  list(filter: CourierFilter, page: PageRequest): Promise<Page<Courier>>;
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
   * of other processes. At the first call it begins to read everybody, and does not wait for that.
   */
  refresh(): Promise<void>;
  /** Says whether it knows everybody. Until then it knows some, and those asked for. */
  isWhole(): boolean;
  /** Reads those of these couriers whom it does not know yet. */
  know(ids: readonly CourierId[]): Promise<void>;
  /** A courier who is online, as last read; null for any other. */
  find(id: CourierId): Courier | null;
  /** The courier among them who has the delivery. */
  courierOf(id: DeliveryId): CourierId | null;
  /** All couriers whom it knows of this mode, kind and vehicle. */
  ofKind(kind: CourierKind): ReadonlySet<CourierId>;
};

/** The phones that pushes can wake. */
export type DeviceStore = {
  /** Registers a token, also if another courier had it, and removes devices above the limit. The id of a known one stays. */
  register(device: Device): Promise<Device>;
  /** The devices of a courier, the last registered first. */
  listOf(courierId: CourierId): Promise<readonly Device[]>;
  /**
   * Removes a device together with its entry of the audit log; null for none. Returns false, and stores no entry, if the
   * courier does not have this device.
   */
  remove(courierId: CourierId, id: DeviceId, entry: AuditEntry | null): Promise<boolean>;
  removeOfSessions(ids: readonly SessionId[]): Promise<void>;
};

/** Which documents a reviewer asks for. */
export type DocumentFilter = { readonly statuses: readonly DocumentStatus[]; readonly liveMode?: boolean };

/**
 * When the server must look at a document again, service time in ms; null: never. The database deletes it after
 * `keptMs`, if that is given.
 */
export type DocumentDue = { readonly dueAt: number | null; readonly keptMs?: number };

/** Documents of couriers. */
export type DocumentStore = {
  find(id: DocumentId): Promise<CourierDocument | null>;
  /**
   * Adds a document that is due at once. Open documents of the same courier and type are rejected as replaced, and are
   * due too. Its file is kept from then on. A retry leaves the document that its first try has stored.
   * @param entry stored with the document; null if couriers add it themselves
   */
  add(document: CourierDocument, entry: AuditEntry | null): Promise<void>;
  /** Writes the next version of a document, due at this time, with its audit entry. Returns false if it is stale. */
  replace(next: CourierDocument, dueAt: number, entry: AuditEntry): Promise<boolean>;
  /** Says when this version of the document is due next. Returns false, and does nothing, if there is a newer version. */
  putOff(document: CourierDocument, due: DocumentDue): Promise<boolean>;
  /** Notes when the courier was warned about this version. */
  markWarned(document: CourierDocument, at: number): Promise<void>;
  /** Newest first. */
  listOf(courierId: CourierId, page: PageRequest): Promise<Page<CourierDocument>>;
  /** The approved documents of a courier: of each type the one that is valid longest, which follows all others. */
  listApproved(courierId: CourierId): Promise<readonly CourierDocument[]>;
  /** How many documents the courier has added since then; `most` if there are more. */
  countSince(courierId: CourierId, since: number, most: number): Promise<number>;
  /** Oldest first, so that nobody waits forever. */
  listQueue(filter: DocumentFilter, page: PageRequest): Promise<Page<CourierDocument>>;
  /** Documents that are due, longest due first. */
  listDue(before: number, limit: number): Promise<readonly CourierDocument[]>;
};

/** The bank accounts of couriers, at most one each. */
export type BankAccountStore = {
  /** As a majority of the database has it. */
  find(courierId: CourierId): Promise<BankAccount | null>;
  /** The accounts that these couriers have, in any order. */
  findMany(courierIds: readonly CourierId[]): Promise<readonly BankAccount[]>;
  /** Writes the next version with its audit entry. Returns false if it is stale. */
  put(account: BankAccount, entry: AuditEntry): Promise<boolean>;
  /** The accounts of a mode for this currency, in the order of their couriers, those after a courier. */
  list(
    of: Pick<BankAccount, 'liveMode' | 'currency'> & { readonly after: CourierId | null },
    limit: number,
  ): Promise<readonly BankAccount[]>;
};

/** Members of the context that this file describes. */
export type CourierPorts = {
  readonly bankAccounts: BankAccountStore;
  readonly couriers: CourierStore;
  readonly roster: Roster;
  readonly devices: DeviceStore;
  readonly documents: DocumentStore;
};
