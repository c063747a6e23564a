import { newId, type RegistrationId } from '../../domain/ids.ts';
import { areDuplicateKeys } from '../../engines/mongo.ts';
import { pageOf } from '../../engines/pages.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import type { Registration, SentAttempt, WebhookStore } from '../../ports/webhooks.ts';
import { attemptKey, type StoredEvent, type WebhookTables } from './webhook-rows.ts';
import type { AttemptRow } from './webhook-shapes.ts';

type Replaying = Pick<WebhookStore, 'replayEvent' | 'replaySince' | 'listAttempts'>;

/** Events that are read at a time. */
const BATCH = 200;

/** Makes events of a registration due again, and lists its attempts. */
export function replayAttempts(tables: WebhookTables, clock: Clock): Replaying {
  const { attempts, events } = tables;
  return {
    replayEvent: async (registration, eventId) => {
      const event = await events.findOne({ id: eventId, ...ownedBy(registration) });
      if (event === null) return null;
      return makeDue(tables, registration, [event], clock.now(), true);
    },
    replaySince: async (registration, since, limit) => {
      let [made, read] = [0, 0];
      let after: StoredEvent | null = null;
      while (read < limit) {
        const size = Math.min(BATCH, limit - read);
        const page: StoredEvent[] = await events
          .find({ ...ownedBy(registration), created_at: { $gte: after?.created_at ?? since }, ...newerThan(after) })
          .sort({ created_at: 1, id: 1 })
          .limit(size)
          .toArray();
        const wanted = page.filter(
          ({ type }) => registration.events.includes('*') || registration.events.includes(type),
        );
        made += await makeDue(tables, registration, wanted, clock.now(), false);
        read += page.length;
        after = page.at(-1) ?? null;
        if (page.length < size) return { made, nextSince: null };
      }
      return { made, nextSince: after?.created_at ?? null };
    },
    listAttempts: async (id, state, page) => list(attempts, id, state, page),
  };
}

function ownedBy({ vendorId, liveMode }: Registration) {
  return { vendor_id: vendorId, live_mode: liveMode };
}

function newerThan(after: StoredEvent | null) {
  if (after === null) return {};
  const { created_at: at, id } = after;
  return { $or: [{ created_at: { $gt: at } }, { created_at: at, id: { $gt: id } }] };
}

/**
 * Makes attempts due: new ones for events that have none, and failed ones again. A due one stays as it is, and a
 * succeeded one is sent again only if `isAsked`.
 * @returns the number of attempts that became due
 */
async function makeDue(
  { attempts }: WebhookTables,
  registration: Registration,
  events: readonly StoredEvent[],
  now: number,
  isAsked: boolean,
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event): AttemptRow => ({
    _id: attemptKey(event.id, registration.id),
    attemptId: newId('att'),
    eventKey: event._id,
    eventId: event.id,
    registrationId: registration.id,
    state: 'due',
    dueAt: now,
    number: 0,
    claims: 0,
    log: [],
  }));
  // First the old ones: after the insert, a new one would count twice.
  const states: AttemptRow['state'][] = isAsked ? ['failed', 'done'] : ['failed'];
  const again = await attempts.updateMany(
    { _id: { $in: rows.map(({ _id }) => _id) }, state: { $in: states } },
    { $set: { state: 'due', dueAt: now, number: 0, claims: 0 }, $unset: { endsOn: '', claim: '' } },
  );
  try {
    const { insertedCount } = await attempts.insertMany(rows, { ordered: false });
    return again.modifiedCount + insertedCount;
  } catch (error) {
    // The attempt of an event exists already. The database has still tried every other row.
    if (!areDuplicateKeys(error)) throw error;
    const inserted = (error as { readonly insertedCount?: number }).insertedCount ?? 0;
    return again.modifiedCount + inserted;
  }
}

async function list(
  attempts: WebhookTables['attempts'],
  registrationId: RegistrationId,
  state: SentAttempt['state'] | null,
  { limit, after }: PageRequest,
): Promise<Page<SentAttempt>> {
  const older = after === null ? {} : { eventId: { $lt: after.id as AttemptRow['eventId'] } };
  // All states are named, so that the index with the state gives their order.
  const states: SentAttempt['state'][] = state === null ? ['due', 'done', 'failed'] : [state];
  const rows = await attempts
    .find({ registrationId, state: { $in: states }, ...older })
    .sort({ eventId: -1 })
    .limit(limit + 1)
    .toArray();
  const sent = rows.map(({ attemptId, eventId, state: at, dueAt, log, number }): SentAttempt => ({
    id: attemptId,
    eventId,
    state: at,
    number,
    nextAt: at === 'due' ? dueAt : null,
    log,
  }));
  return pageOf(sent, limit, ({ eventId }) => ({ at: 0, id: eventId }));
}
