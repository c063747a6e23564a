/** Credentials, and what signs. */
import type { Caller, CredentialId, StaffRole } from '../domain/access.ts';
import type { CourierId, KeyId, StaffId, VendorId } from '../domain/ids.ts';
import type { Stop } from './process.ts';

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly courierId: CourierId | null;
  readonly staffId: StaffId | null;
};

export type Grant =
  | { readonly type: 'otp'; readonly phone: string; readonly code: string }
  | { readonly type: 'password'; readonly email: string; readonly password: string }
  | { readonly type: 'refresh_token'; readonly refreshToken: string };

/** Whose sessions they are: staff by e-mail, in lower case. */
export type AccountKey = { readonly courierId: CourierId } | { readonly email: string };

export type NewStaff = { readonly email: string; readonly password: string; readonly roles: readonly StaffRole[] };

export type Credentials = {
  /** A vendor key or an access token to its caller; refuses `unauthorized` or `token_expired`. */
  authenticate(token: string): Promise<Caller>;
  /** Sends a one-time code, if a courier has the phone. @param network what limits count the caller's address by */
  requestOtp(phone: string, network: string): Promise<void>;
  grant(grant: Grant, network: string): Promise<Tokens>;
  /** Ends the session of this caller: its refresh family and its live access tokens. */
  logout(caller: Caller): Promise<void>;
  addVendorKey(vendorId: VendorId, liveMode: boolean): Promise<{ id: KeyId; key: string }>;
  /** Adds an account of staff; null if the e-mail has one, which stays as it is. */
  addStaff(staff: NewStaff): Promise<StaffId | null>;
  /** Sets password and roles of an account of staff and ends all its sessions; null if the e-mail has none. */
  resetStaff(staff: NewStaff): Promise<{ staffId: StaffId; endedSessions: number } | null>;
  /** Ends all sessions of a courier or staff member. */
  endSessionsOf(account: AccountKey): Promise<void>;
  /** Hears which credentials end, in whatever process. A loss of messages is possible: `listEnded` knows them all. */
  onEnded(listener: (ended: ReadonlySet<CredentialId>) => void): Stop;
  /** Those of the credentials that have ended, as stored. */
  listEnded(ids: readonly CredentialId[]): Promise<ReadonlySet<CredentialId>>;
  /** A short token for an internal service, audience `internal`. */
  issueInternal(service: string, ttlS: number): Promise<string>;
};

/** Signs what callers carry back to us, such as page cursors. */
export type Signer = { sign(text: string): string; verify(text: string, mac: string): boolean };
