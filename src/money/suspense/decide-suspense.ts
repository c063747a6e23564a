import { changesOf, type AuditAction } from '../../domain/audit.ts';
import type { StaffId, SuspenseId } from '../../domain/ids.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import type { Context } from '../../ports/context.ts';
import { planApproval, planDecision, type Suspense, type SuspenseDecision, type SuspenseStep } from './suspense.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'settings' | 'suspense' | 'vendors'>;
/** The decision that somebody approves, as they have read it. */
type Seen = { readonly decision: SuspenseDecision; readonly version: number };
type Asked = { readonly decision: SuspenseDecision; readonly reason: string };

/** What each action needs of the money. */
const NEEDS = {
  'suspense.decide': 'Only money that is `open` or `awaiting_approval` can be decided about.',
  'suspense.approve': 'An approval must name the decision and the version of money that is `awaiting_approval`.',
} as const satisfies Partial<Record<AuditAction, string>>;

/**
 * Decides about money in suspense. Above the limit it then waits for a second person. The same decision of the same person
 * again changes nothing. Refuses `suspense_not_found` and `suspense_not_open`, and a credit in a currency that is not the
 * vendor's.
 */
export async function decideSuspense(ctx: Needs, id: SuspenseId, asked: Asked, by: StaffId): Promise<Suspense> {
  return change(ctx, id, 'suspense.decide', async (before) => {
    if (before.decidedBy === by && before.decision === asked.decision && before.reason === asked.reason) return 'done';
    if (asked.decision === 'credit') await refuseOtherCurrency(ctx, before);
    const { approvalAmount: limit, alertMs } = ctx.settings.suspense;
    return planDecision(before, { ...asked, by }, { limit, alertMs, now: ctx.clock.now() });
  });
}

/**
 * Approves the decision about an amount above the limit, by somebody other than the one who decided (`forbidden`). A repeat by
 * the same person changes nothing. A decision that was changed since it was read is not approved, even if its name is the same.
 * Refuses `suspense_not_found` and `suspense_not_open`, and a credit in a currency that is not the vendor's.
 */
export async function approveSuspense(ctx: Needs, id: SuspenseId, seen: Seen, by: StaffId): Promise<Suspense> {
  return change(ctx, id, 'suspense.approve', async (before) => {
    if (before.decision !== seen.decision) return null;
    if (before.approvedBy === by) return 'done';
    if (before.decidedBy === by) {
      const detail = 'The person who decided cannot approve the decision. A second member of staff must do it.';
      throw new Refusal('forbidden', { detail });
    }
    if (before.version !== seen.version) return null;
    // The currency of the vendor may have changed since the decision.
    if (seen.decision === 'credit') await refuseOtherCurrency(ctx, before);
    return planApproval(before, by, ctx.clock.now());
  });
}

async function change(
  { audit, suspense }: Needs,
  id: SuspenseId,
  action: keyof typeof NEEDS,
  plan: (before: Suspense) => Promise<SuspenseStep | 'done' | null>,
): Promise<Suspense> {
  return untilWritten(async () => {
    const before = await suspense.find(id);
    if (before === null) throw new Refusal('suspense_not_found');
    const step = await plan(before);
    if (step === 'done') return before;
    if (step === null) {
      const decided =
        before.decision === null ? '' : ` The decision is \`${before.decision}\`, in version ${before.version}.`;
      const detail = `The money is \`${before.state}\`.${decided} ${NEEDS[action]}`;
      const { state: status, decision, version } = before;
      throw new Refusal('suspense_not_open', { detail, metadata: { status, decision, version } });
    }
    const { next, command } = step;
    const changes = changesOf(toldOf(before), toldOf(next));
    const entry = audit.draft({ action, objectId: id, vendorId: null, liveMode: before.liveMode, changes });
    return (await suspense.replace(next, command, entry)) ? next : null;
  });
}

function toldOf({ state, decision, reason, amount, currency }: Suspense) {
  return { status: state, decision, reason, amount, currency };
}

async function refuseOtherCurrency({ vendors }: Needs, { vendorId, currency }: Suspense): Promise<void> {
  const vendor = await vendors.get(vendorId);
  if (vendor.currency === currency) return;
  const why = `must be \`return\`: the money is ${currency}, and the wallet of the vendor is in ${vendor.currency}`;
  throw refuseField('/decision', 'other_currency', why);
}
