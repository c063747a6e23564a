/** Credentials and signatures. */
import type { Caller, CredentialId, Scope, StaffRole } from '../domain/access.ts';
import type { AuditAction, AuditActor, AuditActorType, Audited, AuditEntry, AuditOrigin } from '../domain/audit.ts';
import type { CourierId, KeyId, SessionId, StaffId, VendorId } from '../domain/ids.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Stop } from './process.ts';
import type { Turn } from './requests.ts';

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly courierId: CourierId | null;
  readonly staffId: StaffId | null;
  /** The roles of the member of staff. Null for couriers. */
  readonly roles: readonly StaffRole[] | null;
};

export type Grant =
  | { readonly type: 'otp'; readonly phone: string; readonly code: string }
  | { readonly type: 'password'; readonly email: string; readonly password: string }
  | { readonly type: 'refresh_token'; readonly refreshToken: string };

/** The account whose sessions are meant: a courier, or staff by e-mail in lower case. */
export type AccountKey = { readonly courierId: CourierId } | { readonly email: string };

export type NewStaff = { readonly email: string; readonly password: string; readonly roles: readonly StaffRole[] };

/** The program that logs in, as it calls itself, and its network. */
export type LoginFrom = { readonly device: string | null; readonly network: string };

/** A login. Times are machine time in ms; the last use is the last refresh. */
export type SessionInfo = {
  readonly id: SessionId;
  readonly createdAt: number | null;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly device: string | null;
  readonly network: string | null;
};

/** A member of staff. `createdAt` is machine time in ms; null for an account that an earlier version made. */
export type StaffMember = {
  readonly id: StaffId;
  readonly email: string;
  readonly roles: readonly StaffRole[];
  readonly createdAt: number | null;
};

type Edited = StaffMember & { readonly endedSessions: number };

/**
 * The accounts of staff. Each change ends the sessions of its account. All refuse `staff_not_found` for an unknown id,
 * and `last_admin` if no admin would be left.
 */
export type StaffDirectory = {
  /**
   * Returns null if the e-mail has an account, which stays as it is.
   * @param id if an earlier try of the request has made this account, it is returned
   */
  add(staff: NewStaff, id?: StaffId): Promise<StaffMember | null>;
  get(id: StaffId): Promise<StaffMember>;
  /** Finds an account by its e-mail address, in whatever case. */
  find(email: string): Promise<StaffMember | null>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<StaffMember>>;
  setRoles(id: StaffId, roles: readonly StaffRole[]): Promise<Edited>;
  /** Sets the password for somebody else. */
  reset(id: StaffId, password: string): Promise<Edited>;
  /** Sets the own password. */
  setPassword(id: StaffId, password: string): Promise<Edited>;
  /** Sets password and roles by e-mail. Returns null if the e-mail has no account. */
  replace(staff: NewStaff): Promise<Edited | null>;
  remove(id: StaffId): Promise<void>;
  /**
   * Ends the sessions of a removed account, in case its removal was cut off before. Returns null if the e-mail has no
   * removed account.
   */
  endRemoved(email: string): Promise<StaffId | null>;
};

/** An API key of a vendor, without the key itself. Times are machine time in ms. */
export type ApiKey = {
  readonly id: KeyId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly name: string | null;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly createdBy: AuditActorType;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly replacedBy: KeyId | null;
  /** The version of the API for requests that name none. */
  readonly apiVersion: string;
};

export type NewApiKey = Pick<ApiKey, 'vendorId' | 'liveMode' | 'name' | 'scopes' | 'expiresAt'>;

/** The id and the entropy of a new key, the same for each try of a request. Without entropy the key is random. */
export type NewKey = { readonly id: KeyId; readonly entropy: Uint8Array | null };

/** A key and its only copy. */
export type MadeApiKey = { readonly apiKey: ApiKey; readonly key: string };

export type ApiKeys = {
  /** The keys of a vendor and mode, newest first. */
  list(vendorId: VendorId, liveMode: boolean, page: PageRequest): Promise<Page<ApiKey>>;
  find(id: KeyId): Promise<ApiKey | null>;
  /**
   * Refuses `too_many_api_keys`, also if many are made at once.
   * @param made if an earlier try of the request has made this key, it is returned
   */
  create(asked: NewApiKey, made?: NewKey): Promise<MadeApiKey>;
  /**
   * Makes a key with the same name and scopes. The old one ends after the overlap, ms of machine time. Refuses
   * `api_key_ended` for a key that has ended or was rotated before.
   * @param made as for `create`
   */
  rotate(before: ApiKey, overlapMs: number, made?: NewKey): Promise<MadeApiKey>;
  /** Ends a key and its connections. A key that has ended stays as it is. */
  revoke(before: ApiKey): Promise<void>;
};

