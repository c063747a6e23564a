import { changesOf } from '../../domain/audit.ts';
import type { VendorId } from '../../domain/ids.ts';
import type { AuditLog } from '../../ports/access.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import type { Registration, WebhookStore } from '../../ports/webhooks.ts';
import type { Settings } from '../../settings.ts';
import { claimRow } from '../claim-store.ts';
import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { OWED } from './webhook-fan-out.ts';
import { transact } from '../../engines/transact.ts';
import { LAST_CREATED_FIRST, markOfCreated, pageOf, rowsAfter } from '../../engines/pages.ts';
import { manageWebhooks, record, type Managing } from './manage-webhooks.ts';
import { listPlaces } from './places-of-vendor.ts';
import { replayAttempts } from './replay-attempts.ts';
import { createWebhookAttempts } from './webhook-attempts.ts';
import { registrationOf, sealSecret, secretsOf, webhookTables, type WebhookTables } from './webhook-rows.ts';
import { CLAIMS } from '../claim-shape.ts';
import { REGISTRATIONS, type RegistrationRow } from './webhook-shapes.ts';

/** Stores registrations, and the attempts made from the event log. `key` (32 bytes) encrypts the secrets at rest. */
export function createWebhookStore(
  mongo: Mongo,
  key: Buffer,
  clock: Clock,
  { retention }: Pick<Settings, 'retention'>,
  audit: Pick<AuditLog, 'draft' | 'draftEdit' | 'isEdited'>,
): WebhookStore {
  const tables = webhookTables(mongo, key);
  const managing = { mongo, clock, key, audit };
  return {
    register: ({ id, events, ...rest }, secret, most) =>
      add(managing, { ...rest, _id: id, events: [...events], sealedSecret: sealSecret(key, secret) }, most),
    list: (vendorId, liveMode, isEnabled, page) => list(tables, { vendorId, liveMode, isEnabled }, page),
    secretsOf: async ({ id, vendorId, liveMode }) => {
      const row = await tables.registrations.findOne({ _id: id, vendorId, liveMode });
      return row === null ? null : secretsOf(key, row, clock.real.now());
    },
    ...manageWebhooks(managing),
    ...replayAttempts(managing, tables),
    isAnyEventDue: () => isAny(mongo, clock, { name: tables.events.collectionName }, OWED),
    ...createWebhookAttempts(mongo, tables, clock, retention.attemptsMs),
  };
}

/**
 * Adds a registration together with the claim on one of the vendor's places, unless all are taken. If two take the same
 * place at once, the database runs one of them again, which then finds another. Few do, as each starts its search
 * elsewhere.
 */
function add(needs: Managing, row: RegistrationRow, most: number): Promise<Registration | null> {
  const { mongo, clock } = needs;
  const { vendorId, liveMode } = row;
  const places = listPlaces(vendorId, liveMode, most);
  const rows = mongo.collection(REGISTRATIONS);
  const claims = mongo.collection(CLAIMS);
  return transact(mongo, clock, async (session) => {
    // An earlier try of the same request has stored the registration.
    const stored = await rows.findOne({ _id: row._id }, { session });
    if (stored !== null) return registrationOf(stored);
    const count = await rows.countDocuments({ vendorId, liveMode }, { session });
    const taken = await claims.find({ _id: { $in: places } }, { session }).toArray();
    const open = places.filter((place) => !taken.some(({ fact }) => fact === place));
    const free = open[spreadOf(row._id) % open.length];
    if (count >= most || free === undefined) return null;
    await claims.insertOne(claimRow({ fact: free, holder: row._id }, null), { session });
    await mongo.records(REGISTRATIONS).insert(row, session);
    const made = registrationOf(row);
    const { url, events, ordering } = made;
    await record(needs, session, made, 'webhook.register', changesOf(null, { url, events, ordering }));
    return made;
  });
}

/** A number that differs for most ids, because their last characters are random. */
function spreadOf(id: string): number {
  return Buffer.from(id.slice(-4)).readUInt32BE();
}

type Listed = { readonly vendorId: VendorId; readonly liveMode: boolean; readonly isEnabled: boolean | null };

async function list(
  { registrations }: WebhookTables,
  { vendorId, liveMode, isEnabled }: Listed,
  { limit, after }: PageRequest,
): Promise<Page<Registration>> {
  const state = isEnabled === null ? {} : { disabled: { $exists: !isEnabled } };
  const rows = await registrations
    .find({ vendorId, liveMode, ...state, ...rowsAfter(after, LAST_CREATED_FIRST) })
    .sort(LAST_CREATED_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(rows.map(registrationOf), limit, markOfCreated);
}
