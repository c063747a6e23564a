import type { Delivery } from '../domain/delivery.ts';
import { regionAndNeighbours } from '../domain/geo.ts';
import { PAUSE_MS, type Offer } from '../domain/offer.ts';
import type { Context } from '../ports.ts';
import { keepGoing } from './keep-going.ts';
import type { RunCourier } from './match/candidates.ts';
import { planRun, type OfferPair, type RunPlan } from './match/plan.ts';
import { makeOffer } from './offer-round.ts';
import { watchOffers, type OpenOffers } from './open-offers.ts';
import { pace } from './pace.ts';
import { withdrawStrays } from './withdraw-strays.ts';

export type LeadNeeds = Pick<
  Context,
  'clock' | 'couriers' | 'deliveries' | 'log' | 'metrics' | 'notices' | 'offers' | 'positions' | 'settings'
>;

/** What the leader of a region may still do, and under which fencing number. */
export type Term = { readonly region: string; isHeld(): boolean; fence(): number };

export type Leader = {
  /** Asks for a run so many ms of service time from now. */
  ask(inMs: number): void;
  /** Nothing is searched for here and no offer is open. */
  isQuiet(): boolean;
  stop(): Promise<void>;
};

/** Machine time between two looks at the open offers at least. */
const LEAST_LOOK_MS = 100;
/** Service time between two looks at the open offers. */
const LOOK_MS = 1000;
/** Offers written at the same time. */
const OPENED_AT_ONCE = 16;

/**
 * Leads one region for as long as the term is held: a run each period and when asked, never two at once, and the care of
 * the region's open offers. Every write carries the fence, so that a leader who stalled and wakes up does no harm.
 */
export function leadRegion(ctx: LeadNeeds, term: Term): Leader {
  const { clock, settings } = ctx;
  const survive = keepGoing(ctx.log, `region ${term.region}`);
  const offers = watchOffers(ctx, () => ask(settings.dispatch.debounceMs));
  const elsewhere: Offer[] = [];
  let searching = 1;

  const run = async (): Promise<void> => {
    if (!term.isHeld()) return;
    const startedAt = clock.real.now();
    const seen = await readRegion(ctx, term.region, offers);
    searching = seen.deliveries.length;
    const now = clock.now();
    elsewhere.splice(0, elsewhere.length, ...elsewhere.filter(({ expiresAt }) => expiresAt > now));
    const plan = planRun({ ...seen, openOffers: [...seen.openOffers, ...elsewhere], now, settings });
    const missed = await openAll(ctx, term, offers, plan.pairs);
    elsewhere.push(...missed.offers);
    if (missed.count > 0) ask(settings.dispatch.debounceMs);
    tell(ctx, term, plan, searching, clock.real.now() - startedAt);
  };

  const runs = pace(clock, settings.dispatch.leastRealGapMs, () => survive(run));
  const ask = (inMs: number): void => runs.ask(inMs / clock.scale);
  const stopPeriod = clock.real.every(settings.dispatch.periodMs / clock.scale, () => ask(0));
  const stopLooking = clock.real.every(Math.max(LEAST_LOOK_MS, LOOK_MS / clock.scale), () => {
    if (term.isHeld()) offers.tick();
  });
  ask(0);
  return {
    ask,
    isQuiet: () => searching === 0 && offers.count() === 0,
    stop: async () => {
      stopPeriod();
      stopLooking();
      await runs.stop();
      ctx.metrics.gauge('dispatch_searching', 0, { region: term.region });
    },
  };
}

type Seen = {
  readonly deliveries: readonly Delivery[];
  readonly couriers: readonly RunCourier[];
  readonly openOffers: readonly Offer[];
  readonly closedOffers: readonly Offer[];
};

/** Reads what a run needs, and brings the leader's memory of open offers in line with what is stored. */
async function readRegion(ctx: LeadNeeds, region: string, offers: OpenOffers): Promise<Seen> {
  const regions = regionAndNeighbours(region);
  const [deliveries, ...lists] = await Promise.all([
    ctx.deliveries.listSearching(region, ctx.settings.dispatch.mostPerRun),
    ...regions.map((near) => ctx.offers.listOpenIn(near)),
  ]);
  const openOffers = lists.flat();
  const ids = deliveries.map(({ id }) => id);
  const own = openOffers.filter((offer) => offer.region === region);
  const [kept, closedOffers, couriers] = await Promise.all([
    withdrawStrays(ctx, own, deliveries),
    ids.length === 0 ? [] : ctx.offers.listClosed(ids, ctx.clock.now() - PAUSE_MS.declined),
    ids.length === 0 ? [] : readCouriers(ctx, regions),
  ]);
  offers.hold(kept);
  return { deliveries, couriers, openOffers, closedOffers };
}

async function readCouriers(ctx: LeadNeeds, regions: readonly string[]): Promise<RunCourier[]> {
  const positions = await ctx.positions.listPresent(regions);
  const places = new Map(positions.map((position) => [position.courierId, position]));
  const couriers = await ctx.couriers.listOnline([...places.keys()]);
  const held = await ctx.deliveries.findMany(couriers.flatMap(({ active }) => active));
  const byId = new Map(held.map((delivery) => [delivery.id, delivery]));
  return couriers.flatMap((courier) => {
    const place = places.get(courier.id);
    if (place === undefined || courier.state !== 'active') return [];
    return [{ courier, place, held: courier.active.flatMap((id) => byId.get(id) ?? []) }];
  });
}

/** Opens the planned offers. Tells how many could not be, and the open offers of couriers whom another region asked. */
async function openAll(
  ctx: LeadNeeds,
  term: Term,
  offers: OpenOffers,
  pairs: readonly OfferPair[],
): Promise<{ count: number; offers: Offer[] }> {
  const missed: { count: number; offers: Offer[] } = { count: 0, offers: [] };
  const openOne = async ({ delivery, courierId, round }: OfferPair): Promise<void> => {
    if (!term.isHeld()) return;
    const offer = makeOffer(delivery, courierId, round, term.fence(), ctx.clock.now());
    if (await ctx.offers.open(offer)) {
      ctx.metrics.count('offers_opened_total', { round: round.isExclusive ? 'exclusive' : 'parallel' });
      offers.add(offer, delivery);
      return;
    }
    missed.count += 1;
    const other = await ctx.offers.findOpenOf(courierId);
    if (other !== null) missed.offers.push(other);
  };
  for (let from = 0; from < pairs.length; from += OPENED_AT_ONCE) {
    await Promise.all(pairs.slice(from, from + OPENED_AT_ONCE).map(openOne));
  }
  return missed;
}

function tell(ctx: LeadNeeds, term: Term, plan: RunPlan, searching: number, tookMs: number): void {
  ctx.metrics.observe('dispatch_run_seconds', tookMs / 1000);
  ctx.metrics.gauge('dispatch_searching', searching, { region: term.region });
  if (plan.pairs.length === 0) return;
  const reasons: Record<string, number> = {};
  for (const reason of plan.reasons.values()) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const told = { region: term.region, fence: term.fence(), tookMs, pairs: plan.pairs.length, reasons };
  ctx.log.info(told, 'run with offers');
}
