import type { PayoutId, StaffId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { refuseSamePerson } from './approve-payout.ts';
import { bookPayout } from './book-payout.ts';
import type { Payout } from './payout.ts';
import { planResolution, type Resolution } from './resolution.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'payouts'>;

/**
 * Ends a payout that waits for a person: its transfer was paid, or it has failed and the courier has the earnings
 * again. One that waits for an approval can only fail, which declines it. The server never asks the gateway about it
 * afterwards. The person who asked for the batch or approved the payout may not do it (`forbidden`). The same outcome
 * by the same person again changes nothing. Refuses `payout_not_found` and `payout_not_open`.
 */
export async function resolvePayout(
  ctx: Needs,
  id: PayoutId,
  resolution: Resolution,
  resolvedBy: StaffId,
): Promise<Payout> {
  return untilWritten(async () => {
    const before = await ctx.payouts.find(id);
    if (before === null) throw new Refusal('payout_not_found');
    if (before.resolvedBy === resolvedBy && before.state === resolution.outcome) return before;
    refuseSamePerson(before, resolvedBy);
    const { liveMode, state } = before;
    const planned = planResolution(before, resolution, resolvedBy, ctx.clock.now());
    if (planned === null) {
      const can =
        'A person can end one that is `needs_action`, and decline one that is `awaiting_approval` as `failed`.';
      const detail = `The payout is \`${state}\`. ${can}`;
      throw new Refusal('payout_not_open', { detail, metadata: { status: state } });
    }
    const { next: payout, books, changes } = planned;
    const audited = { action: 'payout.resolve', objectId: id, vendorId: null, liveMode, changes } as const;
    const command = books === null ? null : bookPayout(payout, books);
    return (await ctx.payouts.replace(payout, command, ctx.audit.draft(audited))) ? payout : null;
  });
}
