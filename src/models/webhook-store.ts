import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { mongo } from 'mongoose';
import { rowOf, type DomainEvent } from '../domain/events.ts';
import { newId, type AttemptId, type EventId, type RegistrationId, type VendorId } from '../domain/ids.ts';
import type { Attempt, AttemptOutcome, Clock, Page, PageRequest, Registration, WebhookStore } from '../ports.ts';
import type { EventRow } from './event-rows.ts';
import { areDuplicateKeys, type Mongo } from './mongo.ts';

type RegistrationRow = Omit<Registration, 'id' | 'events'> & {
  readonly _id: RegistrationId;
  readonly events: string[];
  /** AES-256-GCM: nonce, tag and text, base64. */
  readonly sealedSecret: string;
};

/** One event to one registration. A claim moves `dueAt` to the end of the lease: who dies with it gives it back. */
type AttemptRow = {
  _id: string;
  attemptId: AttemptId;
  eventKey: string;
  eventId: EventId;
  registrationId: RegistrationId;
  state: 'due' | 'done' | 'failed';
  dueAt: number;
  /** Tries begun, the present one included. */
  number: number;
  log: AttemptOutcome[];
};

/** Tries of one attempt end at ten; a few more can be logged when leases ran out. */
const MOST_LOGGED = 20;

type Tables = {
  readonly registrations: mongo.Collection<RegistrationRow>;
  readonly attempts: mongo.Collection<AttemptRow>;
  readonly events: mongo.Collection<EventRow>;
  readonly key: Buffer;
};

/** Registrations, and the attempts made from the event log. `key` (32 bytes) encrypts the secrets at rest. */
export function createWebhookStore(mongo: Mongo, key: Buffer, clock: Clock): WebhookStore {
  const tables: Tables = {
    registrations: mongo.collection('registrations'),
    attempts: mongo.collection('attempts'),
    events: mongo.collection('events'),
    key,
  };
  return {
    register: async ({ id, events, ...rest }, secret) => {
      await tables.registrations.insertOne({ ...rest, _id: id, events: [...events], sealedSecret: seal(key, secret) });
    },
    list: (vendorId, liveMode, page) => list(tables, vendorId, liveMode, page),
    count: (vendorId, liveMode) => tables.registrations.countDocuments({ vendorId, liveMode }),
    fanOut: (limit) => fanOut(tables, limit, clock.now()),
    claimDue: (now, leaseMs, busy) => claimDue(tables, now, leaseMs, busy),
    record: (id, outcome, nextAt) => record(tables, id, outcome, nextAt),
  };
}

async function list(
  { registrations }: Tables,
  vendorId: VendorId,
  liveMode: boolean,
  { limit, after }: PageRequest,
): Promise<Page<Registration>> {
  const older =
    after === null
      ? {}
      : { $or: [{ createdAt: { $lt: after.at } }, { createdAt: after.at, _id: { $lt: after.id as RegistrationId } }] };
  const rows = await registrations
    .find({ vendorId, liveMode, ...older })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const items = rows.slice(0, limit).map(registrationOf);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? { at: last.createdAt, id: last.id } : null };
}

async function fanOut({ registrations, attempts, events }: Tables, limit: number, now: number): Promise<number> {
  const due = await events.find({ webhooks: 'due' }).sort({ created_at: 1, _id: 1 }).limit(limit).toArray();
  if (due.length === 0) return 0;
  const vendorIds: VendorId[] = [...new Set(due.map(({ vendor_id: vendorId }) => vendorId))];
  const listeners = await registrations.find({ vendorId: { $in: vendorIds } }).toArray();
  const rows = due.flatMap((event) =>
    listeners.filter((listener) => wants(listener, event)).map((listener) => attemptRow(event, listener, now)),
  );
  if (rows.length > 0) await insertNew(attempts, rows);
  await events.updateMany({ _id: { $in: due.map(({ _id }) => _id) } }, { $set: { webhooks: 'done' } });
  return due.length;
}

/** Rows that another sender, or an earlier try of ours, made already are kept as they are. */
async function insertNew(attempts: Tables['attempts'], rows: AttemptRow[]): Promise<void> {
  try {
    await attempts.insertMany(rows, { ordered: false });
  } catch (error) {
    // Every other row has been tried all the same; one that failed for another reason keeps its event due.
    if (!areDuplicateKeys(error)) throw error;
  }
}

async function claimDue(
  tables: Tables,
  now: number,
  leaseMs: number,
  busy: readonly RegistrationId[],
): Promise<Attempt | null> {
  const row = await tables.attempts.findOneAndUpdate(
    { state: 'due', dueAt: { $lte: now }, ...(busy.length === 0 ? {} : { registrationId: { $nin: [...busy] } }) },
    { $set: { dueAt: now + leaseMs }, $inc: { number: 1 } },
    { sort: { dueAt: 1 }, returnDocument: 'after' },
  );
  if (row === null) return null;
  const [event, registration] = await Promise.all([
    tables.events.findOne({ _id: row.eventKey }),
    tables.registrations.findOne({ _id: row.registrationId }),
  ]);
  if (event === null || registration === null) {
    // Its event or its registration was removed: nobody waits for it any more.
    await tables.attempts.updateOne({ _id: row._id }, { $set: { state: 'failed' } });
    return claimDue(tables, now, leaseMs, busy);
  }
  const { _id, webhooks: _webhooks, ...sent } = event;
  return {
    id: row.attemptId,
    eventId: row.eventId,
    number: row.number,
    registration: registrationOf(registration),
    secret: unseal(tables.key, registration.sealedSecret),
    event: sent satisfies DomainEvent,
  };
}

/** A sender that was slower than its lease changes nothing once the attempt is through. */
async function record(
  { attempts }: Tables,
  id: AttemptId,
  outcome: AttemptOutcome,
  nextAt: number | null,
): Promise<void> {
  const over = outcome.error === null ? 'done' : 'failed';
  await attempts.updateOne(
    { attemptId: id, state: 'due' },
    {
      $set: nextAt === null ? { state: over } : { dueAt: nextAt },
      $push: { log: { $each: [outcome], $slice: -MOST_LOGGED } },
    },
  );
}

function registrationOf({ _id, sealedSecret: _sealed, ...rest }: RegistrationRow): Registration {
  return { ...rest, id: _id };
}

/** Published types go to whoever names them or `*`, additive ones likewise; events of another vendor or mode never. */
function wants(row: RegistrationRow, event: DomainEvent): boolean {
  if (row.vendorId !== event.vendor_id || row.liveMode !== event.live_mode) return false;
  if (rowOf(event.type).webhook === 'none') return false;
  return row.events.includes('*') || row.events.includes(event.type);
}

function attemptRow(event: EventRow, registration: RegistrationRow, now: number): AttemptRow {
  return {
    _id: `${event.id}:${registration._id}`,
    attemptId: newId('att'),
    eventKey: event._id,
    eventId: event.id,
    registrationId: registration._id,
    state: 'due',
    dueAt: now,
    number: 0,
    log: [],
  };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
