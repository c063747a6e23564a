import type { Caller } from '../../../domain/access.ts';
import type { KeyId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { createFinds } from '../../../engines/together.ts';
import type { Clock } from '../../../ports/process.ts';
import { VENDOR_KEYS } from '../credential-shapes.ts';
import { createUseNotes } from './note-uses.ts';
import { aliveAt, apiKeyOf, hashKey, isAlive, isWellFormed } from './key-rows.ts';

type VendorCaller = Extract<Caller, { type: 'vendor' }>;

export type VendorKeys = {
  /** Refuses `unauthorized` for an unknown, revoked or expired key. */
  read(key: string): Promise<VendorCaller>;
  /** Notes that the key is used now. Each key is written at most once a minute, and nothing waits for it. */
  touch(id: KeyId): void;
  /** Finds which of these keys have been revoked or removed, or have expired. */
  listEnded(ids: readonly KeyId[]): Promise<KeyId[]>;
};

/** The API keys of vendors, as callers send them. The server stores only their hashes, made with the pepper. */
export function createVendorKeys(mongo: Mongo, pepper: string, { real }: Pick<Clock, 'real'>): VendorKeys {
  const rows = mongo.collection(VENDOR_KEYS);
  const find = createFinds({ real })(rows);
  return {
    read: async (key) => {
      const row = isWellFormed(key) ? await find(hashKey(pepper, key)) : null;
      if (row === null || !isAlive(row, real.now())) throw new Refusal('unauthorized');
      const { id: keyId, vendorId, liveMode, scopes, expiresAt, apiVersion } = apiKeyOf(row);
      return { type: 'vendor', vendorId, liveMode, keyId, scopes, expiresAt, apiVersion };
    },
    touch: createUseNotes(rows, { real }),
    listEnded: async (ids) => {
      const live = { keyId: { $in: [...ids] }, ...aliveAt(real.now()) };
      const found = await rows.find(live, { projection: { keyId: 1 } }).toArray();
      const known = new Set(found.map(({ keyId }) => keyId));
      return ids.filter((id) => !known.has(id));
    },
  };
}
