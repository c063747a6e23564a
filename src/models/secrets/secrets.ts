import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Mongo } from '../../engines/mongo.ts';
import { SECRETS_KEPT } from './secret-shape.ts';

export type Secrets = {
  /** Ed25519 private key, as JWK JSON. */
  readonly tokenPrivateJwk: string;
  readonly cursorKey: string;
  readonly linkKey: string;
  /** 32 bytes for AES-256-GCM. */
  readonly webhookKey: Buffer;
  readonly pepper: string;
};

/** Every secret: its environment variable, and its use. */
export const SECRETS = {
  TOKEN_KEY: 'signs access tokens; an Ed25519 private key as JWK JSON',
  CURSOR_KEY: 'signs page cursors',
  LINK_KEY: 'derives tracking tokens and signs links to files',
  WEBHOOK_KEY: 'encrypts webhook secrets, PINs, bank accounts and numbers of documents at rest',
  PEPPER: 'is part of the hashes of vendor keys, refresh tokens and one-time codes',
} as const;

export type SecretName = keyof typeof SECRETS;
export const SECRET_NAMES = Object.keys(SECRETS) as SecretName[];

/** The secrets that are given, by the names of the environment. */
export type GivenSecrets = { readonly [N in SecretName]?: string };

/**
 * Loads the secrets that all processes of this database share. A secret that is not given is made once and stored in
 * the database, so that processes and restarts agree. A process that loses the race reads the secret of the winner.
 */
export async function loadSecrets(mongo: Mongo, given: GivenSecrets): Promise<Secrets> {
  const load = async (name: SecretName): Promise<[SecretName, string]> => [
    name,
    given[name] ?? (await keepOne(mongo, name)),
  ];
  const loaded = Object.fromEntries(await Promise.all(SECRET_NAMES.map(load))) as Record<SecretName, string>;
  return {
    tokenPrivateJwk: loaded.TOKEN_KEY,
    cursorKey: loaded.CURSOR_KEY,
    linkKey: loaded.LINK_KEY,
    webhookKey: createHash('sha256').update(loaded.WEBHOOK_KEY).digest(),
    pepper: loaded.PEPPER,
  };
}

async function keepOne(mongo: Mongo, name: SecretName): Promise<string> {
  const rows = mongo.records(SECRETS_KEPT);
  const kept = await rows.find({ _id: name });
  if (kept !== null) return kept.value;
  try {
    const value = name === 'TOKEN_KEY' ? newJwk() : randomBytes(32).toString('base64url');
    await rows.insert({ _id: name, value });
    return value;
  } catch (error) {
    // Another process was faster, so all processes use its secret.
    const winner = await rows.find({ _id: name });
    if (winner === null) throw error;
    return winner.value;
  }
}

function newJwk(): string {
  return JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
}
