import type { Caller } from '../../../domain/access.ts';
import type { KeyId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { createFinds } from '../../../engines/together.ts';
import type { Clock } from '../../../ports/process.ts';
import { VENDOR_KEYS } from '../credential-shapes.ts';
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

/** Machine time between two writes of the last use of a key. */
const TOUCH_MS = 60_000;
/** Most keys whose last write a process remembers. The oldest are forgotten first. */
const MOST_TOUCHED = 10_000;

/** The API keys of vendors, as callers send them. The server stores only their hashes, made with the pepper. */
export function createVendorKeys(mongo: Mongo, pepper: string, { real }: Pick<Clock, 'real'>): VendorKeys {
  const rows = mongo.collection(VENDOR_KEYS);
  const find = createFinds({ real }, rows);
  const touchedAt = new Map<KeyId, number>();
  return {
    read: async (key) => {
      const row = isWellFormed(key) ? await find(hashKey(pepper, key)) : null;
      if (row === null || !isAlive(row, real.now())) throw new Refusal('unauthorized');
      const { id: keyId, vendorId, liveMode, scopes, expiresAt, apiVersion } = apiKeyOf(row);
      return { type: 'vendor', vendorId, liveMode, keyId, scopes, expiresAt, apiVersion };
    },
    touch: (id) => {
      const now = real.now();
      if (now - (touchedAt.get(id) ?? -Infinity) < TOUCH_MS) return;
      touchedAt.delete(id);
      touchedAt.set(id, now);
      for (const oldest of touchedAt.keys()) {
        if (touchedAt.size <= MOST_TOUCHED) break;
        touchedAt.delete(oldest);
      }
      // Another process may have written it in this minute. If the database is away, a later use is written.
      const isOld = { $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lte: now - TOUCH_MS } }] };
      const use = { $set: { lastUsedAt: now } };
      void rows.updateOne({ keyId: id, ...isOld }, use, { writeConcern: { w: 1 } }).catch(() => touchedAt.delete(id));
    },
    listEnded: async (ids) => {
      const live = { keyId: { $in: [...ids] }, ...aliveAt(real.now()) };
      const found = await rows.find(live, { projection: { keyId: 1 } }).toArray();
      const known = new Set(found.map(({ keyId }) => keyId));
      return ids.filter((id) => !known.has(id));
    },
  };
}
