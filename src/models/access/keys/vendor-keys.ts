import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newId, type KeyId, type VendorId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Caller } from '../../../domain/access.ts';
import { randomBase62, toBase62 } from '../../secrets/base62.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { VENDOR_KEYS } from '../credential-shapes.ts';

type VendorCaller = Extract<Caller, { type: 'vendor' }>;

export type VendorKeys = {
  add(vendorId: VendorId, liveMode: boolean, at: number): Promise<{ id: KeyId; key: string }>;
  /** Refuses `unauthorized` for an unknown or revoked key. */
  read(key: string): Promise<VendorCaller>;
  /** Finds which of these keys have been revoked or removed. */
  listEnded(ids: readonly KeyId[]): Promise<KeyId[]>;
};

const RANDOM_LENGTH = 32;
const SUM_LENGTH = 6;
const KEY = /^dsk_(test|live)_[0-9A-Za-z]{38}$/;

/** The API keys of vendors. A key is shown once. The server stores only its hash, made with the pepper. */
export function createVendorKeys(mongo: Mongo, pepper: string): VendorKeys {
  const rows = mongo.collection(VENDOR_KEYS);
  const hash = (key: string): string => createHmac('sha256', pepper).update(key).digest('base64url');
  return {
    add: async (vendorId, liveMode, at) => {
      const prefix = liveMode ? 'dsk_live' : 'dsk_test';
      const body = `${prefix}_${randomBase62(RANDOM_LENGTH)}`;
      const key = body + checksum(body);
      const keyId = newId('key');
      const last4 = key.slice(-4);
      await rows.insertOne({
        _id: hash(key),
        keyId,
        vendorId,
        liveMode,
        prefix,
        last4,
        createdAt: at,
        revokedAt: null,
      });
      return { id: keyId, key };
    },
    read: async (key) => {
      const row = isWellFormed(key) ? await rows.findOne({ _id: hash(key), revokedAt: null }) : null;
      if (row === null) throw new Refusal('unauthorized');
      return { type: 'vendor', vendorId: row.vendorId, liveMode: row.liveMode, keyId: row.keyId };
    },
    listEnded: async (ids) => {
      const live = { keyId: { $in: [...ids] }, revokedAt: null };
      const found = await rows.find(live, { projection: { keyId: 1 } }).toArray();
      const known = new Set(found.map(({ keyId }) => keyId));
      return ids.filter((id) => !known.has(id));
    },
  };
}

/** Checks the format and the checksum, so that a mistyped or made-up key costs no database read. */
function isWellFormed(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -SUM_LENGTH)) === key.slice(-SUM_LENGTH);
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), SUM_LENGTH);
}
