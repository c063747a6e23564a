import type { Candidate, Decision, MatchVerdict } from '../../domain/offers/decision.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { costInPlanS, type Board } from './board.ts';
import { keepPlan, type Chain, type KeptChain } from './carry-over.ts';
import { acceptanceOf } from './costs/refusals.ts';
import { bundleCostS } from './costs/table.ts';
import { judgeChain, type Due } from './due.ts';
import { seeded } from './random.ts';
import type { Rules } from './rules.ts';
import { chainsOf, searchPlan } from './search/search-plan.ts';
import type { Shortlist } from './shortlist.ts';
import { NOBODY, type World } from './world.ts';

/** Everything that a run is made from, as plain data. The same request and number of rounds give the same answer. */
export type RunRequest = {
  readonly world: World;
  readonly kept: readonly KeptChain[];
  readonly rules: Rules;
  readonly seed: number;
};

/** The decision of the plan about one order. */
export type MatchDecision = Decision & {
  /** Couriers who could be asked beside the chosen one: they are free and have nothing else planned. */
  readonly others: readonly CourierId[];
};

export type RunAnswer = {
  readonly kept: readonly KeptChain[];
  readonly due: readonly {
    readonly courierId: string;
    readonly orderIds: readonly string[];
    readonly goesAlong: boolean;
  }[];
  readonly decisions: readonly MatchDecision[];
  /** Orders with an open offer for which a much better courier is free now. */
  readonly outdone: readonly string[];
  /** Rounds of the search. */
  readonly rounds: number;
};

/** The most candidates reported for an order, and the most couriers who could be asked beside the chosen one. */
const MOST_CANDIDATES = 8;
const MOST_OTHERS = 10;

/**
 * Makes the plan of one run and says which offers are due now. Random numbers come from the request's seed. The search ends
 * early once `isOver` returns true.
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

function decide(board: Board, shortlist: Shortlist, chains: readonly Chain[], due: readonly Due[]): MatchDecision[] {
  const { couriers, orders } = board.arena;
  // A courier gets one offer at a time: the first due order, and the others once they have accepted it.
  const given = new Set(due.map((one) => one.orders[0]));
  const next = new Set(due.flatMap((one) => one.orders.slice(1)));
  const first = new Set(chains.flatMap(({ bundles }) => bundles[0] ?? []).filter((order) => !next.has(order)));
  return [...orders.ids.keys()].flatMap((order): MatchDecision[] => {
    const holder = orders.heldBy[order]!;
    // An order that a courier is fetching is already decided.
    if (holder !== NOBODY && couriers.isAsked[holder] === 0) return [];
    const courier = board.courierOf[order]!;
    const listed = listedFor(shortlist, order);
    return [
      {
        deliveryId: orders.ids[order]! as DeliveryId,
        verdict: verdictOf(board, order, listed.length, given.has(order), first.has(order)),
        courierId: courier === NOBODY ? null : idOf(board, courier),
        costS: costInPlanS(board, order),
        candidates: listed.slice(0, MOST_CANDIDATES).map((entry) => candidateAt(board, shortlist, order, entry)),
        others: given.has(order) ? othersFor(board, shortlist, listed) : [],
      },
    ];
  });
}

function verdictOf(board: Board, order: number, listed: number, isGiven: boolean, isFirst: boolean): MatchVerdict {
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

function candidateAt(board: Board, shortlist: Shortlist, order: number, entry: number): Candidate {
  const { arena, priceS } = board;
  const { couriers, orders } = arena;
  const courier = shortlist.couriers[entry]!;
  const wayS = arena.travelS(courier, orders.place[order]!, couriers.vehicle[courier]!);
  return {
    courierId: idOf(board, courier),
    arriveS: couriers.startS[courier]! + wayS,
    aloneS: shortlist.aloneS[entry]!,
    priceS: priceS[courier]!,
    acceptance: acceptanceOf(arena, order, courier),
  };
}

function othersFor(board: Board, { couriers }: Shortlist, listed: readonly number[]): CourierId[] {
  const { arena, lengths } = board;
  return listed
    .map((entry) => couriers[entry]!)
    .filter((courier) => lengths[courier] === 0 && arena.couriers.isFree[courier] === 1)
    .slice(0, MOST_OTHERS)
    .map((courier) => idOf(board, courier));
}

/** The columns hold ids as plain text. They were filled from couriers and deliveries. */
function idOf({ arena }: Board, courier: number): CourierId {
  return arena.couriers.ids[courier]! as CourierId;
}

/** Orders with an open offer for which another courier, free and with nothing else planned, would cost much less. */
function outdoneOn(board: Board, shortlist: Shortlist): number[] {
  const { arena, rules, lengths, priceS } = board;
  const { couriers, orders } = arena;
  return [...orders.ids.keys()].filter((order) => {
    const holder = orders.heldBy[order]!;
    if (holder === NOBODY || couriers.isAsked[holder] === 0) return false;
    const bestS = listedFor(shortlist, order).reduce((least, entry) => {
      const courier = shortlist.couriers[entry]!;
      if (lengths[courier] !== 0 || couriers.isFree[courier] === 0) return least;
      return Math.min(least, shortlist.aloneS[entry]! + priceS[courier]! + bundleCostS(board, order, courier, true));
    }, Infinity);
    return costInPlanS(board, order) - bestS > rules.asking.muchBetterS;
  });
}
