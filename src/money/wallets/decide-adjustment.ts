import { changesOf } from '../../domain/audit.ts';
import { newId, type AdjustmentId, type StaffId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { planDecision, ENDS, type AdjustedMoney, type Adjustment, type AdjustmentDecision } from './adjustment.ts';

type Needs = Pick<Context, 'adjustments' | 'audit' | 'clock' | 'vendors'>;
type Asked = Omit<AdjustedMoney, 'currency'>;

/**
 * Asks for an adjustment of the wallet of a vendor, in the currency of the vendor. It moves no money until a second person
 * approves it. Refuses `vendor_not_found`.
 * @param id the id of the new adjustment, the same for each try of a request
 */
export async function requestAdjustment(
  ctx: Needs,
  asked: Asked,
  requestedBy: StaffId,
  id: AdjustmentId = newId('adj'),
): Promise<Adjustment> {
  const { currency } = await ctx.vendors.get(asked.vendorId);
  const now = ctx.clock.now();
  const times = { createdAt: now, updatedAt: now, version: 1 };
  const made: Adjustment = {
    ...asked,
    id,
    currency,
    state: 'awaiting_approval',
    requestedBy,
    decidedBy: null,
    ...times,
  };
  const isNew = await ctx.adjustments.add(made, auditOf(ctx, null, made));
  if (isNew) return made;
  const known = await ctx.adjustments.find(id);
  // A failover has taken it back, so the next try can succeed.
  if (known === null) throw new Refusal('busy');
  return known;
}

/**
 * Approves or rejects an adjustment. The one who asked for it cannot approve it (`forbidden`). Its money is booked once. A
 * repeat by the same person changes nothing. Refuses `adjustment_not_found`, `adjustment_not_open`, and
 * `insufficient_funds` if the wallet has less than is taken. Then the adjustment still waits.
 */
export async function decideAdjustment(
  ctx: Needs,
  id: AdjustmentId,
  decision: AdjustmentDecision,
  by: StaffId,
): Promise<Adjustment> {
  return untilWritten(async () => {
    const before = await ctx.adjustments.find(id);
    if (before === null) throw new Refusal('adjustment_not_found');
    if (before.decidedBy === by && before.state === ENDS[decision]) return before;
    if (decision === 'approve' && before.requestedBy === by) {
      const detail = 'The person who asked for the adjustment cannot approve it. A second member of staff must do it.';
      throw new Refusal('forbidden', { detail });
    }
    const step = planDecision(before, decision, by, ctx.clock.now());
    if (step === null) {
      const detail = `The adjustment is \`${before.state}\`. Only one that is \`awaiting_approval\` can be decided.`;
      throw new Refusal('adjustment_not_open', { detail, metadata: { status: before.state } });
    }
    const { next, command } = step;
    return (await ctx.adjustments.replace(next, command, auditOf(ctx, before, next))) ? next : null;
  });
}

function auditOf({ audit }: Needs, before: Adjustment | null, next: Adjustment) {
  const action = before === null ? 'adjustment.request' : 'adjustment.decide';
  const { id: objectId, vendorId, liveMode } = next;
  const changes = changesOf(before === null ? null : toldOf(before), toldOf(next));
  return audit.draft({ action, objectId, vendorId, liveMode, changes });
}

function toldOf({ state, amount, currency, reason }: Adjustment) {
  return { status: state, amount, currency, reason };
}
