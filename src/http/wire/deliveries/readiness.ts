import { z } from 'zod';
import type { DelayPickup } from '../../../dispatch/commands.ts';
import { InstantBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

export const ReadyBody = z
  .strictObject({
    ready_at: InstantBody.exactOptional().describe(
      'When the goods became ready, by default now. Must not be in the future',
    ),
  })
  .transform(({ ready_at: readyAt }) => readyAt ?? null);

/** The delay if the request names none: the most common choice of kitchens. */
const USUAL_MINUTES = 10;

export const DelayBody = z
  .strictObject({
    minutes: z
      .number()
      .int()
      .min(1)
      .max(60)
      .exactOptional()
      .describe(
        `Delay from the ready time, or from now if that has passed. The default is ${USUAL_MINUTES}. The same value sent ` +
          'again within one minute is the same delay; later it is another delay. To make retries safe, use `ready_at`',
      ),
    ready_at: InstantBody.exactOptional().describe('The new ready time. Use it instead of `minutes`'),
    reason: textOf(280).exactOptional().describe('The courier and the recipient see this text'),
  })
  .transform(({ minutes, ready_at: readyAt, reason = null }, issues): Omit<DelayPickup, 'deliveryId'> => {
    if (readyAt === undefined) return { to: { minutes: minutes ?? USUAL_MINUTES }, reason };
    if (minutes === undefined) return { to: { readyAt }, reason };
    issues.addIssue({
      code: 'custom',
      path: ['minutes'],
      message: 'must be left out when `ready_at` is given',
    });
    return z.NEVER;
  });
