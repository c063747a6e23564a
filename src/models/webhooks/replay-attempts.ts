import type { mongo as engine } from 'mongoose';
import { changesOf } from '../../domain/audit.ts';
import type { RegistrationId } from '../../domain/ids.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { transact } from '../../engines/transact.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Registration, SentAttempt, WebhookStore } from '../../ports/webhooks.ts';
import { record, type Managing } from './manage-webhooks.ts';
import { newAttempt, type StoredEvent, type WebhookTables } from './webhook-rows.ts';
import type { AttemptRow } from './webhook-shapes.ts';

type Replaying = Pick<WebhookStore, 'replayEvent' | 'replaySince' | 'listAttempts'>;

/** Events that are read at a time. */
const BATCH = 200;

/**
 * Makes events of a registration due again, and lists its attempts. Each batch is one transaction with an entry of the
 * audit log, so a replay that is cut short has entries for what it did.
 */
export function replayAttempts(managing: Managing, { attempts, events }: WebhookTables): Replaying {
  const { mongo, clock } = managing;
  const replay = (asked: string, registration: Registration, batch: readonly StoredEvent[], again: Ended[]) =>
    transact(mongo, clock, async (session) => {
      const rows = batch.map((event) => newAttempt(event, registration.id, registration.ordering, clock.now()));
      const due = await makeDue(attempts, rows, again, session);
      const changes = changesOf(null, { asked, due });
      if (due > 0) await record(managing, session, registration, 'webhook.replay', changes);
      return due;
    });
  return {
    replayEvent: async (registration, eventId) => {
      const event = await events.findOne({ id: eventId, ...ownedBy(registration) });
      if (event === null) return null;
      return replay(eventId, registration, [event], ['failed', 'done']);
    },
    replaySince: async (registration, since, limit) => {
      let [made, read] = [0, 0];
      let after: { readonly at: string; readonly id: string } | null = null;
      const order = { created_at: 1, id: 1 } as const;
      while (read < limit) {
        const size = Math.min(BATCH, limit - read);
        const page: StoredEvent[] = await events
          .find({ ...ownedBy(registration), created_at: { $gte: since }, ...rowsAfter(after, order) })
          .sort(order)
          .limit(size)
          .toArray();
        const wanted = page.filter(
          ({ type }) => registration.events.includes('*') || registration.events.includes(type),
        );
        if (wanted.length > 0) made += await replay(since, registration, wanted, ['failed']);
        read += page.length;
        const last = page.at(-1);
        if (last === undefined || page.length < size) return { made, nextSince: null };
        after = { at: last.created_at, id: last.id };
      }
      return { made, nextSince: after?.at ?? null };
    },
    listAttempts: async (id, state, page) => list({ attempts, events }, id, state, page),
  };
}

function ownedBy({ vendorId, liveMode }: Registration) {
  return { vendor_id: vendorId, live_mode: liveMode };
}

/** How an attempt can have ended. */
type Ended = 'failed' | 'done';

/**
 * Makes attempts due: those of the rows that do not exist, and again those that have ended in one of these ways. All
 * others stay as they are.
 * @returns the number of attempts that became due
 */
async function makeDue(
  attempts: WebhookTables['attempts'],
  rows: readonly AttemptRow[],
  again: readonly Ended[],
  session: engine.ClientSession,
): Promise<number> {
  const ids = rows.map(({ _id }) => _id);
  const known = await attempts.find({ _id: { $in: ids } }, { projection: { _id: 1 }, session }).toArray();
  const old = new Set(known.map(({ _id }) => _id));
  const made = rows.filter(({ _id }) => !old.has(_id));
  // If the fan-out makes one of them meanwhile, the database runs the transaction again.
  if (made.length > 0) await attempts.insertMany(made, { session });
  const { modifiedCount } = await attempts.updateMany(
    { _id: { $in: [...old] }, state: { $in: [...again] } },
    { $set: { state: 'due', dueAt: rows[0]?.dueAt ?? 0, number: 0, claims: 0 }, $unset: { endsOn: '', claim: '' } },
    { session },
  );
  return made.length + modifiedCount;
}

async function list(
  { attempts, events }: Pick<WebhookTables, 'attempts' | 'events'>,
  registrationId: RegistrationId,
  state: SentAttempt['state'] | null,
  { limit, after }: PageRequest,
): Promise<Page<SentAttempt>> {
  const order = { eventId: -1 } as const;
  // All states are named, so that the index with the state gives their order.
  const states: SentAttempt['state'][] = state === null ? ['due', 'done', 'failed'] : [state];
  const rows = await attempts
    .find({ registrationId, state: { $in: states }, ...rowsAfter(after, order) })
    .sort(order)
    .limit(limit + 1)
    .toArray();
  const named = events.find({ _id: { $in: rows.map(({ eventKey }) => eventKey) } }, { projection: { type: 1 } });
  const types = new Map((await named.toArray()).map(({ _id, type }) => [_id, type]));
  const sent = rows.map(({ attemptId, eventId, eventKey, state: at, dueAt, log, number }): SentAttempt => ({
    id: attemptId,
    eventId,
    type: types.get(eventKey) ?? null,
    state: at,
    number,
    nextAt: at === 'due' ? dueAt : null,
    log,
  }));
  return pageOf(sent, limit, ({ eventId }) => ({ at: 0, id: eventId }));
}
