import type { StaffId, TopUpRefundId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { planResolution, type Resolution } from '../payouts/resolution.ts';
import { bookRefund } from './book-refund.ts';
import type { TopUpRefund } from './top-up-refund.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'topUpRefunds'>;

/**
 * Ends a refund that waits for a person: the payer has the money, or the wallet has it again. The person who asked for the
 * refund may not do it (`forbidden`). The same outcome by the same person again changes nothing. After a failed one the server
 * looks at the payment again, because the gateway may show the refund by now. Refuses `top_up_refund_not_found` and
 * `top_up_refund_not_open`.
 */
export async function resolveRefund(
  ctx: Needs,
  id: TopUpRefundId,
  resolution: Resolution,
  resolvedBy: StaffId,
): Promise<TopUpRefund> {
  return untilWritten(async () => {
    const before = await ctx.topUpRefunds.find(id);
    if (before === null) throw new Refusal('top_up_refund_not_found');
    if (before.resolvedBy === resolvedBy && before.state === resolution.outcome) return before;
    if (before.requestedBy === resolvedBy)
      throw new Refusal('forbidden', {
        detail: 'The person who asked for the refund cannot end it. Another one must.',
      });
    const { state, liveMode } = before;
    const planned = planResolution(before, resolution, resolvedBy, ctx.clock.now());
    if (planned === null) {
      const detail = `The refund is \`${state}\`. Only one that is \`needs_action\` can be ended by a person.`;
      throw new Refusal('top_up_refund_not_open', { detail, metadata: { status: state } });
    }
    const { next, books, changes } = planned;
    // The vendor sees what the refund does in its wallet. How finance knows is for colleagues.
    const audited = { action: 'top_up_refund.resolve', objectId: id, vendorId: null, liveMode, changes } as const;
    const command = books === null ? null : bookRefund(next, books);
    return (await ctx.topUpRefunds.resolve(next, command, ctx.audit.draft(audited))) ? next : null;
  });
}
