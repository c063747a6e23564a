import { hash, verify } from '@node-rs/argon2';
import type { StaffRole } from '../../../domain/access.ts';
import { newId, type StaffId } from '../../../domain/ids.ts';
import type { NewStaff } from '../../../ports/access.ts';
import type { Clock } from '../../../ports/process.ts';
import { createHashQueue } from './hash-queue.ts';
import { isDuplicateKey, type Mongo } from '../../../engines/mongo.ts';
import { STAFF, type StaffRow } from '../credential-shapes.ts';

export type Account = {
  readonly email: string;
  readonly staffId: StaffId;
  readonly roles: readonly StaffRole[];
  readonly resets: number;
};

/** The queue and the address in whose turn a password is checked. */
type From = { readonly network: string; readonly isKnown: boolean };

export type StaffAccounts = {
  /** Adds an account. Returns null if the e-mail already has one, which stays unchanged. */
  add(staff: NewStaff): Promise<Account | null>;
  /** Sets password and roles of the account with this e-mail. Returns null if it does not exist. */
  reset(staff: NewStaff): Promise<Account | null>;
  /** Returns the account if e-mail and password are right, else null. An unknown e-mail takes the same time. */
  check(email: string, password: string, from: From): Promise<Account | null>;
  find(email: string): Promise<Account | null>;
};

/** Staff and their passwords, hashed with argon2id. */
export function createStaffAccounts(mongo: Mongo, clock: Clock): StaffAccounts {
  const records = mongo.records(STAFF);
  // Any caller can try to log in, so reads skip the model.
  const rows = mongo.collection(STAFF);
  const nobody = hash('the password of nobody');
  // Unknown addresses can fill their queue. Callers from a known address do not wait in it.
  const queues = { known: createHashQueue(clock), strangers: createHashQueue(clock) };
  return {
    add: async ({ email, password, roles }) => {
      const row = {
        _id: normalized(email),
        staffId: newId('stf'),
        passwordHash: await hash(password),
        roles,
        resets: 0,
      };
      try {
        await records.insert(row);
        return accountOf(row);
      } catch (error) {
        // The e-mail already has an account. Any other error is a fault.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    reset: async ({ email, password, roles }) => {
      const row = await records.change(
        { _id: normalized(email) },
        { $set: { passwordHash: await hash(password), roles }, $inc: { resets: 1 } },
      );
      return row === null ? null : accountOf(row);
    },
    check: async (email, password, { network, isKnown }) => {
      const row = await rows.findOne({ _id: normalized(email) });
      const queue = isKnown ? queues.known : queues.strangers;
      const isRight = await queue(network, async () => verify(row?.passwordHash ?? (await nobody), password));
      return row !== null && isRight ? accountOf(row) : null;
    },
    find: async (email) => {
      const row = await rows.findOne({ _id: email });
      return row === null ? null : accountOf(row);
    },
  };
}

function normalized(email: string): string {
  return email.trim().toLowerCase();
}

function accountOf({ _id, staffId, roles, resets = 0 }: StaffRow): Account {
  return { email: _id, staffId, roles, resets };
}
