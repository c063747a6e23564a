import type { DeliveryId, RegistrationId } from '../../domain/ids.ts';
import { OWED } from './webhook-fan-out.ts';
import type { WebhookTables } from './webhook-rows.ts';
import { type AttemptRow, DUE_LINES } from './webhook-shapes.ts';

/** The wait of an attempt that another due attempt or an event without attempts holds back; service time. */
const SHORT_WAIT_MS = 1000;

/** A due attempt, as far as it decides whether it may be leased. */
export type DueRow = Pick<AttemptRow, '_id' | 'dueAt' | 'line' | 'number'>;

/** The first due attempt of a line. */
type First = { readonly key: string; readonly dueAt: number };

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
  const deliveryIds = [...new Set(due.flatMap(({ line }) => (line === undefined ? [] : [line.deliveryId])))];
  if (deliveryIds.length === 0) return due.map(({ _id }) => _id);
  // Attempts are stored before their event is done. So an earlier event is seen by this read, or its attempt by the next.
  const owed = await listOwed(tables, deliveryIds);
  const firsts = await listFirst(tables, registrationId, deliveryIds);
  const isHeld = ({ _id, line, number }: DueRow): boolean => {
    if (line === undefined || number > 0) return false;
    return firsts.get(line.deliveryId)?.key !== _id || (owed.get(line.deliveryId) ?? Infinity) < line.sequence;
  };
  const writes = due.filter(isHeld).map(({ _id, dueAt, line }) => {
    const first = line === undefined ? undefined : firsts.get(line.deliveryId);
    const until = Math.max(first?.dueAt ?? 0, now + SHORT_WAIT_MS);
    // If the first has ended meanwhile, the row is due at another time by now, and stays so.
    return { updateOne: { filter: { _id, state: 'due' as const, dueAt }, update: { $set: { dueAt: until } } } };
  });
  if (writes.length > 0) await tables.attempts.bulkWrite(writes, { ordered: false });
  return due.filter((row) => !isHeld(row)).map(({ _id }) => _id);
}

/** The lowest sequence of each delivery's events that wait for their attempts. */
async function listOwed(
  { events }: WebhookTables,
  deliveryIds: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, number>> {
  const index = { delivery_id: 1, sequence: 1 } as const;
  const owed = await events
    .find({ ...OWED, delivery_id: { $in: [...deliveryIds] } }, { projection: { ...index, _id: 0 } })
    .hint(index)
    // A map keeps the last of several entries with the same key.
    .sort({ sequence: -1 })
    .toArray();
  return new Map(owed.map(({ delivery_id: deliveryId, sequence }) => [deliveryId, sequence]));
}

async function listFirst(
  { attempts }: Pick<WebhookTables, 'attempts'>,
  registrationId: RegistrationId,
  deliveryIds: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, First>> {
  const lines = { registrationId, state: 'due', 'line.deliveryId': { $in: [...deliveryIds] } };
  const first = { key: { $first: '$_id' }, dueAt: { $first: '$dueAt' } };
  const stages = [{ $match: lines }, { $sort: DUE_LINES }, { $group: { _id: '$line.deliveryId', ...first } }];
  const found = await attempts.aggregate<First & { _id: DeliveryId }>(stages, { hint: DUE_LINES }).toArray();
  return new Map(found.map(({ _id, ...row }) => [_id, row]));
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
  const [next] = await attempts
    .find({ registrationId, state: 'due', 'line.deliveryId': line.deliveryId }, { projection: { _id: 1 } })
    .hint(DUE_LINES)
    .sort(DUE_LINES)
    .limit(1)
    .toArray();
  if (next === undefined) return false;
  // The fraction makes the time another one than a claim may have read, so that it does not put the attempt off again.
  const { modifiedCount } = await attempts.updateOne(
    { _id: next._id, state: 'due', number: 0, claim: { $exists: false } },
    [{ $set: { dueAt: { $subtract: [now, { $rand: {} }] } } }],
  );
  return modifiedCount === 1;
}
