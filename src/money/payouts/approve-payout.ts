import { changesOf } from '../../domain/audit.ts';
import { isSuspendedByStaff } from '../../domain/couriers/not-active.ts';
import type { PayoutId, StaffId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { moveOutgoing } from './outgoing.ts';
import { COURIER_SUSPENDED, type Payout } from './payout.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'couriers' | 'payouts'>;

/**
 * Approves a payout above the limit or of a suspended courier, which is then sent. The reason of the approved payout
 * says whether the courier is suspended now, because the approval counts for that. The person who asked for the batch
 * may not approve it (`forbidden`). A repeat by the same person changes nothing. Refuses `payout_not_found` and
 * `payout_not_open`.
 */
export async function approvePayout(ctx: Needs, id: PayoutId, approvedBy: StaffId): Promise<Payout> {
  return untilWritten(async () => {
    const before = await ctx.payouts.find(id);
    if (before === null) throw new Refusal('payout_not_found');
    if (before.approvedBy === approvedBy) return before;
    refuseSamePerson(before, approvedBy);
    const reason = isSuspendedByStaff(await ctx.couriers.find(before.courierId)) ? COURIER_SUSPENDED : null;
    const moved = moveOutgoing(before, 'approve', ctx.clock.now(), { approvedBy, reason });
    if (moved === null) {
      const detail = `The payout is \`${before.state}\`. Only one that is \`awaiting_approval\` can be approved.`;
      throw new Refusal('payout_not_open', { detail, metadata: { status: before.state } });
    }
    const { liveMode, state } = before;
    const changes = changesOf({ status: state, reason: before.reason }, { status: moved.next.state, reason });
    const audited = { action: 'payout.approve', objectId: id, vendorId: null, liveMode, changes } as const;
    return (await ctx.payouts.replace(moved.next, null, ctx.audit.draft(audited))) ? moved.next : null;
  });
}

/** Refuses the person who asked for the batch, and the one who has approved the payout. */
export function refuseSamePerson({ requestedBy: { type, id }, approvedBy }: Payout, staffId: StaffId): void {
  const hasAsked = type === 'staff' && id === staffId;
  if (!hasAsked && approvedBy !== staffId) return;
  const detail =
    'The person who asked for the batch or approved the payout cannot decide about it. Another member of staff must do it.';
  throw new Refusal('forbidden', { detail });
}
