import type { Delivery } from '../domain/delivery.ts';
import { HELD_STATES, OPEN_STATES } from '../domain/lifecycle.ts';
import type { Context } from '../ports.ts';
import { clearAlarms } from './clear-alarms.ts';
import { each } from './each.ts';
import { endSearches, tellDelayed } from './end-search.ts';
import { startLed } from './hold-lease.ts';
import { keepGoing } from './keep-going.ts';
import { moveDelivery, planMove, type Asked } from './move-delivery.ts';
import { closeExpired } from './open-offers.ts';
import { sweep, type Turn } from './sweep.ts';
import { watchContact } from './watch-contact.ts';
import { tellLate } from './watch-late.ts';

type Needs = Pick<
  Context,
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
const TURN_MS = 1000;
const LEAST_TURN_MS = 100;
/** Expired offers closed in a turn; a region's leader does it sooner, so they are those of regions without one. */
const MOST_EXPIRED = 200;
const LEADER_GOES_FIRST_MS = 3000;

/**
 * Does what time brings, in one process at a time: starts searches that are due, ends those that are over, frees
 * deliveries of couriers who are gone, closes offers that nobody closed, raises and clears alarms.
 */
export function startDue(ctx: Needs): { stop(): Promise<void> } {
  const contact = watchContact(ctx);
  const delayed = tellDelayed(ctx);
  const late = tellLate(ctx);
  const duties: readonly (readonly [string, Turn])[] = [
    ['start searches', sweep(ctx, ['scheduled'], (page, isHeld) => each(page, isHeld, (one) => startSearch(ctx, one)))],
    ['close offers', (isHeld) => closeLeftOver(ctx, isHeld)],
    ['end searches', sweep(ctx, ['searching'], (page, isHeld) => endSearches(ctx, page, isHeld))],
    ['tell of long searches', sweep(ctx, ['searching'], (page, isHeld) => each(page, isHeld, delayed))],
    ['watch contact', sweep(ctx, HELD_STATES, (page, isHeld) => contact.look(page, isHeld))],
    ['tell of late ones', sweep(ctx, OPEN_STATES, (page, isHeld) => each(page, isHeld, late))],
    ['clear alarms', () => clearAlarms(ctx, contact)],
  ];
  const runs = duties.map(([what, run]) => ({ run, survive: keepGoing(ctx.log, what) }));
  return startLed(ctx, {
    name: 'due',
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_MS,
    turn: async (isHeld) => {
      for (const { run, survive } of runs) if (isHeld()) await survive(() => run(isHeld));
    },
  });
}

async function startSearch(ctx: Needs, { id, searchFromAt }: Delivery): Promise<void> {
  if (ctx.clock.now() < searchFromAt) return;
  const asked: Asked = { verb: 'start_search', stop: null, doer: { type: 'system' } };
  await moveDelivery(ctx, id, asked, (before, here) => planMove(before, { ...here, asked }));
}

async function closeLeftOver(ctx: Needs, isHeld: () => boolean): Promise<void> {
  const expired = await ctx.offers.listExpired(ctx.clock.now() - LEADER_GOES_FIRST_MS, MOST_EXPIRED);
  await each(expired, isHeld, async (offer) => {
    if (await closeExpired(ctx, offer)) ctx.bell.ring(offer.region);
  });
}
