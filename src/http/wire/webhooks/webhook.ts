import { z } from 'zod';
import { isoTime } from '../../../domain/time.ts';
import { EVENT_TYPES } from '../../../domain/deliveries/events.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Registration } from '../../../ports/webhooks.ts';
import { textOf } from '../place.ts';

const WRONG_URL = 'must be an http or https URL of at most 2048 characters';

export const NewWebhookBody = z
  .strictObject({
    url: z.url({ protocol: /^https?$/, error: WRONG_URL }).max(2048, WRONG_URL),
    events: z
      .array(z.enum([...EVENT_TYPES, '*']))
      .min(1)
      .max(100)
      .describe('Event types, or * for all types'),
    description: textOf(280).nullish(),
  })
  .transform(({ url, events, description }) => ({
    url,
    events: [...new Set<string>(events)],
    description: description ?? null,
  }));

export const WebhookView = z.strictObject({
  id: idSchema('whk'),
  object: z.literal('webhook'),
  live_mode: z.boolean(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  created_at: z.iso.datetime(),
  secret: z
    .string()
    .exactOptional()
    .describe('The key of the signatures. Only the answer to the registration contains it'),
});

export function presentRegistration(registration: Registration): z.output<typeof WebhookView> {
  return {
    id: registration.id,
    object: 'webhook',
    live_mode: registration.liveMode,
    url: registration.url,
    events: [...registration.events],
    description: registration.description,
    created_at: isoTime(registration.createdAt),
  };
}
