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

/** One event to one registration. A claim moves `dueAt` to the end of its lease, when the attempt is due again. */
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
  /** Claims, without those that were given back. Each leads to a result, unless its sender ends before. */
  claims: number;
  log: AttemptOutcome[];
  /** When the row goes; absent while something is due. */
  endsOn?: Date;
  /** Which claim leased it last. */
  claim?: string;
};

/** The key of the row of an event for a registration. */
export function attemptKey(eventId: EventId, registrationId: RegistrationId): string {
  return `${eventId}:${registrationId}`;
}

/** The key of the index of what is due: its second field is walked from registration to registration. */
export const DUE_ATTEMPTS = { state: 1, registrationId: 1, dueAt: 1 } as const;

/** What the webhooks of a process are kept in; `key` (32 bytes) encrypts the secrets at rest. */
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
