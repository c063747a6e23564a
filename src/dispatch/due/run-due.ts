import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { regionOf } from '../../domain/geo/geo.ts';
import { leavesFrom } from '../../domain/deliveries/lifecycle.ts';
import type { Context } from '../../ports/context.ts';
import { clearAlarms } from './clear-alarms.ts';
import { each } from '../../work/each.ts';
import { lookAtSearch } from './end-search.ts';
import { forgetRecipients } from '../deliveries/forget-recipients.ts';
import { endTest } from './end-test.ts';
import { startLed, type Turn } from '../../work/hold-lease.ts';
import { keepGoing } from '../../work/keep-going.ts';
import { moveDelivery, planMove, type RequestedVerb } from '../move-delivery.ts';
import { closeExpired } from '../close-offer.ts';
import { removeFiles } from './remove-files.ts';
import { lookAtDue } from '../../work/look-at-due.ts';
import { watchContact } from './watch-contact.ts';
import { reportLate } from './watch-late.ts';

type Needs = Pick<
  Context,
  | 'acceptance'
  | 'alarms'
  | 'bell'
  | 'carried'
  | 'clock'
  | 'commit'
  | 'confirmed'
  | 'deliveries'
  | 'eventLog'
  | 'files'
  | 'leases'
  | 'links'
  | 'log'
  | 'metrics'
  | 'notices'
  | 'offers'
  | 'positions'
  | 'settings'
  | 'travel'
>;

/** Service time between two turns, and the least machine time. */
export const TURN_MS = 1000;
export const LEAST_TURN_REAL_MS = 100;
/** How often the server looks at things that take minutes. */
const CALM_MS = 5000;
/**
 * How many expired offers one turn closes. A region's leader closes its own sooner, so these are from regions without a
 * leader.
 */
const MOST_EXPIRED = 200;
const LEADER_GOES_FIRST_MS = 3000;

/** A duty: its name, how often it runs in service time, and its turn. */
type Duty = readonly [what: string, everyMs: number, run: Turn];

/**
 * Does the due work in one process at a time. It starts due searches, ends those that are over and unassigns couriers
 * who are lost. It closes expired offers that are still open, and it raises and clears alarms.
 */
export function startDue(ctx: Needs): { stop(): Promise<void> } {
  const contact = watchContact(ctx);
  const duties: readonly Duty[] = [
    ['watch searches', TURN_MS, lookAtDue(ctx, 'search', (delivery) => watchSearch(ctx, delivery))],
    ['close offers', TURN_MS, (ownsLease) => closeLeftOver(ctx, ownsLease)],
    ['watch contact', CALM_MS, (ownsLease) => contact.look([...ctx.carried.all()], ownsLease)],
    ['report late ones', CALM_MS, lookAtDue(ctx, 'late', (delivery) => reportLate(ctx, delivery))],
    ['end tests', CALM_MS, lookAtDue(ctx, 'expire', (delivery) => endTest(ctx, delivery))],
    ['forget recipients', CALM_MS, lookAtDue(ctx, 'forget', (delivery) => forgetRecipients(ctx, delivery))],
    ['clear alarms', CALM_MS, clearAlarms(ctx, contact)],
    ['remove files', CALM_MS, removeFiles(ctx)],
  ];
  const runs = duties.map((duty) => runWhenDue(ctx, duty));
  const led = startLed(ctx, {
    name: 'due',
    everyMs: TURN_MS,
    leastRealMs: LEAST_TURN_REAL_MS,
    turn: (ownsLease) => {
      for (const { start } of runs) start(ownsLease);
      return Promise.resolve();
    },
  });
  return {
    stop: async () => {
      await led.stop();
      await Promise.all(runs.map(({ ended }) => ended()));
    },
  };
}

/** Runs a duty beside the others, so that a slow one delays only itself. A duty never runs twice at once. */
function runWhenDue({ clock, log }: Needs, [what, everyMs, run]: Duty) {
  const survive = keepGoing(log, what);
  let dueAt = 0;
  let running: Promise<void> | null = null;
  return {
    start: (ownsLease: () => boolean): void => {
      const now = clock.now();
      if (running !== null || now < dueAt) return;
      dueAt = now + everyMs;
      running = survive(() => run(ownsLease)).finally(() => {
        running = null;
      });
    },
    ended: async (): Promise<void> => running ?? undefined,
  };
}

function watchSearch(ctx: Needs, delivery: Delivery): Promise<number | null> {
  return leavesFrom(delivery.state, 'start_search') ? startSearch(ctx, delivery) : lookAtSearch(ctx, delivery);
}

/** Starts a search in the region by its present size, since the delivery may have been made long ago. */
async function startSearch(ctx: Needs, { id, searchFromAt, pickup }: Delivery): Promise<number | null> {
  if (ctx.clock.now() < searchFromAt) return searchFromAt;
  const requested: RequestedVerb = { verb: 'start_search', stop: null, doer: { type: 'system' } };
  const region = regionOf(pickup.place, ctx.settings.dispatch.regionResolution);
  await moveDelivery(ctx, { deliveryId: id }, requested, (before, here) =>
    planMove(before, { ...here, requested, verb: 'start_search', details: {}, sets: { region } }),
  );
  return null;
}

async function closeLeftOver(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const expired = await ctx.offers.listExpired(ctx.clock.now() - LEADER_GOES_FIRST_MS, MOST_EXPIRED);
  await each(expired, ownsLease, async (offer) => {
    if (await closeExpired(ctx, offer)) ctx.bell.ring(offer.region);
  });
}
