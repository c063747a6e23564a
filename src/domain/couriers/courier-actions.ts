import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { FAIL_REASONS } from '../deliveries/states.ts';

/** The fields of a courier's actions, which HTTP and sockets parse alike. Each adds how it names the delivery and the stop. */

const words = z.string().trim().min(1).max(280);

const overrideReason = words
  .exactOptional()
  .describe('Why the action is right although the courier is away from the stop; at most 280 characters');

/** An action that only a reason can accompany: an arrival, a pickup, a departure or a hand-over. */
export const ActBody = z.strictObject({ override_reason: overrideReason });

const ContactTry = z.strictObject({
  at: z.iso.datetime().describe('When the courier tried, RFC 3339 in UTC'),
  channel: z.enum(['call', 'message']),
});

/** A drop-off that cannot be served. */
export const GiveUpBody = z.strictObject({
  reason: z.enum(FAIL_REASONS),
  override_reason: overrideReason,
  contact_tries: z
    .array(ContactTry)
    .max(20)
    .default([])
    .describe('Tries to reach the recipient since the pickup. A courier needs two that are at least one minute apart'),
});

/** A delivery that its courier gives back. */
export const LetGoBody = z.strictObject({
  reason: words.describe('Why the courier loses the delivery; at most 280 characters'),
});

/** A delivery that somebody takes from its courier. */
export const TakeBackBody = LetGoBody.extend({
  courier_id: idSchema('cou')
    .exactOptional()
    .describe('The courier who loses the delivery. A retry with this field never takes it from another courier'),
});

/** A declined offer. */
export const DeclineBody = z.strictObject({
  reason: words.exactOptional().describe('Why the courier declines; at most 280 characters'),
});

/** The tries with their times in epoch ms. */
export function triesOf<T extends z.output<typeof ContactTry>>(
  tries: readonly T[],
): { readonly at: number; readonly channel: T['channel'] }[] {
  return tries.map(({ at, channel }) => ({ at: Date.parse(at), channel }));
}
