import { EVENT_TYPES } from '../../domain/deliveries/events.ts';
import type { VendorId } from '../../domain/ids.ts';
import { areDuplicateKeys } from '../../engines/mongo.ts';
import type { FannedOut } from '../../ports/webhooks.ts';
import { newAttempt, type StoredEvent, type WebhookTables } from './webhook-rows.ts';
import type { AttemptRow, RegistrationRow } from './webhook-shapes.ts';

/**
 * The events that wait for their attempts. An event with a type unknown to this process comes from a newer version, and is
 * left to the processes of that version.
 */
export const OWED = { webhooks: 'due' as const, type: { $in: [...EVENT_TYPES] } };

/** The fields of an event that decide who gets it. The payload, which is most of it, stays in the database. */
const ROUTED = {
  projection: { id: 1, type: 1, vendor_id: 1, live_mode: 1, delivery_id: 1, sequence: 1 },
} as const;
type Routed = Pick<StoredEvent, '_id' | keyof typeof ROUTED.projection>;

/** Makes the attempts of up to `limit` due events, oldest first. Returns the numbers of events and of attempts. */
export async function fanOut(
  { registrations, attempts, events }: WebhookTables,
  limit: number,
  now: number,
): Promise<FannedOut> {
  const due = await events.find<Routed>(OWED, ROUTED).sort({ created_at: 1, _id: 1 }).limit(limit).toArray();
  if (due.length === 0) return { events: 0, attempts: 0 };
  const vendorIds: VendorId[] = [...new Set(due.map(({ vendor_id: vendorId }) => vendorId))];
  const listeners = await registrations.find({ vendorId: { $in: vendorIds }, disabled: { $exists: false } }).toArray();
  const rows = due.flatMap((event) =>
    listeners
      .filter((listener) => wants(listener, event))
      .map(({ _id, ordering }) => newAttempt(event, _id, ordering, now)),
  );
  if (rows.length > 0) await insertNew(attempts, rows);
  await events.updateMany({ _id: { $in: due.map(({ _id }) => _id) } }, { $set: { webhooks: 'done' } });
  return { events: due.length, attempts: rows.length };
}

/** Inserts the rows. A row that another sender or an earlier try has already made stays as it is. */
async function insertNew(attempts: WebhookTables['attempts'], rows: AttemptRow[]): Promise<void> {
  try {
    await attempts.insertMany(rows, { ordered: false });
  } catch (error) {
    // The database has still tried every other row. If one failed for another reason, its event stays due.
    if (!areDuplicateKeys(error)) throw error;
  }
}

/** Says whether a registration gets an event: one of its own vendor and mode, if it lists the type or `*`. */
function wants(row: RegistrationRow, event: Routed): boolean {
  if (row.vendorId !== event.vendor_id || row.liveMode !== event.live_mode) return false;
  return row.events.includes('*') || row.events.includes(event.type);
}
