import type { Delivery } from '../domain/delivery.ts';
import { regionOf } from '../domain/geo.ts';
import { HELD_STATES, OPEN_STATES } from '../domain/lifecycle.ts';
import type { Context } from '../ports.ts';
import { clearAlarms } from './clear-alarms.ts';
import { each } from './each.ts';
import { watchSearches } from './end-search.ts';
import { startLed } from './hold-lease.ts';
import { keepGoing } from './keep-going.ts';
import { moveDelivery, planMove, type Asked } from './move-delivery.ts';
import { closeExpired } from './open-offers.ts';
import { sweep, type Turn } from './sweep.ts';
import { watchContact } from './watch-contact.ts';
import { tellLate } from './watch-late.ts';

type Needs = Pick<
  Context,
  | 'acceptance'
  | 'alarms'
  | 'bell'
  | 'clock'
  | 'commit'
  | 'deliveries'
  | 'eventLog'
  | 'leases'
  | 'links'
  | 'log'
  | 'metrics'
  | 'notices'
  | 'offers'
  | 'positions'
  | 'settings'
>;

/** Service time between two turns, and the machine time at least. */
export const TURN_MS = 1000;
export const LEAST_TURN_REAL_MS = 100;
/** How often what is measured in minutes is looked at: every held delivery is read for it. */
const CALM_MS = 5000;
const SLOW_MS = 20_000;
/** Expired offers closed in a turn; a region's leader does it sooner, so they are those of regions without one. */
const MOST_EXPIRED = 200;
const LEADER_GOES_FIRST_MS = 3000;

/** What is done, how often in service time, and how. */
type Duty = readonly [what: string, everyMs: number, run: Turn];

/**
 * Does what time brings, in one process at a time: starts searches that are due, ends those that are over, frees
 * deliveries of couriers who are gone, closes offers that nobody closed, raises and clears alarms.
 */
export function startDue(ctx: Needs): { stop(): Promise<void> } {
  const contact = watchContact(ctx);
  const late = tellLate(ctx);
  const duties: readonly Duty[] = [
    [
      'start searches',
      TURN_MS,
      sweep(ctx, ['scheduled'], (page, isHeld) => each(page, isHeld, (one) => startSearch(ctx, one))),
    ],
    ['close offers', TURN_MS, (isHeld) => closeLeftOver(ctx, isHeld)],
    ['watch searches', TURN_MS, sweep(ctx, ['searching'], watchSearches(ctx))],
    ['watch contact', CALM_MS, sweep(ctx, HELD_STATES, (page, isHeld) => contact.look(page, isHeld))],
    ['tell of late ones', SLOW_MS, sweep(ctx, OPEN_STATES, (page, isHeld) => each(page, isHeld, late))],
    ['clear alarms', CALM_MS, () => clearAlarms(ctx, contact)],
  ];
  const runs = duties.map(([what, everyMs, run]) => ({ everyMs, run, dueAt: 0, survive: keepGoing(ctx.log, what) }));
  return startLed(ctx, {
    name: 'due',
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_REAL_MS,
    turn: async (isHeld) => {
      const now = ctx.clock.now();
      for (const duty of runs) {
        if (!isHeld() || now < duty.dueAt) continue;
        duty.dueAt = now + duty.everyMs;
        await duty.survive(() => duty.run(isHeld));
      }
    },
  });
}

/** Begins a search, in the region as its size is now: the delivery may have been made long ago. */
async function startSearch(ctx: Needs, { id, searchFromAt, pickup }: Delivery): Promise<void> {
  if (ctx.clock.now() < searchFromAt) return;
  const asked: Asked = { verb: 'start_search', stop: null, doer: { type: 'system' } };
  const region = regionOf(pickup.place, ctx.settings.dispatch.regionResolution);
  await moveDelivery(ctx, id, asked, (before, here) => planMove(before, { ...here, asked, sets: { region } }));
}

async function closeLeftOver(ctx: Needs, isHeld: () => boolean): Promise<void> {
  const expired = await ctx.offers.listExpired(ctx.clock.now() - LEADER_GOES_FIRST_MS, MOST_EXPIRED);
  await each(expired, isHeld, async (offer) => {
    if (await closeExpired(ctx, offer)) ctx.bell.ring(offer.region);
  });
}
