// Plays a day with the server's matcher, minute by minute on a virtual clock.
import { answerRun, type RunAnswer } from '../../../src/dispatch/match/answer.ts';
import type { KeptChain } from '../../../src/dispatch/match/carry-over.ts';
import { rulesOf, type Rules } from '../../../src/dispatch/match/rules.ts';
import { defaultSettings } from '../../../src/settings.ts';
import type { Day } from '../../day/day.ts';
import { makeAsking } from './asking.ts';
import { makeCrew } from './crew.ts';
import { RECENT_MIN, worldOf } from './day-world.ts';
import type { Outcome, PlayOptions } from './outcome.ts';

const { soonFreeMs, readySpreadMs } = defaultSettings().dispatch;
/** Couriers count if they are free, or begin, within this time. */
const AHEAD_MIN = soonFreeMs / 60_000;
const SPREAD_MIN = readySpreadMs / 60_000;

/** Plays a day with the server's matcher, with a run in each minute in which an order waits. */
export function playDay(day: Day, options: PlayOptions, tick?: (minute: number) => void): Outcome {
  const { orders } = day;
  const { everyMin = 1, aheadMin = AHEAD_MIN, rules: change = asTheyAre } = options;
  const crew = makeCrew(day);
  const asking = makeAsking(day.couriers.length, options);
  const waiting = new Set<number>();
  const isKnown = readyKnown(day, options);
  const estimate = readyEstimate(day, isKnown);
  const runsMs: number[] = [];
  let kept: readonly KeptChain[] = [];
  let next = 0;
  let oldest = 0;

  const give = ({ courierId, orderIds, goesAlong }: RunAnswer['due'][number], minute: number): void => {
    const courier = Number(courierId);
    const given = orderIds.map(Number);
    if (!asking.ask(courier, given)) return;
    if (goesAlong) crew.extend(courier, bundleOf(kept, courierId), minute);
    else crew.send(courier, given, minute);
    for (const order of given) waiting.delete(order);
  };

  const firstMin = orders[0]?.placedMin ?? 0;
  const lastMin = Math.max(...day.couriers.map(({ offMin }) => offMin)) + 1;
  for (let minute = firstMin; minute <= lastMin; minute += 1) {
    tick?.(minute);
    for (const order of crew.moveOn(minute)) waiting.add(order);
    while (next < orders.length && orders[next]!.placedMin <= minute) waiting.add(next++);
    while (oldest < next && orders[oldest]!.placedMin <= minute - RECENT_MIN) oldest += 1;
    if (waiting.size === 0 || (minute - firstMin) % everyMin !== 0) continue;
    const beganAt = performance.now();
    const world = worldOf(day, {
      minute,
      everyMin,
      aheadMin,
      crew,
      waiting: [...waiting],
      recent: Array.from({ length: next - oldest }, (_, index) => oldest + index),
      refusedBy: asking.refusedBy,
      readyMin: (order) => estimate(order, minute),
      readySpreadMin: (order) => (isKnown(order, minute) ? 0 : SPREAD_MIN),
      acceptance: (courier) => asking.acceptance(courier),
    });
    const rules = change(rulesFor(waiting.size, world.couriers.ids.length));
    const answer = answerRun({ world, kept, rules, seed: options.seed + minute });
    kept = answer.kept;
    runsMs.push(performance.now() - beganAt);
    for (const due of answer.due) give(due, minute);
  }
  return { day, bundles: crew.carried, runsMs };
}

const asTheyAre = (rules: Rules): Rules => rules;

/**
 * The server's default rules, except for offers: answers come at once, a refusal costs a minute, and no search ends.
 */
function rulesFor(orders: number, couriers: number): Rules {
  const rules = rulesOf(defaultSettings(), orders, couriers);
  return {
    ...rules,
    limits: { ...rules.limits, pickupDistanceM: Infinity },
    weights: { ...rules.weights, refusalS: 60, lastCallS: 0 },
    asking: { answerS: 0, muchBetterS: Infinity },
  };
}

type KnownAt = (order: number, minute: number) => boolean;

/** A ready time is known from the start, or only when it has come. */
function readyKnown({ orders }: Day, { prep }: PlayOptions): KnownAt {
  return (order, minute) => prep === 'known' || orders[order]!.readyMin <= minute;
}

/** The ready time if it is known, or an estimate by the restaurant's mean preparation time that is not in the past. */
function readyEstimate({ orders }: Day, isKnown: KnownAt): (order: number, minute: number) => number {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { restaurant, placedMin, readyMin } of orders) {
    const own = sums.get(restaurant.id) ?? { sum: 0, count: 0 };
    sums.set(restaurant.id, { sum: own.sum + readyMin - placedMin, count: own.count + 1 });
  }
  return (order, minute) => {
    const { restaurant, placedMin, readyMin } = orders[order]!;
    if (isKnown(order, minute)) return readyMin;
    const { sum, count } = sums.get(restaurant.id)!;
    return Math.max(placedMin + sum / count, minute + 1);
  };
}

/** The first bundle of a courier's plan, in the order of the drop-offs. */
function bundleOf(kept: readonly KeptChain[], courierId: string): number[] {
  return (kept.find(({ courier }) => courier === courierId)?.bundles[0] ?? []).map(Number);
}
