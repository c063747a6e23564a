import type { mongo } from 'mongoose';
import type { AttemptId, EventId, RegistrationId } from '../../domain/ids.ts';
import type { AttemptOutcome, Registration } from '../../ports/webhooks.ts';
import type { EventRow } from '../deliveries/event-rows.ts';
import type { Mongo } from '../../engines/mongo.ts';

export type RegistrationRow = Omit<Registration, 'id' | 'events'> & {
  readonly _id: RegistrationId;
  readonly events: string[];
  readonly sealedSecret: string;
};

/** One event for one registration. A claim moves `dueAt` to the end of its lease, when the attempt is due again. */
export type AttemptRow = {
  _id: string;
  attemptId: AttemptId;
  eventKey: string;
  eventId: EventId;
  registrationId: RegistrationId;
  state: 'due' | 'done' | 'failed';
  dueAt: number;
  /** Tries with a recorded result. */
  number: number;
  /** Claims, except those that were given back. Each leads to a result, unless its sender ends earlier. */
  claims: number;
  log: AttemptOutcome[];
  /** When the row expires; absent while the attempt is due. */
  endsOn?: Date;
  /** The claim that leased the row last. */
  claim?: string;
};

/** The key of the attempt of an event for a registration. */
export function attemptKey(eventId: EventId, registrationId: RegistrationId): string {
  return `${eventId}:${registrationId}`;
}

/** The index of due attempts. A scan can skip along its second field from registration to registration. */
export const DUE_ATTEMPTS = { state: 1, registrationId: 1, dueAt: 1 } as const;

/** The collections of webhooks. `key` (32 bytes) encrypts the secrets at rest. */
export type WebhookTables = {
  readonly registrations: mongo.Collection<RegistrationRow>;
  readonly attempts: mongo.Collection<AttemptRow>;
  readonly events: mongo.Collection<EventRow>;
  readonly key: Buffer;
};

export function webhookTables(mongo: Mongo, key: Buffer): WebhookTables {
  return {
    registrations: mongo.collection('registrations'),
    attempts: mongo.collection('attempts'),
    events: mongo.collection('events'),
    key,
  };
}

export function registrationOf({ _id, sealedSecret: _sealed, ...rest }: RegistrationRow): Registration {
  return { ...rest, id: _id };
}
