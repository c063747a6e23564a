import { changesOf, type AuditAction, type AuditActor, type AuditEntry } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DisputeId, RefundId } from '../../domain/ids.ts';
import { Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { untilWritten } from '../../domain/until-written.ts';
import { amountOf } from '../../money/amount.ts';
import { releaseDisputed } from '../../money/disputes/book-dispute.ts';
import {
  moveDispute,
  type Dispute,
  type DisputeStep,
  type DisputeVerb,
  type FaultParty,
} from '../../money/disputes/dispute.ts';
import { planRefund } from '../../money/refunds/refund.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { bookingOf, commitOn, getConfirmed, withEffects } from '../change-delivery.ts';
import type { Doer } from '../commands.ts';
import { refundChange, type RefundNeeds } from './refund-delivery.ts';

type MoveNeeds = Pick<Context, 'audit' | 'clock' | 'disputes'>;
type Needs = MoveNeeds & RefundNeeds;

/** A decision. An accepted dispute gives back the amount; null for all that is disputed. */
export type DisputeVerdict = {
  readonly outcome: 'accepted' | 'rejected';
  readonly partyAtFault: FaultParty;
  readonly amount: number | null;
  readonly note: string;
};

/** The one who decides, as the events of the delivery and the audit log name them. */
type Decider = { readonly doer: Doer; readonly actor: AuditActor };

/** A dispute. Refuses `dispute_not_found`. */
export async function getDispute({ disputes }: Pick<Context, 'disputes'>, id: DisputeId): Promise<Dispute> {
  const dispute = await disputes.find(id);
  if (dispute === null) throw new Refusal('dispute_not_found');
  return dispute;
}

/** Takes an open dispute into review. A repeat by the same person changes nothing. Refuses `dispute_closed`. */
export function reviewDispute(ctx: MoveNeeds, id: DisputeId, actor: AuditActor): Promise<Dispute> {
  return changeDispute(ctx, id, 'dispute.review', (before) =>
    before.state === 'in_review' && isSame(before.handledBy, actor)
      ? null
      : moved(ctx, before, 'review', { handledBy: actor }),
  );
}

/** Withdraws an open dispute, which gives the reserved money back to the revenue. A repeat changes nothing. */
export function withdrawDispute(ctx: MoveNeeds, id: DisputeId): Promise<Dispute> {
  return changeDispute(ctx, id, 'dispute.withdraw', (before) =>
    before.state === 'withdrawn' ? null : moved(ctx, before, 'withdraw', {}),
  );
}

/**
 * Decides an open dispute. An accepted one refunds its delivery out of the reserve, in one transaction with its state,
 * and whatever is left of the reserve goes back to the revenue. The same decision by the same person changes nothing.
 * Refuses `dispute_closed` if somebody else was faster, and `refund_exceeds_charge` if less is left of the charge.
 */
export function decideDispute(
  ctx: Needs,
  id: DisputeId,
  verdict: DisputeVerdict,
  { doer, actor, refundId }: Decider & { readonly refundId: RefundId },
): Promise<Dispute> {
  const { partyAtFault, note } = verdict;
  const sets = { partyAtFault, note, handledBy: actor };
  if (verdict.outcome === 'accepted') return accept(ctx, id, verdict, { doer, actor, refundId });
  return changeDispute(ctx, id, 'dispute.decide', (before) =>
    isDecidedSo(before, verdict, actor) ? null : moved(ctx, before, 'reject', sets),
  );
}

type Ground = { readonly delivery: Delivery | null; readonly dispute: Dispute };

async function accept(
  ctx: Needs,
  id: DisputeId,
  verdict: DisputeVerdict,
  by: Decider & { readonly refundId: RefundId },
): Promise<Dispute> {
  const { deliveryId } = await getDispute(ctx, id);
  const readWith = async (delivery: Delivery): Promise<Ground> => ({ delivery, dispute: await getDispute(ctx, id) });
  const ground = {
    read: async () => readWith(await ctx.deliveries.get(deliveryId)),
    confirm: async () => readWith(await getConfirmed(ctx, deliveryId)),
  };
  await commitOn(ctx, ground, ({ delivery, dispute }) => {
    if (isDecidedSo(dispute, verdict, by.actor) || delivery === null) return null;
    return acceptance(ctx, delivery, dispute, verdict, by);
  });
  return getDispute(ctx, id);
}

/** The refund of the delivery, with the dispute that it ends. */
function acceptance(
  ctx: Needs,
  delivery: Delivery,
  before: Dispute,
  { amount, note, partyAtFault }: DisputeVerdict,
  { doer, actor, refundId }: Decider & { readonly refundId: RefundId },
): Change {
  const { id, description } = before;
  const wanted = amount ?? before.amount;
  const sets = { partyAtFault, note, handledBy: actor, refunded: amountOf(wanted) };
  const { dispute: next } = moved(ctx, before, 'accept', sets);
  if (wanted > before.amount)
    throw refuseField('/amount', 'out_of_range', `must be at most ${before.amount}, the disputed amount`);
  // No caller can write a reference with a colon, so none of theirs is in the way.
  const asked = { id: refundId, reference: `dispute:${id}`, reason: description, amount: wanted, disputeId: id };
  // The dispute was raised in time and within the number, however long its decision takes and how many refunds come meanwhile.
  const planned = planRefund(delivery, asked, ctx.clock.now(), { windowMs: Infinity, most: Infinity });
  const taken = planned.fromReserve;
  return withEffects(refundChange(ctx, delivery, planned, doer), [
    ...bookingOf(releaseDisputed(before, taken)),
    { kind: 'move_dispute', next },
    { kind: 'audit', entry: entryOf(ctx, 'dispute.decide', before, next) },
  ]);
}

/** Reads, decides and writes a dispute whose delivery stays as it is. Null changes nothing. */
async function changeDispute(
  ctx: MoveNeeds,
  id: DisputeId,
  action: AuditAction,
  decide: (before: Dispute) => DisputeStep | null,
): Promise<Dispute> {
  return untilWritten(async () => {
    const before = await getDispute(ctx, id);
    const step = decide(before);
    if (step === null) return before;
    const { dispute: next, books } = step;
    const commands = books === null ? [] : releaseDisputed(before);
    return (await ctx.disputes.replace(next, commands, entryOf(ctx, action, before, next))) ? next : null;
  });
}

/** The dispute after a verb, and what the move books. Refuses `dispute_closed` if the verb does not lead from its state. */
function moved(
  { clock }: Pick<Context, 'clock'>,
  before: Dispute,
  verb: DisputeVerb,
  sets: Parameters<typeof moveDispute>[3],
): DisputeStep {
  const step = moveDispute(before, verb, clock.now(), sets);
  if (step !== null) return step;
  const detail = `The dispute is \`${before.state}\`, so this is no longer possible.`;
  throw new Refusal('dispute_closed', { detail, metadata: { status: before.state } });
}

function isDecidedSo(
  dispute: Dispute,
  { outcome, partyAtFault, amount, note }: DisputeVerdict,
  actor: AuditActor,
): boolean {
  const { state, handledBy, refunded } = dispute;
  if (state !== outcome || !isSame(handledBy, actor)) return false;
  if (dispute.partyAtFault !== partyAtFault || dispute.note !== note) return false;
  return outcome === 'rejected' || refunded === (amount ?? dispute.amount);
}

function isSame(one: AuditActor | null, other: AuditActor): boolean {
  return one?.type === other.type && one.id === other.id;
}

function entryOf({ audit }: Pick<Context, 'audit'>, action: AuditAction, before: Dispute, after: Dispute): AuditEntry {
  const { id: objectId, vendorId, liveMode } = after;
  const factsIn = ({ state, refunded, partyAtFault, note }: Dispute) => ({
    status: state,
    refunded,
    party_at_fault: partyAtFault,
    note,
  });
  return audit.draft({ action, objectId, vendorId, liveMode, changes: changesOf(factsIn(before), factsIn(after)) });
}
