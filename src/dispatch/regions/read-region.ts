import { PAUSE_MS, type Offer } from '../../domain/offers/offer.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { regionAndNeighbours } from '../../domain/geo/geo.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import { expectedReadyAt, readyEstimate, type PreparationEstimate } from '../../domain/learning/preparation.ts';
import { surgeCellOf } from '../../domain/surge/surge.ts';
import type { Context } from '../../ports/context.ts';
import { estimatePreparation } from '../learning/estimate-preparation.ts';
import { RECENT_MS, type RecentOrder } from '../../domain/regions/region-now.ts';
import type { CandidatePair, RunInput } from './run/run-input.ts';
import type { RunCourier } from '../../domain/regions/start.ts';
import { chooseCouriers, type Placed, type Wanted } from '../couriers/near-couriers.ts';
import { inPages } from '../../work/pages.ts';
import type { OpenOffers } from './watch-offers.ts';
import { withdrawStrays } from './withdraw-strays.ts';

export type ReadNeeds = Pick<
  Context,
  | 'acceptance'
  | 'clock'
  | 'couriers'
  | 'deliveries'
  | 'notices'
  | 'offers'
  | 'positions'
  | 'preparation'
  | 'roster'
  | 'settings'
  | 'travel'
>;

/** A leader's memory between runs of its region. Losing any of it does no harm. */
export type Memory = {
  /** Deliveries with a recent search. */
  readonly recent: Map<DeliveryId, RecentOrder>;
  /** Open offers of couriers who have one from another region. */
  elsewhere: readonly Offer[];
  /** The candidates of the last run, by delivery. */
  candidates: readonly CandidatePair[];
};

/** Most deliveries remembered as recent demand. The oldest are forgotten first. */
const MOST_RECENT = 5000;
/** Documents per read. Each costs this thread about 30 µs for a delivery and 8 µs for a record of answers. */
const DELIVERIES_PAGE = 200;
const RECORDS_PAGE = 1000;

/** Reads what a run needs, and updates the leader's memory of open offers from the store. */
export async function readRegion(
  ctx: ReadNeeds,
  region: string,
  offers: OpenOffers,
  memory: Memory,
): Promise<RunInput> {
  const regions = regionAndNeighbours(region);
  const [deliveries, elsewhere, ...lists] = await Promise.all([
    ctx.deliveries.listSearching(region, ctx.settings.dispatch.mostPerRun),
    stillOpen(ctx, memory.elsewhere),
    ...regions.map((near) => ctx.offers.listOpenIn(near)),
  ]);
  memory.elsewhere = elsewhere;
  const openOffers = lists.flat();
  const ids = deliveries.map(({ id }) => id);
  const own = openOffers.filter((offer) => offer.region === region);
  const wanted = {
    deliveries,
    recent: [...memory.recent.values()].map(({ delivery }) => delivery),
    known: knownIn(openOffers, memory),
  };
  const [kept, closedOffers, couriers] = await Promise.all([
    withdrawStrays(ctx, own, deliveries),
    ids.length === 0 ? [] : ctx.offers.listClosed(ids, ctx.clock.now() - PAUSE_MS.declined),
    ids.length === 0 ? [] : readCouriers(ctx, regions, wanted),
  ]);
  offers.hold(kept);
  const [estimates, acceptance] = await Promise.all([
    readEstimates(ctx, deliveries, couriers),
    readAcceptance(ctx, couriers),
  ]);
  const now = ctx.clock.now();
  remember(memory, deliveries, estimates, now);
  const keptIds = new Set(kept.map(({ offer }) => offer.id));
  return {
    now,
    settings: ctx.settings,
    deliveries,
    couriers,
    openOffers: [...openOffers.filter((one) => one.region !== region || keptIds.has(one.id)), ...memory.elsewhere],
    closedOffers,
    readyAt: (delivery) => readyEstimate(delivery, estimates.get(delivery.id) ?? null, now),
    isEstimate: ({ id }) => (estimates.get(id)?.source ?? 'default') !== 'default',
    acceptance,
    travel: ctx.travel,
    candidates: memory.candidates,
    recent: [...memory.recent.values()],
  };
}

