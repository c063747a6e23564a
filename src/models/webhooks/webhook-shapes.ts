import type { AttemptId, DeliveryId, EventId, RegistrationId } from '../../domain/ids.ts';
import { ENDING } from '../../engines/retention.ts';
import { date, flag, id, list, maybe, number, omissible, oneOf, part, text } from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import { ORDERINGS, type AttemptOutcome, type Ordering, type Registration } from '../../ports/webhooks.ts';
import { OWNED } from '../common-fields.ts';

export type RegistrationRow = Omit<Registration, 'id' | 'ordering' | 'disabled'> & {
  readonly _id: RegistrationId;
  readonly sealedSecret: string;
  /** Absent in rows of earlier releases: best effort. */
  readonly ordering?: Ordering;
  /** The secret before, which signs until then; machine time in ms. */
  readonly oldSecret?: OldSecret;
  readonly disabled?: NonNullable<Registration['disabled']>;
};
type OldSecret = { readonly sealed: string; readonly until: number };

/** One event for one registration. A claim moves `dueAt` to the end of its lease, when the attempt is due again. */
export type AttemptRow = {
  readonly _id: string;
  readonly attemptId: AttemptId;
  readonly eventKey: string;
  readonly eventId: EventId;
  readonly registrationId: RegistrationId;
  /** Absent if the attempt waits for no other. */
  readonly line?: Line;
  readonly state: 'due' | 'done' | 'failed';
  readonly dueAt: number;
  /** Tries with a recorded result. */
  readonly number: number;
  /** Claims, except those that were given back. Each leads to a result, unless its sender ends earlier. */
  readonly claims: number;
  readonly log: readonly AttemptOutcome[];
  /** When the row expires; absent while the attempt is due. */
  readonly endsOn?: Date;
  /** The claim that leased the row last. */
  readonly claim?: string;
};

/** The place of an attempt that waits for the earlier events of its delivery. */
type Line = { readonly deliveryId: DeliveryId; readonly sequence: number };

/** The index of the due attempts of each line, in their order. */
export const DUE_LINES = { registrationId: 1, 'line.deliveryId': 1, 'line.sequence': 1 } as const;

/** The index of due attempts. A scan can skip along its second field from registration to registration. */
export const DUE_ATTEMPTS = { state: 1, registrationId: 1, dueAt: 1 } as const;

export const REGISTRATIONS = shape<RegistrationRow>({
  name: 'registrations',
  holds: 'A vendor’s subscription to events.',
  kept: 'Until its vendor removes it.',
  shardKey: { vendorId: 1 },
  tenant: OWNED,
  indexes: [{ key: { vendorId: 1, liveMode: 1, createdAt: -1, _id: -1 } }],
  fields: {
    _id: id('whk', 'The registration’s id.'),
    vendorId: id('ven', 'The vendor.'),
    liveMode: flag('The mode whose events are sent.'),
    url: text('The address that receives the events.'),
    events: list(text('A type of event, or `*`.'), 'The types of events that are sent.'),
    description: maybe(text('The vendor’s own note.')),
    ordering: omissible(
      oneOf(
        ORDERINGS,
        'The order in which the events of one delivery are sent. Older registrations lack it: any order.',
      ),
    ),
    createdAt: number('When the registration was made, service time in ms.'),
    sealedSecret: text('The signing secret, encrypted.'),
    oldSecret: omissible(
      part<OldSecret>(
        { sealed: text('The secret, encrypted.'), until: number('When it stops signing, machine time in ms.') },
        'The signing secret before the last rotation.',
      ),
    ),
    disabled: omissible(
      part<NonNullable<Registration['disabled']>>(
        { at: number('When it was disabled, service time in ms.'), reason: text('The reason.') },
        'Present while the registration gets no events.',
      ),
    ),
  },
});

export const ATTEMPTS = shape<AttemptRow>({
  name: 'attempts',
  holds: 'One event for one registration, and the tries to send it.',
  kept: '`RETENTION_ATTEMPTS_MS` after the last try.',
  shardKey: { _id: 'hashed' },
  indexes: [
    { key: DUE_ATTEMPTS, partialFilterExpression: { state: 'due' } },
    { key: DUE_LINES, partialFilterExpression: { state: 'due', 'line.deliveryId': { $exists: true } } },
    { key: { registrationId: 1, state: 1, eventId: -1 } },
    ENDING,
  ],
  before: { lacks: ['claims'] },
  fields: {
    _id: text('The ids of the event and the registration. Each pair has one row, however often events are fanned out.'),
    attemptId: id('att', 'The attempt’s id.'),
    eventKey: text('The event’s key in `events`.'),
    eventId: id('evt', 'The event’s id.'),
    registrationId: id('whk', 'The registration.'),
    line: omissible(
      part<Line>(
        { deliveryId: id('del', 'The delivery.'), sequence: number('The event’s number within its delivery.') },
        'Present if the attempt waits until those of earlier events of the delivery have ended.',
      ),
    ),
    state: oneOf(['due', 'done', 'failed'], 'Whether a try is due, or how the attempt ended.'),
    dueAt: number('When the next try is due, service time in ms. A lease moves it to the end of the lease.'),
    number: number('How many tries have a result.'),
    claims: number('How many leases were taken for the tries.'),
    log: list(
      part<AttemptOutcome>(
        {
          at: number('When the try was made, service time in ms.'),
          status: maybe(number('The HTTP status of the answer.')),
          tookMs: number('How long the try took, machine time.'),
          error: maybe(text('The error of the try; null for a success.')),
          response: maybe(text('The beginning of the answer.')),
        },
        'One try.',
      ),
      'The results of the last 20 tries.',
    ),
    endsOn: omissible(date('When the database may delete the attempt; left out while a try is due.')),
    claim: omissible(text('The mark of the lease that was taken last.')),
  },
});
