import type { MatchVerdict } from '../../../domain/offers/decision.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type { CourierId, DeliveryId } from '../../../domain/ids.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { isSearchOn, roboAcceptsAt } from '../../../domain/deliveries/search.ts';
import { planRound, type OfferRound } from './offer-round.ts';
import { answerRun, type MatchDecision, type RunAnswer, type RunRequest } from '../../match/answer.ts';
import { rulesOf } from '../../match/rules.ts';
import type { Seat } from './seats.ts';
import { takeSnapshot } from './snapshot.ts';
import type { RunInput } from './run-input.ts';

/** A pair that receives an offer now, and how. A parallel round has several pairs of one delivery. */
export type OfferPair = { readonly delivery: Delivery; readonly courierId: CourierId; readonly round: OfferRound };

/** Why a delivery is offered in this run, or is not. */
export type Reason = MatchVerdict | 'search_not_on';

export type RunPlan = {
  readonly pairs: readonly OfferPair[];
  /** Open offers to withdraw, because another courier is a much better match now. */
  readonly outdone: readonly Offer[];
  readonly reasons: ReadonlyMap<DeliveryId, Reason>;
  readonly answer: RunAnswer;
};

/** A run that is ready to be answered, by the worker or on the spot. */
export type PreparedRun = {
  readonly request: RunRequest;
  readonly seats: readonly Seat[];
  /** Planned deliveries by id. */
  readonly pool: ReadonlyMap<string, Delivery>;
  readonly left: ReadonlyMap<DeliveryId, Reason>;
};

/** Puts a run into columns: which deliveries are planned, and in which world. */
export function prepareRun(input: RunInput, kept: RunAnswer['kept'], seed: number): PreparedRun {
  const left = new Map<DeliveryId, Reason>();
  const open = Map.groupBy(input.openOffers, ({ deliveryId }) => deliveryId);
  const pool = input.deliveries.filter((delivery) => {
    const reason = leaveOut(input, delivery, open.get(delivery.id) ?? []);
    if (reason !== null) left.set(delivery.id, reason);
    return reason === null;
  });
  const { world, seats } = takeSnapshot(input, pool);
  const rules = rulesOf(input.settings, world.orders.ids.length, world.couriers.ids.length);
  return { request: { world, kept, rules, seed }, seats, pool: new Map(pool.map((one) => [one.id, one])), left };
}

/** Turns the answer into offers: how each due delivery is offered, and to whom beside the chosen courier. */
export function readAnswer(input: RunInput, { pool, left }: PreparedRun, answer: RunAnswer): RunPlan {
  const reasons = new Map<DeliveryId, Reason>(left);
  const taken = new Set(answer.due.map(({ courierId }) => courierId));
  const decisions = new Map<string, MatchDecision>(answer.decisions.map((decision) => [decision.deliveryId, decision]));
  for (const { deliveryId, verdict } of answer.decisions) {
    if (pool.has(deliveryId)) reasons.set(deliveryId, verdict);
  }
  // The courier with the open offer is not part of this run, because they were not heard of.
  for (const delivery of pool.values()) if (!decisions.has(delivery.id)) reasons.set(delivery.id, 'offer_open');
  const open = Map.groupBy(input.openOffers, ({ deliveryId }) => deliveryId);
  const closed = Map.groupBy(input.closedOffers, ({ deliveryId }) => deliveryId);
  const pairs = answer.due.flatMap(({ courierId, orderIds }) => {
    // A courier receives one offer at a time. The rest of the bundle follows after they accept.
    const [orderId = ''] = orderIds;
    const delivery = pool.get(orderId);
    if (delivery === undefined) return [];
    const { id } = delivery;
    const round = planRound(delivery, closed.get(id) ?? [], input.settings.offers, open.get(id));
    return askFor(delivery, courierId as CourierId, decisions.get(orderId)?.others ?? [], round, taken);
  });
  const outdone = new Set(answer.outdone);
  return {
    pairs,
    outdone: input.openOffers.filter(({ deliveryId, isExclusive }) => isExclusive && outdone.has(deliveryId)),
    reasons,
    answer,
  };
}

/** Prepares, answers and reads a run on the spot. */
export function planRun(input: RunInput, kept: RunAnswer['kept'] = [], seed = 1): RunPlan {
  const prepared = prepareRun(input, kept, seed);
  return readAnswer(input, prepared, answerRun(prepared.request));
}

/** Why a delivery with these open offers is not planned, or null. */
function leaveOut({ now, settings }: RunInput, delivery: Delivery, open: readonly Offer[]): Reason | null {
  if (!isSearchOn(delivery, now)) return 'search_not_on';
  // An offer that no robo-courier may accept yet, or ever, would keep them from other tests until it expires.
  const acceptsAt = delivery.robo === null ? now : roboAcceptsAt(delivery);
  if (acceptsAt > now) return acceptsAt === Infinity ? 'no_candidate' : 'not_due';
  // The plan includes a courier with an exclusive offer. In a parallel round nobody knows who will accept.
  if (open.length === 0 || open.some(({ isExclusive }) => isExclusive)) return null;
  return planRound(delivery, [], settings.offers, open).count === 0 ? 'offer_open' : null;
}

/**
 * The chosen courier and, in a parallel round, the next best who are not needed otherwise. All of them are taken now.
 */
function askFor(
  delivery: Delivery,
  courierId: CourierId,
  others: readonly CourierId[],
  round: OfferRound,
  taken: Set<string>,
): OfferPair[] {
  const beside = others.filter((id) => !taken.has(id)).slice(0, Math.max(0, round.count - 1));
  for (const id of beside) taken.add(id);
  return [courierId, ...beside].slice(0, round.count).map((id) => ({ delivery, courierId: id as CourierId, round }));
}
