import type { Term } from '../../work/term.ts';
import { STREET_FACTOR } from '../../domain/geo/street.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import type { OfferPair, RunPlan } from './run/plan.ts';
import type { RunInput } from './run/run-input.ts';
import { makeOffer } from './run/offer-round.ts';
import type { OpenOffers } from './watch-offers.ts';
import { withdrawForBetter } from '../close-offer.ts';

type Needs = Pick<Context, 'clock' | 'metrics' | 'notices' | 'offers'>;

/** The executed part of a plan. */
export type Done = {
  /** Pairs whose offer was opened. The other couriers of the plan received none. */
  readonly opened: readonly OfferPair[];
  /** Offers that were withdrawn. The others of the plan were answered or closed before. */
  readonly withdrawn: readonly Offer[];
  /** The open offers of couriers who had one from another region. */
  readonly elsewhere: readonly Offer[];
  /** Why the rest was not done: the store could not be written. Null if nothing failed. */
  readonly failure: Error | null;
};

/** Offers written at the same time. */
const OPENED_AT_ONCE = 16;

/**
 * Makes the offers that a plan calls due, and withdraws those with a much better match now. Every write carries the
 * fencing number of the term. Nothing more is written once the term is over.
 * @returns the result: the store decides about each offer
 */
export async function carryOutPlan(
  ctx: Needs,
  term: Term,
  offers: OpenOffers,
  input: RunInput,
  plan: RunPlan,
): Promise<Done> {
  const [opened, withdrawn, elsewhere]: [OfferPair[], Offer[], Offer[]] = [[], [], []];
  let failure: Error | null = null;
  const fail = (error: unknown): void => void (failure ??= error instanceof Error ? error : new Error(String(error)));
  const withdraw = async (offer: Offer): Promise<void> => {
    if (!term.ownsLease() || !(await withdrawForBetter(ctx, offer))) return;
    offers.drop(offer.id);
    withdrawn.push(offer);
  };
  for (const offer of plan.outdone) await withdraw(offer).catch(fail);
  const places = new Map(input.couriers.map(({ courier, place }) => [courier.id, place]));
  const openOne = async (pair: OfferPair): Promise<void> => {
    if (!term.ownsLease()) return;
    const { delivery, courierId, round } = pair;
    const place = places.get(courierId);
    const wayM = place === undefined ? null : Math.round(distanceM(place, delivery.pickup.place) * STREET_FACTOR);
    const offer = makeOffer(delivery, courierId, round, term.fence(), ctx.clock.now(), wayM);
    if (await ctx.offers.open(offer)) {
      ctx.metrics.count('offers_opened_total', { round: round.isExclusive ? 'exclusive' : 'parallel' });
      offers.add(offer, delivery);
      opened.push(pair);
      return;
    }
    const other = await ctx.offers.findOpenOf(courierId);
    if (other !== null) elsewhere.push(other);
  };
  for (let from = 0; from < plan.pairs.length && failure === null; from += OPENED_AT_ONCE) {
    await Promise.all(plan.pairs.slice(from, from + OPENED_AT_ONCE).map((pair) => openOne(pair).catch(fail)));
  }
  return { opened, withdrawn, elsewhere, failure };
}
