// How long searches for couriers took, and whether an event reported those that took too long. Pure.
import { LEAST_TURN_REAL_MS, TURN_MS } from '../../../src/dispatch/due/run-due.ts';
import { spreadOf, type Spread } from '../../statistics.ts';
import type { TrueDelivery } from './truth.ts';

/**
 * A search for a courier. It lasts from the moment when it counts, or from a later unassignment, to the next assignment
 * or the end.
 */
export type Search = {
  readonly deliveryId: string;
  /** Service time in ms. */
  readonly from: number;
  readonly to: number;
  readonly isAssigned: boolean;
  /** Whether an event has reported to operators and the vendor that it takes too long. */
  readonly isTold: boolean;
};

export type SearchFigures = {
  /** Service minutes of each search. */
  readonly searchMin: Spread;
  /** Service minutes from the order to its last assignment, or to the end if no courier has it. */
  readonly toCourierMin: Spread;
  readonly unassigned: number;
  /** Searches of the alarm time or longer, and how many of them have their event. */
  readonly long: number;
  readonly longTold: number;
  /** Deliveries whose long search has no event, although there was time for one. */
  readonly untold: readonly string[];
  /** Open searches at the start of each quarter of an hour, from minute `fromMin` of the day on. */
  readonly open: { readonly fromMin: number; readonly counts: readonly number[] };
  readonly mostOpen: { readonly count: number; readonly atMin: number };
};

export type SearchRules = {
  /** When the search for a delivery starts to count; service time in ms. */
  readonly countsFrom: (delivery: TrueDelivery) => number;
  /** When the run ended; service time in ms. */
  readonly endAt: number;
  readonly alarmAfterMs: number;
  readonly toleranceMs: number;
  /** Service ms between two moments in which a server was down or just back. */
  readonly downMs: (from: number, to: number) => number;
  /** Converts service time in ms to the minute of the day. */
  readonly toMinute: (at: number) => number;
};

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** Machine time to write the event on a busy machine. */
const WRITE_REAL_MS = 1000;

/**
 * How much longer than the alarm time a search may last without its event: a running turn, the next one, and the
 * event's commit.
 */
export function alarmToleranceMs(scale: number): number {
  return Math.max(TURN_MS, LEAST_TURN_REAL_MS * scale) * 2 + WRITE_REAL_MS * scale;
}

/** Judges the searches of a run. */
export function judgeSearches(truth: readonly TrueDelivery[], rules: SearchRules): SearchFigures {
  const { alarmAfterMs, toleranceMs, downMs, endAt } = rules;
  const searches = truth.flatMap((delivery) => searchesOf(delivery, rules));
  const long = searches.filter(({ from, to }) => to - from >= alarmAfterMs);
  const isOverdue = ({ from, to }: Search): boolean =>
    to - from - alarmAfterMs - downMs(from + alarmAfterMs, to) > toleranceMs;
  const last = new Map(searches.map((search) => [search.deliveryId, search]));
  const waits = truth.map(
    (delivery) => (last.get(delivery.deliveryId)?.to ?? endAt) - (createdAt(delivery) ?? rules.countsFrom(delivery)),
  );
  return {
    searchMin: spreadOf(searches.map(({ from, to }) => (to - from) / MINUTE_MS)),
    toCourierMin: spreadOf(waits.map((wait) => wait / MINUTE_MS)),
    unassigned: [...last.values()].filter(({ isAssigned }) => !isAssigned).length,
    long: long.length,
    longTold: long.filter(({ isTold }) => isTold).length,
    untold: long.filter((search) => !search.isTold && isOverdue(search)).map(({ deliveryId }) => deliveryId),
    ...openSearches(searches, rules),
  };
}

/** When the order became a delivery, service time in ms. Null if its history does not contain this. */
export function createdAt({ events }: TrueDelivery): number | null {
  return events.find(({ type }) => type === 'delivery.created')?.createdAt ?? null;
}

const ENDS = ['delivered', 'canceled', 'delivery.failed'];

/** The searches of one delivery, in order. */
export function searchesOf(
  delivery: TrueDelivery,
  { countsFrom, endAt }: Pick<SearchRules, 'countsFrom' | 'endAt'>,
): Search[] {
  const { deliveryId, events } = delivery;
  const searches: Search[] = [];
  let from: number | null = countsFrom(delivery);
  let isTold = false;
  const close = (to: number, isAssigned: boolean): void => {
    // If a delivery was assigned by hand or ended before it was due, its search has no length.
    if (from !== null) searches.push({ deliveryId, from: Math.min(from, to), to, isAssigned, isTold });
    from = null;
  };
  for (const { type, createdAt: at } of events) {
    if (type === 'courier.assigned') close(at, true);
    if (ENDS.includes(type)) close(at, false);
    if (type === 'delivery.search_delayed') isTold = true;
    if (type === 'courier.unassigned') [from, isTold] = [Math.max(at, countsFrom(delivery)), false];
  }
  close(endAt, false);
  return searches;
}

function openSearches(
  searches: readonly Search[],
  { toMinute }: SearchRules,
): Pick<SearchFigures, 'open' | 'mostOpen'> {
  const begins = searches.map(({ from }) => from).toSorted((a, b) => a - b);
  const ends = searches.map(({ to }) => to).toSorted((a, b) => a - b);
  const [firstAt, lastAt] = [begins[0], ends.at(-1)];
  if (firstAt === undefined || lastAt === undefined) {
    return { open: { fromMin: 0, counts: [] }, mostOpen: { count: 0, atMin: 0 } };
  }
  const openAt = (at: number): number => searches.filter(({ from, to }) => from <= at && at < to).length;
  const quarters = Math.ceil((lastAt - firstAt) / QUARTER_MS) + 1;
  let most = { count: 0, at: firstAt };
  let ended = 0;
  for (const [index, at] of begins.entries()) {
    while ((ends[ended] ?? Infinity) <= at) ended += 1;
    const count = index + 1 - ended;
    if (count > most.count) most = { count, at };
  }
  const minuteOf = (at: number): number => Math.floor(toMinute(at));
  return {
    open: {
      fromMin: minuteOf(firstAt),
      counts: Array.from({ length: quarters }, (_, index) => openAt(firstAt + index * QUARTER_MS)),
    },
    mostOpen: { count: most.count, atMin: minuteOf(most.at) },
  };
}
