import { momentWithout } from '../../domain/deliveries/eta.ts';
import { changesOf } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../domain/ids.ts';
import { chargedOf, taxOf, type Refund } from '../../domain/pricing/funds.ts';
import { findRefund, planRefund, type AskedRefund, type PlannedRefund } from '../../money/refunds/refund.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { actorFor, bookingOf, changeDelivery, makeChange, withEffects, type Happening } from '../change-delivery.ts';
import type { Doer } from '../commands.ts';

/** The parts of the context that a refund needs. */
export type RefundNeeds = Pick<
  Context,
  'audit' | 'clock' | 'commit' | 'confirmed' | 'deliveries' | 'notices' | 'settings' | 'travel'
>;

/** A refund to make. The reference names it: the same one is made once, however often it is sent. */
export type RefundDelivery = AskedRefund & { readonly deliveryId: DeliveryId };

/**
 * Gives all or a part of what the end of a delivery charged back to its vendor. The delivery, its event, the entry of the
 * ledger and the entry of the audit log are one transaction. A repeat returns the refund that was made. Refuses
 * `refund_not_possible`, `refund_exceeds_charge`, and `idempotency_key_reused` if the reference names another refund.
 */
export async function refundDelivery(
  ctx: RefundNeeds,
  { deliveryId, ...asked }: RefundDelivery,
  doer: Doer,
): Promise<{ readonly delivery: Delivery; readonly refund: Refund }> {
  const delivery = await changeDelivery(ctx, deliveryId, doer, (before) => {
    if (findRefund(before, asked) !== null) return null;
    const now = ctx.clock.now();
    const planned = planRefund(before, asked, now, ctx.settings.refunds);
    return refundChange(ctx, before, planned, doer);
  });
  const refund = findRefund(delivery, asked);
  if (refund === null) throw new Error('the delivery has the refund');
  return { delivery, refund };
}

/** The change that makes a planned refund. */
export function refundChange(
  { audit, settings, travel }: Pick<RefundNeeds, 'audit' | 'settings' | 'travel'>,
  before: Delivery,
  { refund, funds, entry }: PlannedRefund,
  doer: Doer,
): Change {
  const { id, vendorId, liveMode, currency } = before;
  const { reason, reference, lines, at } = refund;
  const [amount, tax] = [chargedOf(lines), taxOf(lines)];
  const happening: Happening<'delivery.refunded'> = {
    type: 'delivery.refunded',
    actor: actorFor(doer),
    refund: { id: refund.id, amount, tax },
    reason,
  };
  const changes = changesOf(null, { refund_id: refund.id, amount, currency, reason, reference });
  const audited = audit.draft({ action: 'delivery.refund', objectId: id, vendorId, liveMode, changes });
  const change = makeChange(before, { ...before, funds }, [happening], momentWithout(at, travel, settings));
  return withEffects(change, [...bookingOf([{ do: 'post', entry }]), { kind: 'audit', entry: audited }]);
}
