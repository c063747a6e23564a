import type { mongo } from 'mongoose';
import type { EventId, RegistrationId } from '../../domain/ids.ts';
import type { Registration } from '../../ports/webhooks.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { EVENTS_LOG, type EventRow } from '../deliveries/event-rows.ts';
import { ATTEMPTS, type AttemptRow, REGISTRATIONS, type RegistrationRow } from './webhook-shapes.ts';

/** The key of the attempt of an event for a registration. */
export function attemptKey(eventId: EventId, registrationId: RegistrationId): string {
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

export function registrationOf({ _id, sealedSecret: _sealed, ...rest }: RegistrationRow): Registration {
  return { ...rest, id: _id };
}
