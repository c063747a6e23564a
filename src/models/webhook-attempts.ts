import { mongo } from 'mongoose';
import { rowOf, type DomainEvent } from '../domain/events.ts';
import { newId, type RegistrationId, type VendorId } from '../domain/ids.ts';
import type { Attempt, AttemptClaim, Clock, Waiting, WebhookStore } from '../ports.ts';
import { eventOf, type EventRow } from './event-rows.ts';
import { areDuplicateKeys } from './mongo.ts';
import { endsOn } from './retention.ts';
import { unseal } from './seal.ts';
import {
  DUE_ATTEMPTS,
  registrationOf,
  type AttemptRow,
  type RegistrationRow,
  type WebhookTables,
} from './webhook-rows.ts';

/** Tries of one attempt end at ten; a few more can be logged when leases ran out. */
const MOST_LOGGED = 20;

/** The attempts: made from due events, claimed by lease for one registration at a time, and logged. */
export function createWebhookAttempts(
  tables: WebhookTables,
  clock: Clock,
  keptMs: number,
): Pick<WebhookStore, 'fanOut' | 'listWaiting' | 'claimDue' | 'record'> {
  return {
    fanOut: (limit) => fanOut(tables, limit, clock.now()),
    listWaiting: (now, limit, after) => listWaiting(tables, now, limit, after),
    claimDue: (registrationId, claim) => claimDue(tables, registrationId, claim, endsOn(clock, keptMs)),
    record: async (id, outcome, nextAt) => {
      const over = outcome.error === null ? 'done' : 'failed';
      // A sender that was slower than its lease changes nothing once the attempt is through.
      await tables.attempts.updateOne(
        { attemptId: id, state: 'due' },
        {
          $set: nextAt === null ? { state: over, endsOn: endsOn(clock, keptMs) } : { dueAt: nextAt },
          $push: { log: { $each: [outcome], $slice: -MOST_LOGGED } },
        },
      );
    },
  };
}

async function fanOut({ registrations, attempts, events }: WebhookTables, limit: number, now: number): Promise<number> {
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
async function insertNew(attempts: WebhookTables['attempts'], rows: AttemptRow[]): Promise<void> {
  try {
    await attempts.insertMany(rows, { ordered: false });
  } catch (error) {
    // Every other row has been tried all the same; one that failed for another reason keeps its event due.
    if (!areDuplicateKeys(error)) throw error;
  }
}

/** Reads one key of the index for each registration, and no attempt. */
async function listWaiting(
  { attempts, registrations }: WebhookTables,
  now: number,
  limit: number,
  after: RegistrationId | null,
): Promise<Waiting[]> {
  const due = { state: 'due', dueAt: { $lte: now }, registrationId: { $gt: after ?? '' } };
  const stages = [{ $match: due }, { $group: { _id: '$registrationId' } }, { $sort: { _id: 1 } }, { $limit: limit }];
  const waiting = await attempts.aggregate<{ _id: RegistrationId }>(stages, { hint: DUE_ATTEMPTS }).toArray();
  if (waiting.length === 0) return [];
  const owners = await registrations
    .find({ _id: { $in: waiting.map(({ _id }) => _id) } }, { projection: { vendorId: 1 } })
    .toArray();
  const ownerOf = new Map(owners.map(({ _id, vendorId }) => [_id, vendorId]));
  return waiting.map(({ _id }) => ({ registrationId: _id, vendorId: ownerOf.get(_id) ?? null }));
}

async function claimDue(
  tables: WebhookTables,
  registrationId: RegistrationId,
  { now, leaseMs, limit }: AttemptClaim,
  ends: Date,
): Promise<Attempt[]> {
  const { attempts } = tables;
  const due = { state: 'due' as const, registrationId, dueAt: { $lte: now } };
  const first = attempts
    .find(due, { projection: { _id: 1 } })
    .hint(DUE_ATTEMPTS)
    .sort({ dueAt: 1 })
    .limit(limit);
  const ids = (await first.toArray()).map(({ _id }) => _id);
  if (ids.length === 0) return [];
  // Of two that claim at once each gets what its own mark is on.
  const claim = new mongo.ObjectId();
  await attempts.updateMany(
    { _id: { $in: ids }, ...due },
    { $set: { dueAt: now + leaseMs, claim }, $inc: { number: 1 } },
  );
  const leased = await attempts.find({ _id: { $in: ids }, claim }).toArray();
  return leased.length === 0 ? [] : readAttempts(tables, registrationId, leased, ends);
}

async function readAttempts(
  { attempts, registrations, events, key }: WebhookTables,
  registrationId: RegistrationId,
  leased: readonly AttemptRow[],
  ends: Date,
): Promise<Attempt[]> {
  const [registration, found] = await Promise.all([
    registrations.findOne({ _id: registrationId }),
    events.find({ _id: { $in: leased.map(({ eventKey }) => eventKey) } }).toArray(),
  ]);
  const eventOf = new Map(registration === null ? [] : found.map((event) => [event._id, event]));
  const left = leased.filter(({ eventKey }) => !eventOf.has(eventKey)).map(({ _id }) => _id);
  // Their events or their registration were removed: nobody waits for them any more.
  if (left.length > 0) await attempts.updateMany({ _id: { $in: left } }, { $set: { state: 'failed', endsOn: ends } });
  if (registration === null) return [];
  const secret = unseal(key, registration.sealedSecret);
  return leased.flatMap((row) => {
    const event = eventOf.get(row.eventKey);
    return event === undefined ? [] : attemptOf(row, event, registration, secret);
  });
}

function attemptOf(
  { attemptId, eventId, number }: AttemptRow,
  event: EventRow,
  registration: RegistrationRow,
  secret: string | null,
): Attempt {
  return { id: attemptId, eventId, number, registration: registrationOf(registration), secret, event: eventOf(event) };
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
