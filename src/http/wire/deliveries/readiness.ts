import { z } from 'zod';
import type { DelayPickup } from '../../../dispatch/commands.ts';
import { InstantBody, textOf } from '../place.ts';

export const ReadyBody = z
  .strictObject({ ready_at: InstantBody.exactOptional().describe('Since when, where it is not now; not to come') })
  .transform(({ ready_at: readyAt }) => readyAt ?? null);

/** A delay of which nothing is said but that there is one: the commonest of those that kitchens choose from. */
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
        `From the ready time, or from now if it has passed; ${USUAL_MINUTES} when nothing is said. The same minutes sent ` +
          'again within one minute are the same delay, and later they are another one: to repeat it safely, name `ready_at`',
      ),
    ready_at: InstantBody.exactOptional().describe('The new ready time, instead of minutes'),
    reason: textOf(280).exactOptional().describe('Shown to the courier and to the recipient'),
  })
  .transform(({ minutes, ready_at: readyAt, reason = null }, issues): Omit<DelayPickup, 'deliveryId'> => {
    if (readyAt === undefined) return { to: { minutes: minutes ?? USUAL_MINUTES }, reason };
    if (minutes === undefined) return { to: { readyAt }, reason };
    issues.addIssue({ code: 'custom', path: ['minutes'], message: 'must be left out when `ready_at` is given' });
    return z.NEVER;
  });
