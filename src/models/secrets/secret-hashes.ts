import { createHash } from 'node:crypto';
import type { Mongo } from '../../engines/mongo.ts';
import { kindOf } from '../../engines/shapes/shape.ts';
import { SETTINGS } from '../setting-shapes.ts';
import { SECRET_NAMES, type SecretName, type Secrets } from './secrets.ts';

const ROW = 'secrets';

/** The value of each secret, as a process uses it. */
const VALUE_OF: { readonly [N in SecretName]: (secrets: Secrets) => string | Buffer } = {
  TOKEN_KEY: ({ tokenPrivateJwk }) => tokenPrivateJwk,
  CURSOR_KEY: ({ cursorKey }) => cursorKey,
  LINK_KEY: ({ linkKey }) => linkKey,
  WEBHOOK_KEY: ({ webhookKey }) => webhookKey,
  PEPPER: ({ pepper }) => pepper,
};

/**
 * Stores hashes of the secrets that a server uses, so that commands can compare their own secrets with them. Returns the
 * secrets that differ from those of the server that started before this one.
 */
export async function recordSecrets(mongo: Mongo, secrets: Secrets): Promise<SecretName[]> {
  const others = await listOtherSecrets(mongo, secrets);
  const hashes = Object.fromEntries(SECRET_NAMES.map((name) => [name, hashOf(name, secrets)]));
  await mongo.records(kindOf(SETTINGS, ROW)).put({ _id: ROW, hashes });
  return others;
}

/** Lists the secrets that differ from those of the latest server; empty if no server has run on this database. */
export async function listOtherSecrets(mongo: Mongo, secrets: Secrets): Promise<SecretName[]> {
  const row = await mongo.records(kindOf(SETTINGS, ROW)).find({ _id: ROW });
  const recorded = row?.hashes ?? {};
  return SECRET_NAMES.filter((name) => recorded[name] !== undefined && recorded[name] !== hashOf(name, secrets));
}

/** Clears the hashes, so that commands with other secrets may run before the next server starts. */
export async function forgetSecrets(mongo: Mongo): Promise<void> {
  await mongo.records(kindOf(SETTINGS, ROW)).put({ _id: ROW, hashes: {} });
}

function hashOf(name: SecretName, secrets: Secrets): string {
  return createHash('sha256').update(`${name} `).update(VALUE_OF[name](secrets)).digest('base64url');
}
