import type { RegistrationId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/process.ts';
import type { AttemptLease, AttemptOutcome, Waiting, WebhookStore } from '../../ports/webhooks.ts';
import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';
import { createClaims } from './webhook-claims.ts';
import { fanOut } from './webhook-fan-out.ts';
import { advanceLine } from './webhook-lines.ts';
import { type WebhookTables } from './webhook-rows.ts';
import { type AttemptRow, ATTEMPTS, DUE_ATTEMPTS } from './webhook-shapes.ts';

/** Most results logged for one attempt, which is tried at most ten times. */
const MOST_LOGGED = 20;

const RECORDED = { state: 1, registrationId: 1, line: 1 } as const;
type RecordedRow = Pick<AttemptRow, '_id' | keyof typeof RECORDED>;

/** The attempts of webhooks: made from due events, leased for one registration at a time, and logged. */
export function createWebhookAttempts(
  mongo: Mongo,
  tables: WebhookTables,
  clock: Clock,
  keptMs: number,
): Pick<WebhookStore, 'fanOut' | 'isAnyAttemptDue' | 'listWaiting' | 'claimDue' | 'record'> {
  const claims = createClaims(tables, clock, keptMs);
  return {
    fanOut: (limit) => fanOut(tables, limit, clock.now()),
    isAnyAttemptDue: async (now) => claims.mustSettle() || isAny(mongo, clock, ATTEMPTS, isDueBy(now)),
    listWaiting: async (now, limit, after) => {
      await claims.settle();
      return listWaiting(tables, now, limit, after);
    },
    claimDue: claims.claim,
    record: async (lease, outcome, nextAt) => {
      const row = await record(tables, lease, outcome, nextAt, endsOn(clock, keptMs));
      return row !== null && row.state !== 'due' && advanceLine(tables, row, clock.now());
    },
  };
}

/**
 * Records a result. A success ends the attempt even after its lease. A failure after its lease changes nothing.
 * @returns what the attempt has become; null if nothing was changed
 */
async function record(
  { attempts }: WebhookTables,
  { key, claim }: AttemptLease,
  outcome: AttemptOutcome,
  nextAt: number | null,
  ends: Date,
): Promise<RecordedRow | null> {
  const isDone = outcome.error === null;
  const update = [
    {
      $set: {
        ...(nextAt === null ? { state: isDone ? 'done' : 'failed', endsOn: ends } : { dueAt: nextAt }),
        number: { $add: ['$number', 1] },
        // A result cancels the earlier claims that led to none.
        claims: { $add: ['$number', 1] },
        log: { $slice: [{ $concatArrays: [{ $ifNull: ['$log', []] }, [{ $literal: outcome }]] }, -MOST_LOGGED] },
      },
    },
    { $unset: 'claim' },
  ];
  const filter = { _id: key, state: 'due' as const, ...(isDone ? {} : { claim }) };
  return attempts.findOneAndUpdate(filter, update, { projection: RECORDED, returnDocument: 'after' });
}

function isDueBy(now: number) {
  return { state: 'due' as const, dueAt: { $lte: now } };
}

/** Reads one index key for each registration, and not the attempts. */
async function listWaiting(
  { attempts, registrations }: WebhookTables,
  now: number,
  limit: number,
  after: RegistrationId | null,
): Promise<Waiting[]> {
  const due = { ...isDueBy(now), registrationId: { $gt: after ?? '' } };
  const stages = [{ $match: due }, { $group: { _id: '$registrationId' } }, { $sort: { _id: 1 } }, { $limit: limit }];
  const waiting = await attempts.aggregate<{ _id: RegistrationId }>(stages, { hint: DUE_ATTEMPTS }).toArray();
  if (waiting.length === 0) return [];
  const owners = await registrations
    .find({ _id: { $in: waiting.map(({ _id }) => _id) } }, { projection: { vendorId: 1 } })
    .toArray();
  const ownerOf = new Map(owners.map(({ _id, vendorId }) => [_id, vendorId]));
  return waiting.map(({ _id }) => ({ registrationId: _id, vendorId: ownerOf.get(_id) ?? null }));
}
