import { EVENT_TYPES, type DomainEvent } from '../../domain/deliveries/events.ts';
import { newId, type VendorId } from '../../domain/ids.ts';
import type { EventRow } from '../deliveries/event-rows.ts';
import { areDuplicateKeys } from '../../engines/mongo.ts';
import { attemptKey, type AttemptRow, type RegistrationRow, type WebhookTables } from './webhook-rows.ts';

/**
 * Makes the attempts of up to `limit` due events, the oldest first; gives how many events those were. An event of a type
 * that this process does not know was written by a newer version, and is left to its processes.
 */
export async function fanOut(
  { registrations, attempts, events }: WebhookTables,
  limit: number,
  now: number,
): Promise<number> {
  const owed = { webhooks: 'due' as const, type: { $in: [...EVENT_TYPES] } };
  const due = await events.find(owed).sort({ created_at: 1, _id: 1 }).limit(limit).toArray();
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

/** Published types go to whoever names them or `*`, additive ones likewise; events of another vendor or mode never. */
function wants(row: RegistrationRow, event: DomainEvent): boolean {
  if (row.vendorId !== event.vendor_id || row.liveMode !== event.live_mode) return false;
  return row.events.includes('*') || row.events.includes(event.type);
}

function attemptRow(event: EventRow, registration: RegistrationRow, now: number): AttemptRow {
  return {
    _id: attemptKey(event.id, registration._id),
    attemptId: newId('att'),
    eventKey: event._id,
    eventId: event.id,
    registrationId: registration._id,
    state: 'due',
    dueAt: now,
    number: 0,
    claims: 0,
    log: [],
  };
}