/**
 * The couriers of a run: all who are present in the region and around it. If these are many, only those near the
 * searches.
 */
async function readCouriers(ctx: ReadNeeds, regions: readonly string[], wanted: Wanted): Promise<RunCourier[]> {
  const [present] = await Promise.all([
    ctx.positions.listUpTo(regions, ctx.settings.dispatch.everybodyUpTo),
    ctx.roster.refresh(),
  ]);
  const placed = present === null ? await chooseCouriers(ctx, wanted) : await onlineOf(ctx, present);
  const assigned = await inPages(
    placed.flatMap(({ courier }) => courier.active),
    DELIVERIES_PAGE,
    (page) => ctx.deliveries.findMany(page),
  );
  const byId = new Map(assigned.map((delivery) => [delivery.id, delivery]));
  return placed.map((entry) => ({ ...entry, assigned: entry.courier.active.flatMap((id) => byId.get(id) ?? []) }));
}

async function onlineOf({ roster }: ReadNeeds, present: readonly Position[]): Promise<Placed[]> {
  if (!roster.isWhole()) await roster.know(present.map(({ courierId }) => courierId));
  return present.flatMap((place): Placed[] => {
    const courier = roster.find(place.courierId);
    return courier === null ? [] : [{ courier, place }];
  });
}

/** Those of the offers that nobody has answered or closed. */
async function stillOpen({ offers }: Pick<ReadNeeds, 'offers'>, known: readonly Offer[]): Promise<readonly Offer[]> {
  if (known.length === 0) return [];
  const open = new Set((await offers.listOpen(known.map(({ deliveryId }) => deliveryId))).map(({ id }) => id));
  return known.filter(({ id }) => open.has(id));
}

/** Couriers with an open offer, and candidates of the last run. A plan made with them needs them again. */
function knownIn(openOffers: readonly Offer[], { elsewhere, candidates }: Memory): Set<CourierId> {
  return new Set([
    ...openOffers.map(({ courierId }) => courierId),
    ...elsewhere.map(({ courierId }) => courierId),
    ...candidates.map(({ courierId }) => courierId),
  ]);
}

type Estimates = ReadonlyMap<DeliveryId, PreparationEstimate>;

/**
 * The estimates for deliveries with a search and for those that couriers are on the way to: an assigned courier does
 * not make goods ready.
 */
async function readEstimates(
  ctx: ReadNeeds,
  deliveries: readonly Delivery[],
  couriers: readonly RunCourier[],
): Promise<Estimates> {
  const awaited = couriers.flatMap(({ assigned }) => assigned.filter(({ times }) => times.pickedUpAt === null));
  const all = [...deliveries, ...awaited];
  const estimates = await inPages(all, RECORDS_PAGE, (page) => estimatePreparation(ctx, page));
  return new Map(
    all.flatMap(({ id }, index) => {
      const estimate = estimates[index] ?? null;
      return estimate === null ? [] : [[id, estimate] as const];
    }),
  );
}

async function readAcceptance(ctx: ReadNeeds, couriers: readonly RunCourier[]): Promise<RunInput['acceptance']> {
  const ids = couriers.map(({ courier }) => courier.id);
  return new Map(await inPages(ids, RECORDS_PAGE, async (page) => [...(await ctx.acceptance.estimates(page))]));
}

/** Remembers the deliveries with a search, with the expected ready time of their goods as of now. */
function remember({ recent }: Memory, deliveries: readonly Delivery[], estimates: Estimates, now: number): void {
  for (const delivery of deliveries) {
    const { id, region, pickup } = delivery;
    const known = recent.get(id);
    const cell = known?.delivery.region === region ? known.cell : surgeCellOf(pickup.place, region);
    recent.delete(id);
    recent.set(id, { delivery, readyAt: expectedReadyAt(delivery, estimates.get(id) ?? null), cell });
  }
  for (const [id, { delivery }] of recent) {
    if (recent.size > MOST_RECENT || delivery.times.createdAt < now - RECENT_MS) recent.delete(id);
  }
}
