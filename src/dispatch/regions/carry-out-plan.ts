import type { Term } from '../../work/term.ts';
import { STREET_FACTOR } from '../../domain/geo/street.ts';
import { distanceM } from '../../domain/geo/geo.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Context } from '../../ports/context.ts';
import type { OfferPair, RunPlan } from './run/plan.ts';
import type { RunInput } from './run/run-input.ts';
import { makeOffer } from './run/offer-round.ts';
import type { OpenOffers } from './watch-offers.ts';
import { withdrawForBetter } from '../offers/close-offer.ts';

type Needs = Pick<Context, 'clock' | 'metrics' | 'notices' | 'offers'>;

/** What was done of a plan. */
export type Done = {
  /** Pairs whose offer was opened; the others of the plan were not asked. */
  readonly opened: readonly OfferPair[];
  /** Offers that were taken back; the others of the plan were answered or closed before. */
  readonly withdrawn: readonly Offer[];
  /** The open offers of couriers whom another region had asked before. */
  readonly elsewhere: readonly Offer[];
  /** Why the rest was left: the store could not be written. Null when nothing failed. */
  readonly failure: Error | null;
};

/** Offers written at the same time. */
const OPENED_AT_ONCE = 16;

/**
 * Makes the offers that a plan says are due, and takes back those for which somebody else is much better now. Every write
 * carries the term's fence; nothing more is written once the term is over.
 * @returns what came of it: of each offer the store has the last word
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
    if (!term.isHeld() || !(await withdrawForBetter(ctx, offer))) return;
    offers.drop(offer.id);
    withdrawn.push(offer);
  };
  for (const offer of plan.outdone) await withdraw(offer).catch(fail);
  const places = new Map(input.couriers.map(({ courier, place }) => [courier.id, place]));
  const openOne = async (pair: OfferPair): Promise<void> => {
    if (!term.isHeld()) return;
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
