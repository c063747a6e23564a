// The simplest matcher: it assigns the nearest idle courier at once. It is the yardstick for the server's matcher.
import type { Courier, Day, Point } from '../../day/day.ts';
import { createRandom, type Random } from '../../random.ts';
import type { CarriedBundle, Policy } from './outcome.ts';
import { roundOf, travelMin } from './travel.ts';

type Stand = { readonly courier: Courier; at: Point; freeMin: number };
type Waiting = { readonly index: number; readonly refusedBy: Set<number> };
type Choice = { readonly courier: number; readonly departMin: number; readonly pickupMin: number };

/**
 * Each minute, each waiting order goes to the idle courier on shift who is the fewest whole minutes away. The order
 * that was placed first comes first, and among equal couriers the one named first in the day. The courier sets out and
 * waits at the restaurant. The policy knows ready times for any `prep`, but uses them only to skip a courier whose
 * shift would end at the restaurant. A refusal costs the order and the courier a minute, and the courier is never asked
 * for that order again.
 */
export const playNearest: Policy = (day, { accept, seed }, tick) => {
  const random = createRandom(seed);
  const stands = day.couriers.map((courier): Stand => ({ courier, at: courier.at, freeMin: courier.onMin }));
  const lastMin = Math.max(...day.couriers.map(({ offMin }) => offMin), -1);
  const bundles: CarriedBundle[] = [];
  const runsMs: number[] = [];
  let waiting: Waiting[] = [];
  let next = 0;
  for (let minute = Math.floor(day.orders[0]?.placedMin ?? 0); minute <= lastMin; minute += 1) {
    tick?.(minute);
    for (; (day.orders[next]?.placedMin ?? Infinity) <= minute; next += 1) {
      waiting.push({ index: next, refusedBy: new Set() });
    }
    if (waiting.length === 0) continue;
    const startedAt = performance.now();
    waiting = waiting.filter((order) => !settle(day, stands, order, { minute, accept, random, bundles }));
    runsMs.push(performance.now() - startedAt);
  }
  return { day, bundles, runsMs };
};

type Turn = {
  readonly minute: number;
  readonly accept: number;
  readonly random: Random;
  readonly bundles: CarriedBundle[];
};

/** Whether the order found its courier in this minute. */
function settle(day: Day, stands: readonly Stand[], order: Waiting, turn: Turn): boolean {
  const choice = nearestOf(day, stands, order, turn.minute);
  if (choice === null) return false;
  const stand = stands[choice.courier];
  if (stand === undefined) return false;
  if (turn.accept < 1 && turn.random.next() >= turn.accept) {
    order.refusedBy.add(choice.courier);
    stand.freeMin = turn.minute + 1;
    return false;
  }
  const bundle = { ...choice, orders: [{ order: order.index, decidedMin: turn.minute }] };
  const { end, freeMin } = roundOf(day, bundle);
  stand.at = end;
  stand.freeMin = freeMin;
  turn.bundles.push(bundle);
  return true;
}

function nearestOf(
  { parameters, orders }: Day,
  stands: readonly Stand[],
  { index, refusedBy }: Waiting,
  minute: number,
): Choice | null {
  const order = orders[index];
  if (order === undefined) return null;
  let best: Choice | null = null;
  let bestMin = Infinity;
  for (const [number, { courier, at, freeMin }] of stands.entries()) {
    if (freeMin > minute || courier.offMin < minute || refusedBy.has(number)) continue;
    const wayMin = travelMin(parameters, at, order.restaurant.at);
    const pickupMin = Math.max(minute + wayMin + parameters.pickupServiceMin / 2, order.readyMin);
    if (wayMin >= bestMin || pickupMin > courier.offMin) continue;
    bestMin = wayMin;
    best = { courier: number, departMin: minute, pickupMin };
  }
  return best;
}
