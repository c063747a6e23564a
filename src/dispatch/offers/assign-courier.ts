import { cardOf, type Courier } from '../../domain/couriers/courier.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { hasCourier, leavesFrom, mayEverDo, notTheirs } from '../../domain/deliveries/lifecycle.ts';
import type { Offer, WithdrawReason } from '../../domain/offers/offer.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Change } from '../../ports/changes.ts';
import type { Context } from '../../ports/context.ts';
import { commitOn, known, withEffects } from '../change-delivery.ts';
import { newestPlaceOf } from '../courier-place.ts';
import type { AssignCourier, Doer } from '../commands.ts';
import type { Ground } from '../decide-on.ts';
import { hereAt, planMove, type RequestedVerb, type Here } from '../move-delivery.ts';
import { withdrawOfferOf } from '../close-offer.ts';

type Needs = Pick<
  Context,
  | 'carried'
  | 'confirmed'
  | 'deliveries'
  | 'couriers'
  | 'offers'
  | 'clock'
  | 'commit'
  | 'notices'
  | 'positions'
  | 'bell'
  | 'settings'
  | 'travel'
>;

/**
 * Assigns a searching delivery to a courier, by an accepted offer or by a person: one compare-and-set over both. If the
 * courier already has it, the same answer comes again. If another courier has it, refuses `already_assigned` (by a
 * person) or `offer_taken` (by an offer). Also refuses what the guard says about the courier and the offer.
 */
export async function assignCourier(ctx: Needs, command: AssignCourier, doer: Doer): Promise<Delivery> {
  if (!mayEverDo('assign', doer.type)) throw new Refusal(notTheirs('assign', doer.type));
  const { courierId, offerId } = command;
  const after = await commitOn(ctx, groundOf(ctx, command), async (seen) =>
    planAssignment(seen, command, doer, hereAt(ctx, { courierId }, await newestPlaceOf(ctx, { courierId }))),
  );
  // An open offer of another delivery would make that delivery wait for a courier who has no room for it.
  if (offerId === null) await withdrawOfferOf(ctx, courierId, 'assigned_by_hand');
  return after;
}

type Named = Pick<AssignCourier, 'deliveryId' | 'courierId' | 'offerId'>;
/** A refusal can depend on any of the three, so all three are confirmed before it. */
type Pairing = { readonly delivery: Delivery; readonly courier: Courier; readonly offer: Offer | null };
type Reads = Pick<Context['confirmed'], 'findDelivery' | 'findCourier' | 'findOffer'>;

function groundOf({ confirmed, deliveries, couriers, offers }: Needs, named: Named): Ground<Pairing> {
  const fresh: Reads = {
    findDelivery: (id) => deliveries.find(id),
    findCourier: (id) => couriers.find(id),
    findOffer: (id) => offers.find(id),
  };
  return { read: () => readPairing(fresh, named), confirm: () => readPairing(confirmed, named) };
}

async function readPairing(reads: Reads, { deliveryId, courierId, offerId }: Named): Promise<Pairing> {
  const [delivery, courier, offer] = await Promise.all([
    reads.findDelivery(deliveryId),
    reads.findCourier(courierId),
    offerId === null ? null : reads.findOffer(offerId),
  ]);
  if (delivery === null) throw new Refusal('delivery_not_found');
  if (courier === null) throw new Refusal('courier_not_found');
  return { delivery, courier, offer };
}

/** The change that assigns the delivery to the courier; null if they already have it. */
function planAssignment(
  { delivery: before, courier, offer }: Pairing,
  command: Pick<AssignCourier, 'offerId' | 'overrideReason'>,
  doer: Doer,
  here: Here,
): Change | null {
  const isByHand = command.offerId === null;
  if (before.courierId === courier.id && hasCourier(before.state)) return null;
  if (!isByHand && !leavesFrom(before.state, 'assign')) throw new Refusal('offer_taken');
  if (hasCourier(before.state)) throw new Refusal('already_assigned', { metadata: { courier_id: before.courierId } });
  const requested: RequestedVerb = { verb: 'assign', stop: null, doer };
  const card = cardOf(courier);
  const change = planMove(before, {
    ...here,
    // This process may not have heard yet that another delivery of theirs has ended.
    carried: here.carried.filter(({ id }) => courier.active.includes(id)),
    requested,
    verb: 'assign',
    details: { courier: card, ...known({ override_reason: command.overrideReason }) },
    facts: { courier, offer, isByHand },
    sets: { courierId: courier.id, courier: card },
  });
  const reason: WithdrawReason = isByHand ? 'assigned_by_hand' : 'taken';
  return withEffects(change, [
    { kind: 'take_courier', courierId: courier.id, version: courier.version, deliveryId: before.id },
    { kind: 'close_offers', deliveryId: before.id, accepted: command.offerId, reason, at: here.now },
  ]);
}
