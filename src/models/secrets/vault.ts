import { createHmac, randomInt } from 'node:crypto';
import type { Vault } from '../../ports/access.ts';
import { seal, unseal } from './seal.ts';

/** Encrypts short personal texts, such as PINs and numbers of documents. `key` has 32 bytes. */
export function createVault(key: Buffer): Vault {
  return {
    seal: (text) => seal(key, text),
    open: (sealed) => unseal(key, sealed),
    randomPin: () => String(randomInt(10_000)).padStart(4, '0'),
  };
}

/** The key of the vault, which follows from the key of webhook secrets. */
export function vaultKeyOf(webhookKey: Buffer): Buffer {
  return createHmac('sha256', webhookKey).update('personal texts').digest();
}
