import { STREET_FACTOR } from '../domain/eta.ts';
import { distanceM } from '../domain/geo.ts';
import type { Offer } from '../domain/offer.ts';
import type { Context } from '../ports.ts';
import type { OfferPair, RunInput, RunPlan } from './match/plan.ts';
import { makeOffer } from './offer-round.ts';
import type { OpenOffers } from './open-offers.ts';
import { withdrawForBetter } from './withdraw-offer.ts';

type Needs = Pick<Context, 'clock' | 'metrics' | 'notices' | 'offers'>;

/** What the leader of a region may still do, and under which fencing number. */
export type Term = { readonly region: string; isHeld(): boolean; fence(): number };

/** Planned offers that could not be made, and the open offers of couriers whom another region had asked before. */
export type Missed = { readonly count: number; readonly elsewhere: readonly Offer[] };

/** Offers written at the same time. */
const OPENED_AT_ONCE = 16;

/**
 * Makes the offers that a plan says are due, and takes back those for which somebody else is much better now. Every write
 * carries the term's fence; nothing more is written once the term is over.
 */
export async function carryOutPlan(
  ctx: Needs,
  term: Term,
  offers: OpenOffers,
  input: RunInput,
  plan: RunPlan,
): Promise<Missed> {
  for (const offer of plan.outdone) {
    if (term.isHeld() && (await withdrawForBetter(ctx, offer))) offers.drop(offer.id);
  }
  const places = new Map(input.couriers.map(({ courier, place }) => [courier.id, place]));
  const elsewhere: Offer[] = [];
  let count = 0;
  const openOne = async ({ delivery, courierId, round }: OfferPair): Promise<void> => {
    if (!term.isHeld()) return;
    const place = places.get(courierId);
    const wayM = place === undefined ? null : Math.round(distanceM(place, delivery.pickup.place) * STREET_FACTOR);
    const offer = makeOffer(delivery, courierId, round, term.fence(), ctx.clock.now(), wayM);
    if (await ctx.offers.open(offer)) {
      ctx.metrics.count('offers_opened_total', { round: round.isExclusive ? 'exclusive' : 'parallel' });
      offers.add(offer, delivery);
      return;
    }
    count += 1;
    const other = await ctx.offers.findOpenOf(courierId);
    if (other !== null) elsewhere.push(other);
  };
  for (let from = 0; from < plan.pairs.length; from += OPENED_AT_ONCE) {
    await Promise.all(plan.pairs.slice(from, from + OPENED_AT_ONCE).map(openOne));
  }
  return { count, elsewhere };
}
