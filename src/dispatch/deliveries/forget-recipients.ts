import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { forgetsAt } from '../../domain/deliveries/due.ts';
import { withoutRecipients } from '../../domain/deliveries/stops/recipients.ts';
import type { Context } from '../../ports/context.ts';
import { commitDecision, makeChange } from '../change-delivery.ts';
import { momentOf } from '../moment-of.ts';

type Needs = Parameters<typeof commitDecision>[0] & Parameters<typeof momentOf>[0] & Pick<Context, 'settings'>;

/**
 * Forgets the people who received the goods of a delivery, as long after its end as its events are kept. The change has no
 * event, since an event would tell again who they were. Returns when to look again, service time in ms.
 */
export async function forgetRecipients(ctx: Needs, delivery: Delivery): Promise<number | null> {
  const dueAt = forgetsAt(delivery, ctx.settings.retention);
  if (dueAt === null || ctx.clock.now() < dueAt) return dueAt;
  const after = await commitDecision(ctx, delivery.id, (before) => {
    const forgotten = withoutRecipients(before);
    const isDue = ctx.clock.now() >= (forgetsAt(before, ctx.settings.retention) ?? Infinity);
    return isDue ? makeChange(before, forgotten, [], momentOf(ctx, before, null)) : null;
  });
  return forgetsAt(after, ctx.settings.retention);
}
