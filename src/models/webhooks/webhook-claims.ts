import { mongo } from 'mongoose';
import type { RegistrationId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/process.ts';
import type { Attempt, AttemptClaim, AttemptOutcome, Claimed, EndedAttempt, Secrets } from '../../ports/webhooks.ts';
import { eventOf, type EventRow } from '../deliveries/events/event-rows.ts';
import { endsOn } from '../../engines/retention.ts';
import { advanceLine, keepFirst, type DueRow } from './webhook-lines.ts';
import { registrationOf, secretsOf, type WebhookTables } from './webhook-rows.ts';
import { type AttemptRow, DUE_ATTEMPTS, type RegistrationRow } from './webhook-shapes.ts';

/** After this many claims without a result, over 17 hours, an attempt ends. It may crash each process that sends it. */
const MOST_LOST = 10;
/** Leases vary by up to this share. So attempts that one process lost together are not claimed together again. */
const LEASE_SPREAD = 0.5;

const NO_REGISTRATION = 'the registration was removed';
const DISABLED = 'the registration is disabled';
const NO_EVENT = 'the event was removed';
const LOST = `${MOST_LOST} senders ended before they recorded a result`;

/** The rows that one claim may have leased, identified by their keys and the claim's mark. */
type Lease = { readonly keys: readonly string[]; readonly claim: string };
/** A row as claimed, without its log, which may be long and which senders do not need. */
type ClaimedRow = Omit<AttemptRow, 'log'>;

export type Claims = {
  /** Says whether rows of failed claims have not been given back yet. */
  readonly mustSettle: () => boolean;
  /** Gives back the rows that failed claims of this process may have leased. None of them was sent. */
  readonly settle: () => Promise<void>;
  readonly claim: (registrationId: RegistrationId, asked: AttemptClaim) => Promise<Claimed>;
};

/** The claims of one process. */
export function createClaims(tables: WebhookTables, clock: Clock, keptMs: number): Claims {
  // Each claim settles first, so this set has at most as many entries as claims ran at once.
  const failed = new Set<Lease>();
  const settle = async (): Promise<void> => {
    for (const lease of failed) {
      await giveBack(tables, lease, clock.now());
      failed.delete(lease);
    }
  };
  return {
    mustSettle: () => failed.size > 0,
    settle,
    claim: async (registrationId, asked) => {
      await settle();
      const due = await listDue(tables, registrationId, asked);
      const keys = await keepFirst(tables, registrationId, due, asked.now);
      const isFull = due.length === asked.limit;
      if (keys.length === 0) return { attempts: [], ended: [], isMore: isFull };
      const lease = { keys, claim: new mongo.ObjectId().toHexString() };
      try {
        const leased = await take(tables, lease, asked);
        const times = { at: clock.now(), realNow: clock.real.now(), ends: endsOn(clock, keptMs) };
        const claimed = await read(tables, registrationId, leased, times);
        return { ...claimed, isMore: isFull || claimed.isMore };
      } catch (error) {
        failed.add(lease);
        throw error;
      }
    },
  };
}

/** Reads the data to send the leased rows, and ends the rows that cannot be sent. */
async function read(
  { registrations, events, attempts, key }: WebhookTables,
  registrationId: RegistrationId,
  leased: readonly ClaimedRow[],
  { at, realNow, ends }: { readonly at: number; readonly realNow: number; readonly ends: Date },
): Promise<Claimed> {
  // The event of an attempt that may crash this process is not read.
  const sound = leased.filter((row) => !isLost(row));
  const [registration, found] = await Promise.all([
    registrations.findOne({ _id: registrationId }),
    events.find({ _id: { $in: sound.map(({ eventKey }) => eventKey) } }).toArray(),
  ]);
  const eventAt = new Map(found.map((event) => [event._id, event]));
  const secrets = registration === null ? null : secretsOf(key, registration, realNow);
  const judged = leased.map((row) => judge(row, registration, eventAt.get(row.eventKey), secrets));
  const ended = judged.filter((one) => 'error' in one);
  if (ended.length > 0) await attempts.bulkWrite(ended.map((one) => endOf(one, at, ends)));
  const endedKeys = new Set(ended.map((one) => one.key));
  const endedRows = leased.filter((row) => endedKeys.has(row._id));
  const advanced = await Promise.all(endedRows.map((row) => advanceLine({ attempts }, row, at)));
  return { attempts: judged.filter((one) => 'event' in one), ended, isMore: advanced.includes(true) };
}

async function listDue(
  { attempts }: WebhookTables,
  registrationId: RegistrationId,
  { now, limit }: AttemptClaim,
): Promise<DueRow[]> {
  const due = { state: 'due' as const, registrationId, dueAt: { $lte: now } };
  const first = attempts
    .find<DueRow>(due, { projection: { dueAt: 1, line: 1, number: 1 } })
    .hint(DUE_ATTEMPTS)
    .sort({ dueAt: 1 })
    .limit(limit);
  return first.toArray();
}

/** Leases the rows. If two processes claim at once, each gets the rows that carry its own mark. */
async function take(
  { attempts }: WebhookTables,
  { keys, claim }: Lease,
  { now, leaseMs }: AttemptClaim,
): Promise<ClaimedRow[]> {
  // An earlier version does not count claims, and its processes may still run.
  const claims = { $max: [{ $ifNull: ['$claims', 0] }, '$number'] };
  const spread = { $add: [1, { $multiply: [LEASE_SPREAD, { $rand: {} }] }] };
  const lasts = { $multiply: [leaseMs, { $pow: [2, { $subtract: [claims, '$number'] }] }, spread] };
  await attempts.updateMany({ _id: { $in: [...keys] }, state: 'due', dueAt: { $lte: now } }, [
    { $set: { claim, dueAt: { $add: [now, { $floor: lasts }] }, claims: { $add: [claims, 1] } } },
  ]);
  return attempts
    .find<ClaimedRow>({ _id: { $in: [...keys] }, claim }, { projection: { log: 0 } })
    .sort({ _id: 1 })
    .toArray();
}

async function giveBack({ attempts }: WebhookTables, { keys, claim }: Lease, now: number): Promise<void> {
  await attempts.updateMany(
    { _id: { $in: [...keys] }, state: 'due', claim },
    { $set: { dueAt: now }, $inc: { claims: -1 }, $unset: { claim: '' } },
  );
}

/** Says whether too many earlier claims have led to no result. */
function isLost({ claims, number }: ClaimedRow): boolean {
  return claims - 1 - number >= MOST_LOST;
}

type Judged = Attempt | (EndedAttempt & { readonly key: string });

function judge(
  row: ClaimedRow,
  registration: RegistrationRow | null,
  event: EventRow | undefined,
  secrets: Secrets | null,
): Judged {
  const { _id: key, attemptId: id, claim = '', eventId, number, registrationId } = row;
  const end = (error: string): Judged => {
    return { key, id, registrationId, vendorId: registration?.vendorId ?? null, error };
  };
  if (registration === null) return end(NO_REGISTRATION);
  if (registration.disabled !== undefined) return end(DISABLED);
  if (isLost(row)) return end(LOST);
  if (event === undefined) return end(NO_EVENT);
  const lease = { key, claim };
  const found = { registration: registrationOf(registration), secrets, event: eventOf(event) };
  return { id, lease, eventId, number: number + 1, ...found };
}

function endOf(
  { key, error }: EndedAttempt & { readonly key: string },
  at: number,
  ends: Date,
): mongo.AnyBulkWriteOperation<AttemptRow> {
  const outcome: AttemptOutcome = { at, status: null, tookMs: 0, error, response: null };
  const ended = { $set: { state: 'failed' as const, endsOn: ends }, $push: { log: outcome } };
  return { updateOne: { filter: { _id: key, state: 'due' }, update: ended } };
}
