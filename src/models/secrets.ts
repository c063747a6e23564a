import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Mongo } from './mongo.ts';

export type Secrets = {
  /** Ed25519 private key, as JWK JSON. */
  readonly tokenPrivateJwk: string;
  readonly cursorKey: string;
  readonly linkKey: string;
  /** 32 bytes for AES-256-GCM. */
  readonly webhookKey: Buffer;
  readonly pepper: string;
};

/** What may be given, by the names of the environment. */
export type GivenSecrets = { readonly [N in (typeof NAMES)[number]]?: string };

type SecretRow = { _id: string; value: string };

const NAMES = ['TOKEN_KEY', 'CURSOR_KEY', 'LINK_KEY', 'WEBHOOK_KEY', 'PEPPER'] as const;

/**
 * The secrets all processes of this database share. What is not given is made once and kept in the database, so that
 * processes and restarts agree: the loser of the race reads the winner's.
 */
export async function loadSecrets(mongo: Mongo, given: GivenSecrets): Promise<Secrets> {
  const [tokenPrivateJwk, cursorKey, linkKey, webhookKey, pepper] = (await Promise.all(
    NAMES.map(async (name) => given[name] ?? keepOne(mongo, name)),
  )) as [string, string, string, string, string];
  return {
    tokenPrivateJwk,
    cursorKey,
    linkKey,
    webhookKey: createHash('sha256').update(webhookKey).digest(),
    pepper,
  };
}

async function keepOne(mongo: Mongo, name: (typeof NAMES)[number]): Promise<string> {
  const rows = mongo.collection<SecretRow>('secrets');
  const kept = await rows.findOne({ _id: name });
  if (kept !== null) return kept.value;
  try {
    const value = name === 'TOKEN_KEY' ? newJwk() : randomBytes(32).toString('base64url');
    await rows.insertOne({ _id: name, value });
    return value;
  } catch (error) {
    // Another process was faster: then its secret is everybody's.
    const winner = await rows.findOne({ _id: name });
    if (winner === null) throw error;
    return winner.value;
  }
}

function newJwk(): string {
  return JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
}
