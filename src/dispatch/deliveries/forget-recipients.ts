import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { forgetsAt } from '../../domain/deliveries/due.ts';
import { momentWithout } from '../../domain/deliveries/eta.ts';
import { withoutRecipients } from '../../domain/deliveries/stops/recipients.ts';
import type { Context } from '../../ports/context.ts';
import { commitDecision, makeChange } from '../change-delivery.ts';

type Needs = Parameters<typeof commitDecision>[0] & Pick<Context, 'settings' | 'travel'>;

/**
 * Forgets the people who received the goods of an ended delivery, when its events have ended. The change has no event, since
 * an event would tell again who they were, and the time of the last change stays, since readers of changes need not hear of it.
 * Returns when to look again, service time in ms.
 */
export async function forgetRecipients(ctx: Needs, delivery: Delivery): Promise<number | null> {
  const dueAt = forgetsAt(delivery, ctx.settings.retention);
  if (dueAt === null || ctx.clock.now() < dueAt) return dueAt;
  const after = await commitDecision(ctx, delivery.id, (before) => {
    const isDue = ctx.clock.now() >= (forgetsAt(before, ctx.settings.retention) ?? Infinity);
    const asThen = momentWithout(before.times.updatedAt, ctx.travel, ctx.settings);
    return isDue ? makeChange(before, withoutRecipients(before), [], asThen) : null;
  });
  return forgetsAt(after, ctx.settings.retention);
}