export type Credentials = {
  /** Returns the caller of a vendor key or an access token; refuses `unauthorized` or `token_expired`. */
  authenticate(token: string): Promise<Caller>;
  /**
   * Sends a one-time code if a courier has this phone.
   * @param network the part of the caller's address that rate limits count by
   */
  requestOtp(phone: string, network: string): Promise<void>;
  /** @param device the program that logs in, as it calls itself */
  grant(grant: Grant, network: string, device?: string | null): Promise<Tokens>;
  /** Ends the session of this caller: its refresh family and its live access tokens. */
  logout(caller: Caller): Promise<void>;
  /** Makes a key with all scopes that does not expire. */
  addVendorKey(vendorId: VendorId, liveMode: boolean): Promise<{ id: KeyId; key: string }>;
  /** Adds a staff account. Returns null if the e-mail already has one, which then stays as it is. */
  addStaff(staff: NewStaff): Promise<StaffId | null>;
  /**
   * Sets password and roles of a staff account and ends all its sessions. Returns null if the e-mail has no account.
   */
  resetStaff(staff: NewStaff): Promise<{ staffId: StaffId; endedSessions: number } | null>;
  /**
   * Ends all sessions of a courier or staff member and returns their number.
   * @param entryOf the entry of the audit log for this number, stored together with the end of the sessions
   */
  endSessionsOf(account: AccountKey, entryOf?: (ended: number) => AuditEntry): Promise<number>;
  /** A random password. Equal entropy gives the same password. */
  newPassword(entropy?: Uint8Array | null): string;
  /** Refuses `unauthorized` if it is not the password of the account, and counts the try like a login. */
  checkPassword(email: string, password: string, network: string): Promise<void>;
  /** The account of a live session; null for an ended one. */
  accountOf(id: SessionId): Promise<AccountKey | null>;
  /** The live sessions of an account, newest first. There are at most `AUTH_MOST_SESSIONS`. */
  listSessions(account: AccountKey): Promise<readonly SessionInfo[]>;
  /** Ends these sessions, with their refresh tokens, access tokens and connections. */
  endSessions(ids: readonly SessionId[]): Promise<void>;
  /** Reports credentials that end in any process. Messages may get lost; `listEnded` returns the stored truth. */
  onEnded(listener: (ended: ReadonlySet<CredentialId>) => void): Stop;
  /** Those of the credentials that have ended, as stored. */
  listEnded(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>;
  /** A short token for an internal service, audience `internal`. */
  issueInternal(service: string, ttlS: number): Promise<string>;
};

/** Signs texts that callers send back to the server, such as page cursors. */
export type Signer = { sign(text: string): string; verify(text: string, mac: string): boolean };

/** Filters of the audit log; a missing one means all. `from` and `to` are machine time in ms, half-open. */
export type AuditFilter = {
  readonly actorId?: string;
  readonly action?: AuditAction;
  readonly objectId?: string;
  readonly vendorId?: VendorId;
  /** Entries of this mode, and those of both. */
  readonly liveMode?: boolean;
  readonly from?: number;
  readonly to?: number;
};

/** The stored log of actions. It only grows, and a chain of hashes shows later changes of it. */
export type AuditLog = {
  /** Runs work whose entries name this origin. Without it they name the system. */
  within<T>(origin: AuditOrigin, work: () => T): T;
  /** Runs a try of a request with an `Idempotency-Key`, which makes at most one edit. */
  withinTry<T>(turn: Pick<Turn, 'seed'>, work: () => T): T;
  /**
   * Makes an entry for the transaction of a change, such as an effect `audit`.
   * @param by the actor, if the change itself names one
   */
  draft(audited: Audited, by?: AuditActor | null): AuditEntry;
  /** The same for the edit of a request. In each try the entry has one id, which is how the next try knows the edit. */
  draftEdit(audited: Audited, by?: AuditActor | null): AuditEntry;
  /** Says whether a try of the request has stored its edit. Such a request answers with the object as it is now. */
  isEdited(): Promise<boolean>;
  /** Stores an entry. Resolves when a majority of the database has it. */
  record(audited: Audited): Promise<void>;
  /** Entries, newest first. */
  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /** Adds up to `limit` new entries to the chain. Returns their number. */
  seal(limit: number): Promise<number>;
};

/** Encrypts short personal texts for the database. */
export type Vault = {
  seal(text: string): string;
  /** Null if the text was encrypted with another key. */
  open(sealed: string): string | null;
  /** Four random digits. */
  randomPin(): string;
};

/** Keeps the work of a tenant apart from the rows of all others. */
export type Tenants = {
  /** Runs work in which the stores find and change only what belongs to the tenant. All other objects are absent. */
  within<T>(tenant: Tenant, work: () => Promise<T> | T): Promise<T>;
};

/** Members of the context that this file describes. */
export type AccessPorts = {
  readonly tenants: Tenants;
  readonly audit: AuditLog;
  readonly apiKeys: ApiKeys;
  readonly credentials: Credentials;
  readonly staff: StaffDirectory;
  readonly signer: Signer;
  readonly vault: Vault;
};
