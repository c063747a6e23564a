import { acceptanceOf, costInPlanS, type Board } from './board.ts';
import { keepPlan, type Chain, type KeptChain } from './carry-over.ts';
import { judgeChain, type Due } from './due.ts';
import { seeded } from './random.ts';
import type { Rules } from './rules.ts';
import { chainsOf, searchPlan } from './search-plan.ts';
import type { Shortlist } from './shortlist.ts';
import { NOBODY, type World } from './world.ts';

/** All that a run is made from, as plain data: the same request and the same number of rounds give the same answer. */
export type RunRequest = {
  readonly world: World;
  readonly kept: readonly KeptChain[];
  readonly rules: Rules;
  readonly seed: number;
};

/** Why an order is, or is not, given out in this run. */
export type Verdict =
  /** Its courier is asked now. */
  | 'offered'
  /** Somebody is thinking about it. */
  | 'offer_open'
  /** Nobody who could be asked suits it. */
  | 'no_candidate'
  /** Every courier who suits it is needed more elsewhere. */
  | 'outbid'
  /** Its courier has something else to do first. */
  | 'courier_not_free'
  /** Waiting one more period delays nothing. */
  | 'not_due';

/** A courier who was looked at for an order, and the figures that speak for or against him. */
export type Looked = {
  readonly courierId: string;
  /** Until he is at the counter, seconds. */
  readonly arriveS: number;
  /** From the order to the last door if he did nothing else, with the fines of lateness, seconds. */
  readonly aloneS: number;
  /** What it costs those who order next that he is gone, seconds. */
  readonly coverageS: number;
  /** The chance that he says yes. */
  readonly acceptance: number;
};

/** What the plan says of one order. */
export type Decision = {
  readonly orderId: string;
  readonly verdict: Verdict;
  /** Who is to carry it as the plan stands. */
  readonly courierId: string | null;
  /** What that costs in the whole of the plan, seconds. */
  readonly costS: number;
  /** The best couriers looked at, best first. */
  readonly looked: readonly Looked[];
  /** Who could be asked beside the chosen one: free, and meant for nothing else. */
  readonly others: readonly string[];
};

export type RunAnswer = {
  readonly kept: readonly KeptChain[];
  readonly due: readonly {
    readonly courierId: string;
    readonly orderIds: readonly string[];
    readonly goesAlong: boolean;
  }[];
  readonly decisions: readonly Decision[];
  /** Orders whose courier was asked, and for whom a much better one is free now. */
  readonly outdone: readonly string[];
  /** Rounds of the search. */
  readonly rounds: number;
};

/** Couriers reported per order, and such as could be asked beside the chosen one. */
const MOST_LOOKED = 8;
const MOST_OTHERS = 10;

/**
 * Makes the plan of one run and says what of it is due now. Chance comes from the request's seed; the search ends early
 * when `isOver` says so.
 */
export function answerRun(request: RunRequest, isOver: () => boolean = () => false): RunAnswer {
  const { world, kept, rules, seed } = request;
  const { board, shortlist, rounds } = searchPlan(world, kept, rules, seeded(seed), isOver);
  const chains = chainsOf(board);
  const due = chains.flatMap((chain) => judgeChain(board, chain) ?? []);
  const { ids } = world.orders;
  return {
    kept: keepPlan(world, chains),
    due: due.map(({ courier, orders, goesAlong }) => ({
      courierId: world.couriers.ids[courier]!,
      orderIds: orders.map((order) => ids[order]!),
      goesAlong,
    })),
    decisions: decide(board, shortlist, chains, due),
    outdone: outdoneOn(board, shortlist).map((order) => ids[order]!),
    rounds,
  };
}

function decide(board: Board, shortlist: Shortlist, chains: readonly Chain[], due: readonly Due[]): Decision[] {
  const { couriers, orders } = board.arena;
  const given = new Set(due.flatMap((one) => one.orders));
  const first = new Set(chains.flatMap(({ bundles }) => bundles[0] ?? []));
  return [...orders.ids.keys()].flatMap((order): Decision[] => {
    const holder = orders.heldBy[order]!;
    // What somebody is on his way to is decided already.
    if (holder !== NOBODY && couriers.isAsked[holder] === 0) return [];
    const courier = board.courierOf[order]!;
    const listed = listedFor(shortlist, order);
    return [
      {
        orderId: orders.ids[order]!,
        verdict: verdictOf(board, order, listed.length, given.has(order), first.has(order)),
        courierId: courier === NOBODY ? null : couriers.ids[courier]!,
        costS: costInPlanS(board, order),
        looked: listed.slice(0, MOST_LOOKED).map((entry) => lookedAt(board, shortlist, order, entry)),
        others: given.has(order) ? othersFor(board, shortlist, listed) : [],
      },
    ];
  });
}

function verdictOf(board: Board, order: number, listed: number, isGiven: boolean, isFirst: boolean): Verdict {
  const { couriers, orders } = board.arena;
  if (orders.heldBy[order] !== NOBODY) return 'offer_open';
  if (isGiven) return 'offered';
  const courier = board.courierOf[order]!;
  if (courier === NOBODY) return listed === 0 ? 'no_candidate' : 'outbid';
  return isFirst && couriers.isFree[courier] === 1 ? 'not_due' : 'courier_not_free';
}

function listedFor({ from }: Shortlist, order: number): number[] {
  return Array.from({ length: from[order + 1]! - from[order]! }, (_, index) => from[order]! + index);
}

function lookedAt({ arena, priceS }: Board, shortlist: Shortlist, order: number, entry: number): Looked {
  const { couriers, orders } = arena;
  const courier = shortlist.couriers[entry]!;
  const wayS = arena.travelS(courier, orders.place[order]!, couriers.vehicle[courier]!);
  return {
    courierId: couriers.ids[courier]!,
    arriveS: couriers.startS[courier]! + wayS,
    aloneS: shortlist.aloneS[entry]!,
    coverageS: priceS[courier]!,
    acceptance: acceptanceOf(arena, order, courier),
  };
}

function othersFor({ arena, lengths }: Board, { couriers }: Shortlist, listed: readonly number[]): string[] {
  return listed
    .map((entry) => couriers[entry]!)
    .filter((courier) => lengths[courier] === 0 && arena.couriers.isFree[courier] === 1)
    .slice(0, MOST_OTHERS)
    .map((courier) => arena.couriers.ids[courier]!);
}

/** Orders that somebody is asked for although another courier, free and meant for nothing else, would be much sooner. */
function outdoneOn(board: Board, shortlist: Shortlist): number[] {
  const { arena, rules, lengths, priceS } = board;
  const { couriers, orders } = arena;
  return [...orders.ids.keys()].filter((order) => {
    const holder = orders.heldBy[order]!;
    if (holder === NOBODY || couriers.isAsked[holder] === 0) return false;
    const bestS = listedFor(shortlist, order).reduce((least, entry) => {
      const courier = shortlist.couriers[entry]!;
      if (lengths[courier] !== 0 || couriers.isFree[courier] === 0) return least;
      return Math.min(least, shortlist.aloneS[entry]! + priceS[courier]!);
    }, Infinity);
    return costInPlanS(board, order) - bestS > rules.asking.muchBetterS;
  });
}
