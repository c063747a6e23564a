import type { DispatchFigures } from './figures/dispatch-figures.ts';
import type { Spread } from '../statistics.ts';
import type { Aimed } from './figures/live.ts';

/** The figures of dispatch as rows of a table: ms of machine time, seconds and minutes of service time. */
export function dispatchRows({ live, searches, fairness }: DispatchFigures): [string, string][] {
  const { offerMs, firstOfferDueMs, firstOfferAllMs, acceptMs, period } = live;
  const { perHour, utilisation } = fairness;
  const inServiceS = (machineMs: Spread): string => spreadText(timesAll(machineMs, live.scale / 1000));
  const apart = `${live.offersWithoutRun} without their run, ${live.askedUnseen} asked and not seen`;
  const periodText = `period ${period.serviceMs / 1000} s of service, ${Math.round(period.machineMs)} ms`;
  return [
    ['run to phone, ms', aimedText(offerMs)],
    ['offer to phone, ms', `${spreadText(live.offerFromMakingMs)}  (${apart})`],
    ['first offer when due, ms', `${aimedText(firstOfferDueMs)}  (${periodText})`],
    ['  the same, service s', inServiceS(firstOfferDueMs)],
    ['first offer as if due, ms', aimedText(live.firstOfferAsIfDueMs)],
    ['  the same, service s', inServiceS(live.firstOfferAsIfDueMs)],
    ['first offer of all, ms', `${spreadText(firstOfferAllMs)}  (${live.neverOffered} never offered)`],
    ['  the same, service s', inServiceS(firstOfferAllMs)],
    ['accept answered, ms', `${aimedText(acceptMs)}  (${live.acceptsCut} cut)`],
    ['search, min', spreadText(searches.searchMin)],
    ['order to courier, min', `${spreadText(searches.toCourierMin)}  (${searches.unassigned} without one)`],
    ['long searches', `${searches.long}, ${searches.longTold} with their event, ${searches.untold.length} untold`],
    ['most open searches', `${searches.mostOpen.count} at minute ${searches.mostOpen.atMin}`],
    ['open each 15 min', `${searches.open.counts.join(' ')}  (from minute ${searches.open.fromMin})`],
    [
      'orders per online hour',
      `p10 ${two(perHour.p10)}  p50 ${two(perHour.p50)}  p90 ${two(perHour.p90)}  Gini ${two(fairness.gini)}`,
    ],
    [
      'utilisation',
      `mean ${two(utilisation.mean)}  p10 ${two(utilisation.p10)}  p50 ${two(utilisation.p50)}  ` +
        `(${fairness.couriers} couriers, ${fairness.leftOut} online too briefly)`,
    ],
  ];
}

function timesAll({ count, p50, p95, max }: Spread, factor: number): Spread {
  return { count, p50: p50 * factor, p95: p95 * factor, max: max * factor };
}

function spreadText({ count, p50, p95, max }: Spread): string {
  return count === 0 ? 'none' : `p50 ${one(p50)}  p95 ${one(p95)}  max ${one(max)}  of ${count}`;
}

function aimedText(aimed: Aimed): string {
  const { isWithin, aimMs } = aimed;
  if (isWithin === null) return 'none';
  return `${spreadText(aimed)}, p95 ${isWithin ? 'within' : 'above'} the aim of ${Math.round(aimMs)}`;
}

function one(value: number): string {
  return value.toFixed(1);
}

function two(value: number): string {
  return value.toFixed(2);
}
