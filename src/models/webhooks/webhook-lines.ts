import type { DeliveryId, RegistrationId } from '../../domain/ids.ts';
import { OWED } from './webhook-fan-out.ts';
import type { WebhookTables } from './webhook-rows.ts';
import { type AttemptRow, DUE_LINES } from './webhook-shapes.ts';

/** The wait of an attempt that another due attempt or an event without attempts holds back; service time. */
const SHORT_WAIT_MS = 1000;
/** The time between attempts of a line that come due by themselves; service time. */
const APART_MS = 1000;

/** A due attempt, as far as it decides whether it may be leased. */
export type DueRow = Pick<AttemptRow, '_id' | 'dueAt' | 'line' | 'number'>;
/** A due attempt that may have to wait. */
type Queued = DueRow & { readonly line: NonNullable<AttemptRow['line']> };

/** The state of a line that decides which of its attempts may be leased. */
type Head = {
  /** The lowest number of an event that waits for its attempts; null if there is none. */
  readonly owed: number | null;
  /** The first due attempt; null if all have ended. */
  readonly first: { readonly key: string; readonly dueAt: number; readonly sequence: number } | null;
};

/**
 * Returns the keys of the rows that may be leased: those without a line, those that were tried before, and those that are the
 * first of their line. The others are put off until the first is due again. The end of the first makes them due earlier, and if its process ends
 * before that, they come back by themselves.
 */
export async function keepFirst(
  tables: WebhookTables,
  registrationId: RegistrationId,
  due: readonly DueRow[],
  now: number,
): Promise<string[]> {
  const lines = Map.groupBy(due.filter(isQueued), ({ line }) => line.deliveryId);
  const judged = [...lines].map(async ([deliveryId, rows]) => {
    const head = await headOf(tables, registrationId, deliveryId);
    return rows.flatMap((row) => {
      const until = waitOf(row, head, now);
      return until === null ? [] : [{ ...row, until }];
    });
  });
  const held = (await Promise.all(judged)).flat();
  const writes = held.map(({ _id, dueAt, until }) => {
    // If the first has ended meanwhile, the row is due at another time by now, and stays so.
    return { updateOne: { filter: { _id, state: 'due' as const, dueAt }, update: { $set: { dueAt: until } } } };
  });
  if (writes.length > 0) await tables.attempts.bulkWrite(writes, { ordered: false });
  const heldKeys = new Set(held.map(({ _id }) => _id));
  return due.map(({ _id }) => _id).filter((key) => !heldKeys.has(key));
}

function isQueued(row: DueRow): row is Queued {
  return row.line !== undefined && row.number === 0;
}

/** The time to which the attempt is put off; null if its turn has come. */
function waitOf({ _id, line: { sequence } }: Queued, { owed, first }: Head, now: number): number | null {
  if (first?.key === _id && (owed === null || owed >= sequence)) return null;
  const soon = now + SHORT_WAIT_MS;
  if (first === null) return soon;
  // A long line that comes due at once would take many turns at each try of its first.
  return Math.max(first.dueAt, soon) + APART_MS * Math.max(0, sequence - first.sequence - 1);
}

async function headOf(
  { events, attempts }: WebhookTables,
  registrationId: RegistrationId,
  deliveryId: DeliveryId,
): Promise<Head> {
  // Attempts are stored before their event is done. So an earlier event is seen by this read, or its attempt by the next.
  const [owed] = await events
    .find({ ...OWED, delivery_id: deliveryId }, { projection: { _id: 0, sequence: 1 } })
    .hint({ webhooks: 1, delivery_id: 1, sequence: 1, type: 1 })
    .sort({ sequence: 1 })
    .limit(1)
    .toArray();
  const [first] = await firstOf(attempts, registrationId, deliveryId).toArray();
  return {
    owed: owed?.sequence ?? null,
    first: first?.line === undefined ? null : { key: first._id, dueAt: first.dueAt, sequence: first.line.sequence },
  };
}

/** The first due attempt of a line. */
function firstOf(attempts: WebhookTables['attempts'], registrationId: RegistrationId, deliveryId: DeliveryId) {
  return attempts
    .find({ registrationId, state: 'due', 'line.deliveryId': deliveryId }, { projection: { dueAt: 1, line: 1 } })
    .hint(DUE_LINES)
    .sort(DUE_LINES)
    .limit(1);
}

/**
 * Makes the next attempt of the line of an ended one due at once, unless it has been tried or leased already. Returns
 * whether one became due.
 */
export async function advanceLine(
  { attempts }: Pick<WebhookTables, 'attempts'>,
  { registrationId, line }: Pick<AttemptRow, 'registrationId' | 'line'>,
  now: number,
): Promise<boolean> {
  if (line === undefined) return false;
  const [next] = await firstOf(attempts, registrationId, line.deliveryId).toArray();
  if (next === undefined) return false;
  // The fraction makes the time another one than a claim may have read, so that it does not put the attempt off again.
  const { modifiedCount } = await attempts.updateOne(
    { _id: next._id, state: 'due', number: 0, claim: { $exists: false } },
    [{ $set: { dueAt: { $subtract: [now, { $rand: {} }] } } }],
  );
  return modifiedCount === 1;
}
