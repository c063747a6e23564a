import type { Delivery } from '../../domain/delivery.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { pausedUntil, type Offer } from '../../domain/offer.ts';
import { planRound, type OfferRound } from '../offer-round.ts';
import { candidatesFor, indexCouriers, type Candidate, type CourierIndex, type RunCourier } from './candidates.ts';
import { ACCESS_S, LAST_CALL_MS, pairCostS, readyAtOf, UNMATCHED_S } from './cost.ts';
import { solveAssignment, type Edges } from './solve.ts';
import type { Context } from '../../ports.ts';

/** All that one run of a region knows. Deliveries stand oldest first; couriers are online, active and present. */
export type RunInput = {
  readonly now: number;
  readonly settings: Pick<Context['settings'], 'dispatch' | 'offers'>;
  readonly deliveries: readonly Delivery[];
  readonly couriers: readonly RunCourier[];
  readonly openOffers: readonly Offer[];
  readonly closedOffers: readonly Offer[];
};

export type Pair = {
  readonly delivery: Delivery;
  readonly courierId: CourierId;
  readonly arriveAt: number;
  readonly costS: number;
};
/** A pair to be asked now, and how. A parallel round has several pairs of one delivery. */
export type OfferPair = Pair & { readonly round: OfferRound };

/** Why a delivery is, or is not, offered in this run. */
export type Reason =
  | 'offered'
  | 'offer_open'
  | 'search_not_on'
  | 'no_candidate'
  | 'outbid'
  | 'courier_not_free'
  | 'not_due';

export type RunPlan = {
  readonly pairs: readonly OfferPair[];
  readonly tentative: readonly Pair[];
  readonly reasons: ReadonlyMap<DeliveryId, Reason>;
};

/** More candidates are looked at when open deliveries exceed this share of the couriers. */
const SCARCE_SHARE = 0.7;
/** From sending an offer to its acceptance: about 9 s of thinking, and 25 s × (1 / 0.8 − 1) for the one in five refused. */
const EXPECTED_OFFER_MS = 15_000;

type Option = { readonly candidate: Candidate; readonly costS: number };

/**
 * Plans one run, pure: pool, candidates, costs, the exact assignment over all open deliveries, and which of its pairs to
 * offer now. A pair is kept tentative, and solved again next time, while waiting one more period delays nothing.
 */
export function planRun(input: RunInput): RunPlan {
  const { now, settings } = input;
  const reasons = new Map<DeliveryId, Reason>();
  const deliveries = poolOf(input, reasons);
  const asked = new Set(input.openOffers.map(({ courierId }) => courierId));
  const couriers = input.couriers.filter(({ courier }) => !asked.has(courier.id));
  const index = indexCouriers(couriers, now, settings.dispatch.soonFreeMs);
  const options = optionsOf(input, deliveries, index);
  const columns = solveAssignment(edgesOf(options, index.starts.length), UNMATCHED_S);
  const taken = new Set(columns);
  const closed = byDelivery(input.closedOffers);
  const pairs: OfferPair[] = [];
  const tentative: Pair[] = [];
  for (const [row, delivery] of deliveries.entries()) {
    const own = options[row]!;
    const best = own.find(({ candidate }) => candidate.courier === columns[row]);
    const reason = judge(delivery, own, best, index, input);
    reasons.set(delivery.id, reason);
    if (best === undefined) continue;
    if (reason !== 'offered') {
      tentative.push(pairOf(delivery, best, index));
      continue;
    }
    const round = planRound(delivery, closed.get(delivery.id) ?? [], settings.offers);
    for (const option of [best, ...othersFor(round, own, index, taken)]) {
      taken.add(option.candidate.courier);
      pairs.push({ ...pairOf(delivery, option, index), round });
    }
  }
  return { pairs, tentative, reasons };
}

