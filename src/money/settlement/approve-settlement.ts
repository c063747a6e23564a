import { changesOf } from '../../domain/audit.ts';
import type { SettlementId, StaffId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { moveSettlement, type Settlement } from './settlement.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'settlements'>;

/**
 * Approves a settlement above the limit, which is then paid. A repeat by the same person changes nothing. Refuses
 * `settlement_not_found` and `settlement_not_open`.
 */
export async function approveSettlement(ctx: Needs, id: SettlementId, approvedBy: StaffId): Promise<Settlement> {
  return untilWritten(async () => {
    const before = await ctx.settlements.find(id);
    if (before === null) throw new Refusal('settlement_not_found');
    if (before.approvedBy === approvedBy) return before;
    const { vendorId, liveMode, state } = before;
    const moved = moveSettlement(before, 'approve', ctx.clock.now(), { approvedBy });
    if (moved === null) {
      const detail = `The settlement is \`${state}\`. Only a \`draft\` can be approved.`;
      throw new Refusal('settlement_not_open', { detail, metadata: { status: state } });
    }
    const { settlement } = moved;
    const changes = changesOf({ status: state }, { status: settlement.state });
    const entry = ctx.audit.draft({ action: 'settlement.approve', objectId: id, vendorId, liveMode, changes });
    return (await ctx.settlements.replace(settlement, null, entry)) ? settlement : null;
  });
}
