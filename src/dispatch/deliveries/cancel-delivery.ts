import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { CANCEL_REASONS_OF } from '../../domain/deliveries/states.ts';
import { chargedOf } from '../../domain/pricing/funds.ts';
import { anyOf, Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { WithdrawReason } from '../../domain/offers/offer.ts';
import { isStopEnded } from '../../domain/deliveries/stops/stop.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import type { CancelDelivery, Doer } from '../commands.ts';
import { moveDelivery, type RequestedVerb, type Here, type MoveNeeds } from '../move-delivery.ts';
import { planEnding } from './open-return.ts';
import { known, withEffects } from '../change-delivery.ts';

/**
 * Cancels a delivery that has not ended. Its courier becomes free and its offers are withdrawn. Once collected, the
 * goods come back as a return by the same courier. The server itself (`system`) cancels only if the search ended
 * without a courier. Refuses `invalid_state_transition` if the delivery has ended, unless the same actor canceled it.
 * Refuses `impossible_value` for a reason that this kind of caller may not name, and `cancellation_fee_changed` if the
 * cancel costs more than they accept.
 */
export function cancelDelivery(
  ctx: MoveNeeds & Pick<Context, 'links'>,
  command: CancelDelivery,
  doer: Doer,
): Promise<Delivery> {
  const requested: RequestedVerb = { verb: 'cancel', stop: null, doer };
  return moveDelivery(ctx, command, requested, (before, here) =>
    planCancel(before, command, requested, here, ctx.links.make(1)),
  );
}

/** The change that a cancel makes. Throws the refusal if the caller may not cancel. Writes nothing. */
export function planCancel(
  before: Delivery,
  { reason, comment, acceptFee = Infinity }: Omit<CancelDelivery, 'deliveryId'>,
  requested: RequestedVerb,
  here: Here,
  backLinks: Delivery['links'],
): Change {
  const dropOffs = before.dropOffs.map((stop) =>
    isStopEnded(stop) ? stop : { ...stop, state: 'canceled' as const, doneAt: here.now },
  );
  const sets = { dropOffs, ending: { by: requested.doer.type, reason, ...(comment === undefined ? {} : { comment }) } };
  const change = planEnding(
    before,
    { ...here, requested, verb: 'cancel', details: known({ reason }), sets },
    backLinks,
  );
  refuseReason(reason, requested.doer);
  refuseRisen(change.after, acceptFee);
  if (!leavesFrom(before.state, 'assign')) return change;
  const why: WithdrawReason = requested.doer.type === 'system' ? 'search_ended' : 'canceled';
  const closing = { kind: 'close_offers', deliveryId: before.id, accepted: null, reason: why, at: here.now } as const;
  return withEffects(change, [closing]);
}

/** Refuses a fee above the one that the caller accepts. */
function refuseRisen({ funds, currency }: Delivery, acceptFee: number): void {
  const breakdown = funds?.charges ?? [];
  const fee = chargedOf(breakdown);
  if (fee <= acceptFee) return;
  const detail = `The cancel costs ${fee} now, which is more than \`/accept_fee\` of ${acceptFee}. Nothing has changed.`;
  const errors = [{ pointer: '/accept_fee', code: 'cancellation_fee_changed', message: detail }];
  throw new Refusal('cancellation_fee_changed', { detail, errors, metadata: { fee, currency, breakdown } });
}

/** Refuses a reason that this kind of caller may not name. */
function refuseReason(reason: CancelDelivery['reason'], { type }: Doer): void {
  const own = CANCEL_REASONS_OF[type];
  if (reason === null || own.includes(reason)) return;
  throw refuseField('/reason', 'not_allowed', `must be one of ${anyOf(own)} if the caller is of the kind \`${type}\``);
}