/** The deliveries that may be offered: their search is on and nobody is being asked. */
function poolOf({ deliveries, openOffers, now }: RunInput, reasons: Map<DeliveryId, Reason>): Delivery[] {
  const offered = new Set(openOffers.map(({ deliveryId }) => deliveryId));
  return deliveries.filter((delivery) => {
    const isOn = now >= delivery.searchFromAt && now < delivery.searchUntilAt;
    if (!isOn) reasons.set(delivery.id, 'search_not_on');
    else if (offered.has(delivery.id)) reasons.set(delivery.id, 'offer_open');
    return isOn && !offered.has(delivery.id);
  });
}

/** Each delivery's candidates with their costs, soonest first. */
function optionsOf({ now, settings, closedOffers }: RunInput, deliveries: Delivery[], index: CourierIndex): Option[][] {
  const isScarce = deliveries.length > SCARCE_SHARE * index.starts.length;
  const limits = {
    count: isScarce ? settings.dispatch.scarceCandidates : settings.dispatch.candidates,
    maxDistanceM: settings.dispatch.maxPickupDistanceM,
  };
  const paused = closedOffers.filter((offer) => (pausedUntil(offer) ?? 0) > now);
  const pausedBy = byDelivery(paused);
  return deliveries.map((delivery) => {
    const barred = new Set(delivery.formerCouriers);
    for (const { courierId } of pausedBy.get(delivery.id) ?? []) barred.add(courierId);
    return candidatesFor(delivery, index, barred, limits).map((candidate) => ({
      candidate,
      costS: pairCostS(delivery, candidate, index.starts[candidate.courier]!, now),
    }));
  });
}

function byDelivery(offers: readonly Offer[]): ReadonlyMap<DeliveryId, readonly Offer[]> {
  const groups = new Map<DeliveryId, Offer[]>();
  for (const offer of offers) {
    const group = groups.get(offer.deliveryId);
    if (group === undefined) groups.set(offer.deliveryId, [offer]);
    else group.push(offer);
  }
  return groups;
}

function edgesOf(options: readonly (readonly Option[])[], columns: number): Edges {
  const count = options.reduce((sum, own) => sum + own.length, 0);
  const edges = {
    rows: options.length,
    columns,
    starts: new Int32Array(options.length + 1),
    targets: new Int32Array(count),
    costs: new Float64Array(count),
  };
  let edge = 0;
  for (const [row, own] of options.entries()) {
    for (const { candidate, costS } of own) {
      edges.targets[edge] = candidate.courier;
      edges.costs[edge] = costS;
      edge += 1;
    }
    edges.starts[row + 1] = edge;
  }
  return edges;
}

function judge(
  delivery: Delivery,
  own: readonly Option[],
  best: Option | undefined,
  { starts }: CourierIndex,
  { now, settings }: RunInput,
): Reason {
  if (best === undefined) return own.length === 0 ? 'no_candidate' : 'outbid';
  if (starts[best.candidate.courier]!.isBusy) return 'courier_not_free';
  const thereAt = now + settings.dispatch.periodMs + EXPECTED_OFFER_MS + (best.candidate.travelS + ACCESS_S) * 1000;
  const isDue =
    thereAt > readyAtOf(delivery) || now + settings.dispatch.periodMs > delivery.searchUntilAt - LAST_CALL_MS;
  return isDue ? 'offered' : 'not_due';
}

/** The next best couriers of a parallel round: free now and meant for nothing else in this run. */
function othersFor(
  round: OfferRound,
  own: readonly Option[],
  { starts }: CourierIndex,
  taken: ReadonlySet<number>,
): Option[] {
  return own
    .filter(({ candidate }) => !taken.has(candidate.courier) && !starts[candidate.courier]!.isBusy)
    .toSorted((a, b) => a.costS - b.costS)
    .slice(0, round.count - 1);
}

function pairOf(delivery: Delivery, { candidate, costS }: Option, { starts }: CourierIndex): Pair {
  return { delivery, courierId: starts[candidate.courier]!.courierId, arriveAt: candidate.arriveAt, costS };
}
