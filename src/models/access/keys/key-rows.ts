import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SCOPES } from '../../../domain/access.ts';
import type { ApiKey } from '../../../ports/access.ts';
import { randomBase62, toBase62 } from '../../../engines/base62.ts';
import type { KeyRow } from '../credential-shapes.ts';

const RANDOM_LENGTH = 32;
const PASSWORD_LENGTH = 24;
const SUM_LENGTH = 6;
const KEY = /^dsk_(test|live)_[0-9A-Za-z]{38}$/;

/** A new key and its prefix. It is random, unless entropy is given: then equal entropy gives the same key. */
export function newKey(
  liveMode: boolean,
  entropy: Uint8Array | null,
): { readonly key: string; readonly prefix: string } {
  const prefix = liveMode ? 'dsk_live' : 'dsk_test';
  const body = `${prefix}_${randomBase62(RANDOM_LENGTH, entropy)}`;
  return { key: body + checksum(body), prefix };
}

/** A random password of about 140 bits. Equal entropy gives the same password. */
export function newPassword(entropy: Uint8Array | null = null): string {
  return randomBase62(PASSWORD_LENGTH, entropy);
}

/** The hash by which a key is stored and found. */
export function hashKey(pepper: string, key: string): string {
  return createHmac('sha256', pepper).update(key).digest('base64url');
}

/** Checks the format and the checksum, so that a mistyped or made-up key costs no database read. */
export function isWellFormed(key: string): boolean {
  return KEY.test(key) && checksum(key.slice(0, -SUM_LENGTH)) === key.slice(-SUM_LENGTH);
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), SUM_LENGTH);
}

/** The version of keys that were made before keys had one. */
const FIRST_API_VERSION = '2026-11-22';

/** The key of a row. A key that an earlier version made has all scopes and no name. */
export function apiKeyOf(row: KeyRow): ApiKey {
  const { keyId: id, vendorId, liveMode, prefix, last4, createdAt, revokedAt, createdBy = 'system' } = row;
  return {
    id,
    vendorId,
    liveMode,
    prefix,
    last4,
    createdAt,
    createdBy,
    revokedAt,
    name: row.name ?? null,
    scopes: row.scopes ?? SCOPES,
    expiresAt: row.expiresAt ?? null,
    lastUsedAt: row.lastUsedAt ?? null,
    replacedBy: row.replacedBy ?? null,
    apiVersion: row.apiVersion ?? FIRST_API_VERSION,
  };
}

/** The filter of keys that have not ended at this instant. */
export function aliveAt(at: number) {
  // Keys without an end match, too. Unlike an `$or`, this is one scan of an index, which skips expired keys.
  return { revokedAt: null, expiresAt: { $not: { $lte: at } } };
}

/** Says the same of one key. */
export function isAlive({ revokedAt, expiresAt }: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, at: number): boolean {
  return revokedAt === null && (expiresAt === undefined || expiresAt > at);
}
