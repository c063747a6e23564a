import { z } from 'zod';
import { isoTime } from '../../../domain/time.ts';
import { EVENT_TYPES } from '../../../domain/deliveries/events.ts';
import { idSchema } from '../../../domain/ids.ts';
import { ORDERINGS, type Registration, type RegistrationEdit, type SentAttempt } from '../../../ports/webhooks.ts';
import { pageQuery } from '../../lists.ts';
import { InstantBody } from '../place.ts';
import { textOf, WebUrl } from '../../../domain/text.ts';

const EventsField = z
  .array(z.enum([...EVENT_TYPES, '*']))
  .min(1)
  .max(100);
const OrderingField = z.enum(ORDERINGS);
const ORDERING =
  'With `per_delivery`, an event is sent after each earlier event of its delivery was received or has failed for good. ' +
  'With `best_effort`, a failed event holds back no other';

export const NewWebhookBody = z
  .strictObject({
    url: WebUrl,
    events: EventsField.describe('Event types, or * for all types'),
    description: textOf(280).nullish(),
    ordering: OrderingField.default('best_effort').describe(ORDERING),
  })
  .transform(({ url, events, description, ordering }) => ({
    url,
    events: [...new Set<string>(events)],
    description: description ?? null,
    ordering,
  }));

export const WebhookListQuery = z.strictObject({
  ...pageQuery,
  status: z
    .enum(['enabled', 'disabled', 'all'])
    .default('enabled')
    .describe('Lists only webhooks that get events, only disabled ones, or all'),
});

export const WebhookEditBody = z
  .strictObject({
    url: WebUrl.exactOptional().describe('The new address, an http or https URL of at most 2048 characters'),
    events: EventsField.exactOptional().describe('The new event types, or * for all types'),
    description: textOf(280).nullable().exactOptional().describe('A new note of at most 280 characters; null for none'),
    ordering: OrderingField.exactOptional().describe(`${ORDERING}. A change concerns later events`),
    status: z
      .enum(['enabled', 'disabled'])
      .exactOptional()
      .describe('`disabled` stops sending, and due attempts fail. `enabled` starts again; replay what was missed'),
  })
  .transform(({ url, events, description, ordering, status }): RegistrationEdit => ({
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...new Set<string>(events)] }),
    ...(description === undefined ? {} : { description }),
    ...(ordering === undefined ? {} : { ordering }),
    ...(status === undefined ? {} : { isEnabled: status === 'enabled' }),
  }));

export const RotateSecretBody = z.strictObject({
  overlap_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('Hours for which the old secret also signs each request, 0 to 168'),
});

export const TestResultView = z.strictObject({
  object: z.literal('webhook_test').describe('The kind of object'),
  status: z.int().nullable().describe('The HTTP status that the receiver answered; null without an answer'),
  took_ms: z.int().min(0).describe('How long the try took, ms'),
  error: z.string().nullable().describe('Why the try failed; null for a success'),
  response: z.string().nullable().describe('The start of the answer, at most 1 KiB'),
});

const ATTEMPT_STATES = ['due', 'succeeded', 'failed'] as const;

export const AttemptListQuery = z.strictObject({
  ...pageQuery,
  state: z.enum(ATTEMPT_STATES).exactOptional().describe('Lists only attempts in this state'),
});

export const AttemptView = z.strictObject({
  id: idSchema('att').describe('The id of the attempt'),
  object: z.literal('webhook_attempt').describe('The kind of object'),
  event_id: idSchema('evt').describe('The event that is sent'),
  type: z.enum(EVENT_TYPES).nullable().describe('The type of the event; null if the event is no longer kept'),
  state: z.enum(ATTEMPT_STATES).describe('Whether a try is due, or how the attempt ended'),
  tries: z.int().min(0).describe('The number of tries that have a result, at most 10'),
  next_at: z.iso.datetime().nullable().describe('When the next try is due, UTC; null if the attempt has ended'),
  log: z
    .array(
      z.strictObject({
        at: z.iso.datetime().describe('When the try was made, UTC'),
        status: z.int().nullable().describe('The HTTP status that the receiver answered; null without an answer'),
        took_ms: z.number().min(0).describe('How long the try took, ms'),
        error: z.string().nullable().describe('Why the try failed; null for a success'),
        response: z.string().nullable().describe('The start of the answer, at most 1 KiB'),
      }),
    )
    .describe('The last 20 tries, oldest first'),
});

const REPLAY_ONE = 'must be given, unless `since` is, and not together with it';

export const ReplayBody = z
  .strictObject({
    event_id: idSchema('evt').exactOptional().describe('One event, which is sent again even if it was received'),
    since: InstantBody.exactOptional().describe(
      'Sends again what has failed or was never sent since this time, UTC, at most 30 days ago',
    ),
  })
  .refine(({ event_id: eventId, since }) => (eventId === undefined) !== (since === undefined), {
    error: REPLAY_ONE,
    path: ['event_id'],
  });

export const ReplayView = z.strictObject({
  object: z.literal('webhook_replay').describe('The kind of object'),
  due: z.int().min(0).describe('The number of attempts that became due'),
  next_since: z.iso
    .datetime()
    .nullable()
    .describe('The `since` with which to go on, UTC; null if all events were looked at'),
});

export const WebhookView = z.strictObject({
  id: idSchema('whk'),
  object: z.literal('webhook'),
  live_mode: z.boolean(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  ordering: OrderingField.describe('Whether an event waits for the earlier events of its delivery'),
  status: z.enum(['enabled', 'disabled']).describe('Whether the webhook gets events'),
  disabled_at: z.iso.datetime().nullable().describe('When it was disabled, UTC; null while it is enabled'),
  disabled_reason: z.string().nullable().describe('Why it was disabled; null while it is enabled'),
  created_at: z.iso.datetime(),
  secret: z
    .string()
    .exactOptional()
    .describe('The key of the signatures. Only the answers to the registration and to a rotation contain it'),
});

export function presentRegistration(registration: Registration): z.output<typeof WebhookView> {
  return {
    id: registration.id,
    object: 'webhook',
    live_mode: registration.liveMode,
    url: registration.url,
    events: [...registration.events],
    description: registration.description,
    ordering: registration.ordering,
    status: registration.disabled === null ? 'enabled' : 'disabled',
    disabled_at: registration.disabled === null ? null : isoTime(registration.disabled.at),
    disabled_reason: registration.disabled?.reason ?? null,
    created_at: isoTime(registration.createdAt),
  };
}

const STATE_OF = { due: 'due', succeeded: 'done', failed: 'failed' } as const;
const SHOWN = { due: 'due', done: 'succeeded', failed: 'failed' } as const;

/** The stored state of a state on the wire. */
export function attemptState(state: (typeof ATTEMPT_STATES)[number]): SentAttempt['state'] {
  return STATE_OF[state];
}

export function presentAttempt({
  id,
  eventId,
  type,
  state,
  number,
  nextAt,
  log,
}: SentAttempt): z.output<typeof AttemptView> {
  return {
    id,
    object: 'webhook_attempt',
    event_id: eventId,
    type,
    state: SHOWN[state],
    tries: number,
    next_at: nextAt === null ? null : isoTime(nextAt),
    log: log.map(({ at, status, tookMs, error, response }) => ({
      at: isoTime(at),
      status,
      took_ms: tookMs,
      error,
      response,
    })),
  };
}
