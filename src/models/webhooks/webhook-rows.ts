import type { mongo } from 'mongoose';
import { newId, type EventId, type RegistrationId } from '../../domain/ids.ts';
import type { Ordering, Registration, Secrets } from '../../ports/webhooks.ts';
import { seal, unseal } from '../secrets/seal.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { EVENTS_LOG, type EventRow } from '../deliveries/events/event-rows.ts';
import { ATTEMPTS, type AttemptRow, REGISTRATIONS, type RegistrationRow } from './webhook-shapes.ts';

/** The key of the attempt of an event for a registration. */
function attemptKey(eventId: EventId, registrationId: RegistrationId): string {
  return `${eventId}:${registrationId}`;
}

/** The collections of webhooks. `key` (32 bytes) encrypts the secrets at rest. */
export type WebhookTables = {
  readonly registrations: mongo.Collection<RegistrationRow>;
  readonly attempts: mongo.Collection<AttemptRow>;
  readonly events: mongo.Collection<EventRow>;
  readonly key: Buffer;
};

export function webhookTables(mongo: Mongo, key: Buffer): WebhookTables {
  return {
    registrations: mongo.collection(REGISTRATIONS),
    attempts: mongo.collection(ATTEMPTS),
    events: mongo.collection(EVENTS_LOG),
    key,
  };
}

/** A stored event. */
export type StoredEvent = EventRow;

/** A secret as it is stored. */
export function sealSecret(key: Buffer, secret: string): string {
  return seal(key, secret);
}

/** The secrets that sign at this instant of machine time; null if the own one cannot be decrypted. */
export function secretsOf(key: Buffer, { sealedSecret, oldSecret }: RegistrationRow, now: number): Secrets | null {
  const own = unseal(key, sealedSecret);
  if (own === null) return null;
  const old = oldSecret !== undefined && oldSecret.until > now ? unseal(key, oldSecret.sealed) : null;
  return old === null ? [own] : [own, old];
}

export function registrationOf({ _id, sealedSecret: _own, oldSecret: _old, ...rest }: RegistrationRow): Registration {
  return { ...rest, ordering: rest.ordering ?? 'best_effort', disabled: rest.disabled ?? null, id: _id };
}

/** The attempt of an event for a registration, due now. */
export function newAttempt(
  event: Pick<StoredEvent, '_id' | 'id' | 'delivery_id' | 'sequence'>,
  registrationId: RegistrationId,
  ordering: Ordering | undefined,
  now: number,
): AttemptRow {
  const line = { deliveryId: event.delivery_id, sequence: event.sequence };
  return {
    _id: attemptKey(event.id, registrationId),
    attemptId: newId('att'),
    eventKey: event._id,
    eventId: event.id,
    registrationId,
    ...(ordering === 'per_delivery' ? { line } : {}),
    state: 'due',
    dueAt: now,
    number: 0,
    claims: 0,
    log: [],
  };
}
