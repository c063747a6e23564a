import { verify } from '@node-rs/argon2';
import type { StaffRole } from '../../../domain/access.ts';
import type { StaffId } from '../../../domain/ids.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import type { Clock } from '../../../ports/process.ts';
import { STAFF, type StaffRow } from '../credential-shapes.ts';
import { createHashQueue } from './hash-queue.ts';

export type Account = {
  readonly email: string;
  readonly staffId: StaffId;
  readonly roles: readonly StaffRole[];
  readonly resets: number;
};

/** The queue and the address in whose turn a password is checked. */
type From = { readonly network: string; readonly isKnown: boolean };

export type StaffAccounts = {
  /** Returns the account if e-mail and password are right, else null. An unknown e-mail takes the same time. */
  check(email: string, password: string, from: From): Promise<Account | null>;
  find(email: string): Promise<Account | null>;
};

/** The hash of a lost password. To compare a password with it costs as much as with the hash of an account. */
export const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$brPWMrD7K03ChSGsA0trCg$pvnU8Vjhg85gabyG0L3Sn5T8VH2XIx7qW4TqMZbx7JA';

/** Staff and their passwords, hashed with argon2id. A removed account has no password and cannot be found. */
export function createStaffAccounts(mongo: Mongo, clock: Clock): StaffAccounts {
  // Any caller can try to log in, so reads skip the model.
  const rows = mongo.collection(STAFF);
  // Unknown addresses can fill their queue. Callers from a known address do not wait in it.
  const queues = { known: createHashQueue(clock), strangers: createHashQueue(clock) };
  const find = async (email: string): Promise<StaffRow | null> => {
    const row = await rows.findOne({ _id: normalized(email) });
    return row === null || row.removedAt !== undefined ? null : row;
  };
  return {
    check: async (email, password, { network, isKnown }) => {
      const row = await find(email);
      const queue = isKnown ? queues.known : queues.strangers;
      const isRight = await queue(network, () => verify(row?.passwordHash ?? NOBODY, password));
      return row !== null && isRight ? accountOf(row) : null;
    },
    find: async (email) => {
      const row = await find(email);
      return row === null ? null : accountOf(row);
    },
  };
}

/** The form of an e-mail address by which accounts are found. */
export function normalized(email: string): string {
  return email.trim().toLowerCase();
}

function accountOf({ _id, staffId, roles, resets = 0 }: StaffRow): Account {
  return { email: _id, staffId, roles, resets };
}
