import type { mongo as engine } from 'mongoose';
import { changesOf, type AuditAction } from '../../../domain/audit.ts';
import { API_VERSION } from '../../../domain/deliveries/events.ts';
import { newId, type KeyId, type VendorId } from '../../../domain/ids.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import type { ApiKey, ApiKeys, AuditLog, MadeApiKey, NewApiKey, NewKey } from '../../../ports/access.ts';
import type { Clock } from '../../../ports/process.ts';
import type { Settings } from '../../../settings.ts';
import { storeEntries } from '../../store-entries.ts';
import { transactAlone } from '../../transact-alone.ts';
import { VENDOR_KEYS, type KeyRow } from '../credential-shapes.ts';
import { forgetOldKeys } from './forget-keys.ts';
import { aliveAt, apiKeyOf, hashKey, newKey } from './key-rows.ts';
import { listKeys } from './list-keys.ts';

type Needs = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly pepper: string;
  readonly audit: Pick<AuditLog, 'draft'>;
  readonly settings: Pick<Settings, 'auth'>;
  /** Called at once with a key that has ended. */
  readonly onEnd: (id: KeyId) => void;
};

type Owner = Pick<ApiKey, 'vendorId' | 'liveMode'>;

/** How long the row of an ended key is kept, so that people can see when it was last used: 90 days. */
const KEPT_MS = 90 * 86_400_000;

/** Makes, rotates and revokes API keys. Each change is written together with its entry of the audit log. */
export function manageKeys(needs: Needs): ApiKeys {
  const { mongo, clock, onEnd } = needs;
  const rows = mongo.collection(VENDOR_KEYS);
  const find = async (id: KeyId): Promise<ApiKey | null> => {
    const row = await rows.findOne({ keyId: id });
    return row === null ? null : apiKeyOf(row);
  };
  return {
    find,
    list: (vendorId, liveMode, page) => listKeys(mongo, vendorId, liveMode, page),
    create: (asked, made = anyKey()) =>
      alone(needs, asked, (session) => makeOnce(needs, asked, made, session, () => add(needs, asked, made, session))),
    rotate: async (before, overlapMs, made = anyKey()) => {
      const rotated = await alone(needs, before, (session) =>
        makeOnce(needs, before, made, session, () => rotate(needs, before, overlapMs, made, session)),
      );
      if (overlapMs === 0) onEnd(before.id);
      return rotated;
    },
    revoke: async (before) => {
      await alone(needs, before, async (session) => {
        const at = clock.real.now();
        const ended = { revokedAt: at, endsOn: new Date(at + KEPT_MS) };
        const { matchedCount } = await rows.updateOne(
          { keyId: before.id, revokedAt: null },
          { $set: ended },
          { session },
        );
        if (matchedCount === 1) await record(needs, session, 'api_key.revoke', before, { revoked: true });
      });
      onEnd(before.id);
    },
  };
}

/** The name of the transactions that count the keys of a vendor and mode. */
export function keysOf(vendorId: VendorId, liveMode: boolean): string {
  return `api_keys:${vendorId}:${liveMode ? 'live' : 'test'}`;
}

function alone<T>(
  { mongo, clock }: Needs,
  { vendorId, liveMode }: Owner,
  work: (session: engine.ClientSession) => Promise<T>,
): Promise<T> {
  return transactAlone(mongo, clock, keysOf(vendorId, liveMode), work);
}

function anyKey(): NewKey {
  return { id: newId('key'), entropy: null };
}

/** Makes a key and forgets old ones, unless an earlier try of the same request has made it. */
async function makeOnce(
  { mongo, clock }: Needs,
  owner: Owner,
  { id, entropy }: NewKey,
  session: engine.ClientSession,
  make: () => Promise<MadeApiKey>,
): Promise<MadeApiKey> {
  const rows = mongo.collection(VENDOR_KEYS);
  const row = await rows.findOne({ keyId: id }, { session });
  if (row !== null) return { apiKey: apiKeyOf(row), key: newKey(owner.liveMode, entropy).key };
  // Before a rotation ends the old key, which stays valid for its overlap.
  await forgetOldKeys(rows, owner, clock.real.now(), session);
  return make();
}

async function add(
  needs: Needs,
  asked: NewApiKey & { readonly apiVersion?: string },
  made: NewKey,
  session: engine.ClientSession,
): Promise<MadeApiKey> {
  const { mongo, clock, pepper, audit, settings } = needs;
  const rows = mongo.collection(VENDOR_KEYS);
  const { vendorId, liveMode } = asked;
  const at = clock.real.now();
  const most = settings.auth.mostKeys;
  const living = { vendorId, liveMode, ...aliveAt(at) };
  if ((await rows.countDocuments(living, { session, limit: most })) >= most) {
    const detail = `The account must have at most ${most} API keys in one mode, and it has ${most}. Revoke one first.`;
    throw new Refusal('too_many_api_keys', { detail, metadata: { at_most: most } });
  }
  const { key, prefix } = newKey(liveMode, made.entropy);
  const { expiresAt, name } = asked;
  const row: KeyRow = {
    _id: hashKey(pepper, key),
    keyId: made.id,
    vendorId,
    liveMode,
    prefix,
    last4: key.slice(-4),
    scopes: [...asked.scopes],
    createdAt: at,
    createdBy: audit.draft(NOTHING).actor.type,
    apiVersion: asked.apiVersion ?? API_VERSION,
    revokedAt: null,
    ...(name === null ? {} : { name }),
    ...(expiresAt === null ? {} : { expiresAt, endsOn: new Date(expiresAt + KEPT_MS) }),
  };
  await rows.insertOne(row, { session });
  const apiKey = apiKeyOf(row);
  await record(needs, session, 'api_key.create', apiKey, { ...factsOf(apiKey) });
  return { apiKey, key };
}

const NOTHING = { action: 'api_key.create', objectId: '', vendorId: null, liveMode: null, changes: {} } as const;

/** Makes the successor, and lets the old key end after the overlap. */
async function rotate(
  needs: Needs,
  before: ApiKey,
  overlapMs: number,
  successor: NewKey,
  session: engine.ClientSession,
): Promise<MadeApiKey> {
  const { mongo, clock } = needs;
  const rows = mongo.collection(VENDOR_KEYS);
  const at = clock.real.now();
  const expiresAt = Math.min(before.expiresAt ?? Infinity, at + overlapMs);
  // The old key makes room for its successor before that is counted.
  const ended = await rows.updateOne(
    { keyId: before.id, replacedBy: { $exists: false }, ...aliveAt(at) },
    { $set: { expiresAt: at, endsOn: new Date(expiresAt + KEPT_MS) } },
    { session },
  );
  if (ended.matchedCount === 0) throw new Refusal('api_key_ended');
  const made = await add(needs, before, successor, session);
  const replaced = { expiresAt, replacedBy: made.apiKey.id };
  await rows.updateOne({ keyId: before.id }, { $set: replaced }, { session });
  const changed = { replaced_by: made.apiKey.id, expires_at: new Date(expiresAt).toISOString() };
  await record(needs, session, 'api_key.rotate', before, changed);
  return made;
}

function record(
  { mongo, audit }: Needs,
  session: engine.ClientSession,
  action: AuditAction,
  { id, vendorId, liveMode }: ApiKey,
  changed: Parameters<typeof changesOf>[1],
): Promise<void> {
  const entry = audit.draft({ action, objectId: id, vendorId, liveMode, changes: changesOf(null, changed) });
  return storeEntries(mongo, [entry], { session });
}

function factsOf({ name, scopes, expiresAt, last4 }: ApiKey) {
  return { name, scopes, last4, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}
