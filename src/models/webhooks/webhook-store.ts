import type { VendorId } from '../../domain/ids.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import type { Registration, WebhookStore } from '../../ports/webhooks.ts';
import type { Settings } from '../../settings.ts';
import { claimRow } from '../claim-store.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { seal } from '../secrets/seal.ts';
import { transact } from '../../engines/transact.ts';
import { createWebhookAttempts } from './webhook-attempts.ts';
import { registrationOf, webhookTables, type WebhookTables } from './webhook-rows.ts';
import { CLAIMS } from '../claim-shape.ts';
import { REGISTRATIONS, type RegistrationRow } from './webhook-shapes.ts';

/** Stores registrations, and the attempts made from the event log. `key` (32 bytes) encrypts the secrets at rest. */
export function createWebhookStore(
  mongo: Mongo,
  key: Buffer,
  clock: Clock,
  { retention }: Pick<Settings, 'retention'>,
): WebhookStore {
  const tables = webhookTables(mongo, key);
  return {
    register: ({ id, events, ...rest }, secret, most) =>
      add(mongo, clock, { ...rest, _id: id, events: [...events], sealedSecret: seal(key, secret) }, most),
    list: (vendorId, liveMode, page) => list(tables, vendorId, liveMode, page),
    ...createWebhookAttempts(tables, clock, retention.attemptsMs),
  };
}

/**
 * Adds a registration together with the claim on one of the vendor's places, unless all are taken. If two take the same
 * place at once, the database runs one of them again, which then finds another. Few do, as each starts its search
 * elsewhere.
 */
function add(mongo: Mongo, clock: Clock, row: RegistrationRow, most: number): Promise<Registration | null> {
  const { vendorId, liveMode } = row;
  const places = Array.from({ length: most }, (_, place) => placeFact(vendorId, liveMode, place));
  const rows = mongo.collection(REGISTRATIONS);
  const claims = mongo.collection(CLAIMS);
  return transact(mongo, clock, async (session) => {
    // An earlier try of the same request has stored the registration.
    const stored = await rows.findOne({ _id: row._id }, { session });
    if (stored !== null) return registrationOf(stored);
    const made = await rows.countDocuments({ vendorId, liveMode }, { session });
    const taken = await claims.find({ _id: { $in: places } }, { session }).toArray();
    const open = places.filter((place) => !taken.some(({ fact }) => fact === place));
    const free = open[spreadOf(row._id) % open.length];
    if (made >= most || free === undefined) return null;
    await claims.insertOne(claimRow({ fact: free, holder: row._id }, null), { session });
    await mongo.records(REGISTRATIONS).insert(row, session);
    return registrationOf(row);
  });
}

/** A number that differs for most ids, because their last characters are random. */
function spreadOf(id: string): number {
  return Buffer.from(id.slice(-4)).readUInt32BE();
}

function placeFact(vendorId: VendorId, liveMode: boolean, place: number): string {
  return `registration:${vendorId}:${liveMode ? 'live' : 'test'}:${place}`;
}

async function list(
  { registrations }: WebhookTables,
  vendorId: VendorId,
  liveMode: boolean,
  { limit, after }: PageRequest,
): Promise<Page<Registration>> {
  const older =
    after === null
      ? {}
      : {
          createdAt: { $lte: after.at },
          $or: [{ createdAt: { $lt: after.at } }, { _id: { $lt: after.id as Registration['id'] } }],
        };
  const rows = await registrations
    .find({ vendorId, liveMode, ...older })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const items = rows.slice(0, limit).map(registrationOf);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? { at: last.createdAt, id: last.id } : null };
}
