import { PAUSE_MS, type Offer } from '../domain/offer.ts';
import type { Delivery } from '../domain/delivery.ts';
import { regionAndNeighbours } from '../domain/geo.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { readyEstimate } from '../domain/preparation.ts';
import type { Context } from '../ports.ts';
import { estimatePreparation } from './estimate-preparation.ts';
import { RECENT_MS } from './match/snapshot.ts';
import type { LookedBefore, RunInput } from './match/run-input.ts';
import type { RunCourier } from './match/start.ts';
import type { OpenOffers } from './open-offers.ts';
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
  | 'settings'
  | 'travel'
>;

/** What a leader remembers between runs of its region; all of it can be done without. */
export type Memory = {
  /** Deliveries searched for in the last while. */
  readonly recent: Map<DeliveryId, Delivery>;
  /** Open offers of couriers whom another region has asked. */
  elsewhere: readonly Offer[];
  /** Who was looked at for what in the last run. */
  looked: readonly LookedBefore[];
};

/** Deliveries remembered as recent demand at most; the oldest are forgotten first. */
const MOST_RECENT = 5000;

/** Reads what a run needs, and brings the leader's memory of open offers in line with what is stored. */
export async function readRegion(
  ctx: ReadNeeds,
  region: string,
  offers: OpenOffers,
  memory: Memory,
): Promise<RunInput> {
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
  const [estimates, acceptance] = await Promise.all([
    estimatePreparation(ctx, deliveries),
    ctx.acceptance.estimates(couriers.map(({ courier }) => courier.id)),
  ]);
  const now = ctx.clock.now();
  memory.elsewhere = memory.elsewhere.filter(({ expiresAt }) => expiresAt > now);
  remember(memory, deliveries, now);
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
    looked: memory.looked,
    recent: [...memory.recent.values()],
  };
}

async function readCouriers(ctx: ReadNeeds, regions: readonly string[]): Promise<RunCourier[]> {
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

function remember({ recent }: Memory, deliveries: readonly Delivery[], now: number): void {
  for (const delivery of deliveries) {
    recent.delete(delivery.id);
    recent.set(delivery.id, delivery);
  }
  for (const [id, { times }] of recent) {
    if (recent.size > MOST_RECENT || times.createdAt < now - RECENT_MS) recent.delete(id);
  }
}
