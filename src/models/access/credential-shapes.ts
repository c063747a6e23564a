import { SCOPES, STAFF_ROLES, type Scope, type StaffRole } from '../../domain/access.ts';
import { AUDITED_ACTORS, type AuditActorType } from '../../domain/audit.ts';
import type { CourierId, KeyId, SessionId, StaffId, VendorId } from '../../domain/ids.ts';
import { ENDING } from '../../engines/retention.ts';
import {
  date,
  either,
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
} from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { OWNED } from '../common-fields.ts';

/** `_id` is the key's hash. Times are machine time in ms. */
export type KeyRow = {
  readonly _id: string;
  readonly keyId: KeyId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly createdBy?: AuditActorType;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly replacedBy?: KeyId;
  readonly apiVersion?: string;
  readonly endsOn?: Date;
};

/** `resets` counts how often the password was reset. A session that began before the last reset has ended. */
export type StaffRow = {
  readonly _id: string;
  readonly staffId: StaffId;
  readonly passwordHash: string;
  readonly roles: readonly StaffRole[];
  readonly resets?: number;
  readonly createdAt?: number;
  /** Present if the account was removed. Its e-mail may get a new one. */
  readonly removedAt?: number;
};

type CourierHolder = { readonly type: 'courier'; readonly courierId: CourierId; readonly liveMode: boolean };
type StaffHolder = { readonly type: 'staff'; readonly email: string; readonly resets: number };
/** The owner of a session. Staff are found by e-mail. `resets` counts the password resets before the session. */
export type Holder = CourierHolder | StaffHolder;

/** The family of refresh tokens of one login. Times are machine time in ms. */
export type SessionRow = {
  readonly _id: SessionId;
  readonly holder: Holder;
  /** The number of the newest refresh token. */
  readonly counter: number;
  readonly rotatedAt: number;
  readonly revokedAt: number | null;
  /** When the session ends, however often it is refreshed. */
  readonly mostOn: Date;
  /** When the row is no longer needed. */
  readonly endsOn: Date;
  readonly createdAt?: number;
  /** The program that logged in, as it calls itself. */
  readonly device?: string;
  /** The network from which it logged in. */
  readonly network?: string;
};

/** The newest code of a phone. Times are machine time. */
export type CodeRow = {
  readonly _id: string;
  readonly hash: string;
  readonly tries: number;
  readonly knownTries: number;
  readonly endsOn: Date;
};

export const VENDOR_KEYS = shape<KeyRow>({
  name: 'vendor_keys',
  holds: 'An API key of a vendor. The key itself is not stored.',
  kept: 'Until 90 days after its end. If the vendor has made 1,000 newer keys in the mode, an ended one is deleted earlier.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, keys: ['_id', 'keyId'] },
  indexes: [
    { key: { keyId: 1 } },
    { key: { vendorId: 1, liveMode: 1, createdAt: -1, keyId: -1 } },
    // Counts the keys that have not ended.
    { key: { vendorId: 1, liveMode: 1, revokedAt: 1, expiresAt: 1 } },
    ENDING,
  ],
  fields: {
    _id: text('Hash of the key, made with the pepper.'),
    keyId: id('key', 'The key’s id.'),
    vendorId: id('ven', 'The vendor.'),
    liveMode: flag('False for a key of test mode.'),
    prefix: text('How the key begins.'),
    last4: text('The last four characters of the key, by which people distinguish keys.'),
    createdAt: number('When the key was made, machine time in ms.'),
    revokedAt: maybe(number('When the key was revoked, machine time in ms.')),
    name: omissible(text('The vendor’s own name for the key.')),
    scopes: omissible(
      list(oneOf(SCOPES, 'A scope.'), 'The rights of the key. A key that an earlier version made may do everything.'),
    ),
    createdBy: omissible(oneOf(AUDITED_ACTORS, 'The kind of actor that made the key.')),
    expiresAt: omissible(number('When the key ends by itself, machine time in ms.')),
    lastUsedAt: omissible(number('When the key was last used, machine time in ms. It is written once a minute.')),
    replacedBy: omissible(id('key', 'The key that replaced it.')),
    apiVersion: omissible(
      text('Version of the API for requests that name none; left out by keys from before there was a second one.'),
    ),
    endsOn: omissible(date('When the database may delete the key; left out while it has no end.')),
  },
});

export const STAFF = shape<StaffRow>({
  name: 'staff',
  holds: 'An account of a member of staff.',
  kept: 'Always. A removed account keeps its e-mail and nothing else.',
  shardKey: null,
  indexes: [{ key: { staffId: -1 } }, { key: { roles: 1 } }],
  fields: {
    _id: text('The e-mail address in lower case.'),
    staffId: id('stf', 'The account’s id.'),
    passwordHash: text('The password, hashed with argon2id.'),
    roles: list(oneOf(STAFF_ROLES, 'A role.'), 'The roles, which decide what the account may do.'),
    resets: omissible(number('How often the password was reset. A session from before the last reset has ended.')),
    createdAt: omissible(number('When the account was made, machine time in ms.')),
    removedAt: omissible(number('When the account was removed, machine time in ms.')),
  },
});

export const SESSIONS = shape<SessionRow>({
  name: 'sessions',
  holds: 'One login: the family of its refresh tokens.',
  kept: 'Until the session has ended and its access tokens have expired.',
  shardKey: { _id: 'hashed' },
  indexes: [
    ENDING,
    // `revokedAt` keeps live sessions apart from ended ones, of which a holder may have many.
    { key: { 'holder.courierId': 1, revokedAt: 1, _id: -1 } },
    { key: { 'holder.email': 1, revokedAt: 1, _id: -1 } },
  ],
  before: { lacks: ['mostOn', 'holder.resets'] },
  fields: {
    _id: id('ses', 'The session’s id.'),
    holder: either(
      [
        part<CourierHolder>(
          {
            type: oneOf(['courier'], 'A courier.'),
            courierId: id('cou', 'The courier’s id.'),
            liveMode: flag('The courier’s mode.'),
          },
          'A courier.',
        ),
        part<StaffHolder>(
          {
            type: oneOf(['staff'], 'A member of staff.'),
            email: text('Their e-mail address.'),
            resets: number('How often their password had been reset at the login.'),
          },
          'A member of staff.',
        ),
      ],
      'The owner of the session.',
    ),
    counter: number('The number of the newest refresh token.'),
    rotatedAt: number('When that token was made, machine time in ms.'),
    revokedAt: maybe(number('When the session ended before its time, machine time in ms.')),
    mostOn: date('When the session ends, however often it is refreshed.'),
    endsOn: date('When the database may delete the session.'),
    createdAt: omissible(number('When the login was, machine time in ms.')),
    device: omissible(text('The program that logged in, as it calls itself.')),
    network: omissible(text('The network from which it logged in.')),
  },
});

export const ONE_TIME_CODES = shape<CodeRow>({
  name: 'one_time_codes',
  holds: 'The newest one-time code of a phone.',
  kept: '`AUTH_OTP_TTL_S`.',
  shardKey: { _id: 'hashed' },
  indexes: [ENDING],
  before: { lacks: ['knownTries'] },
  fields: {
    _id: text('Hash of the phone number.'),
    hash: text('Hash of the phone number and the code.'),
    tries: number('How often the code was tried from addresses that are new to the phone’s owner.'),
    knownTries: number('How often it was tried from addresses where the owner had logged in lately.'),
    endsOn: date('When the code expires, and the database may delete it.'),
  },
});
