import type { DispatchFigures } from './dispatch-figures.ts';
import type { Marked } from './live.ts';
import type { Spread } from './tally.ts';

/** What a run says of dispatch, as rows of its table: ms of machine time, s and minutes of service time. */
export function dispatchRows({ live, searches, fairness }: DispatchFigures): [string, string][] {
  const { offerMs, firstOfferDueMs, firstOfferAllMs, acceptMs, period } = live;
  const { perHour, utilisation } = fairness;
  const apart = `${live.offersWithoutRun} without their run, ${live.askedUnseen} asked and not seen`;
  const periodText = `period ${period.serviceMs / 1000} s of service, ${Math.round(period.machineMs)} ms`;
  return [
    ['run to phone, ms', markedText(offerMs)],
    ['offer to phone, ms', `${spreadText(live.offerFromMakingMs)}  (${apart})`],
    ['first offer when due, ms', `${markedText(firstOfferDueMs)}  (${periodText})`],
    ['  the same, service s', spreadText(live.firstOfferDueS)],
    ['first offer as if due, ms', markedText(live.firstOfferAsIfDueMs)],
    ['  the same, service s', spreadText(live.firstOfferAsIfDueS)],
    ['first offer of all, ms', `${spreadText(firstOfferAllMs)}  (${live.neverOffered} never offered)`],
    ['  the same, service s', spreadText(live.firstOfferAllS)],
    ['accept answered, ms', `${markedText(acceptMs)}  (${live.acceptsCut} cut)`],
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

function spreadText({ count, p50, p95, max }: Spread): string {
  return `p50 ${one(p50)}  p95 ${one(p95)}  max ${one(max)}  of ${count}`;
}

function markedText(marked: Marked): string {
  const { isWithin, markMs } = marked;
  if (isWithin === null) return 'none';
  return `${spreadText(marked)}, p95 ${isWithin ? 'within' : 'above'} the mark of ${Math.round(markMs)}`;
}

function one(value: number): string {
  return value.toFixed(1);
}

function two(value: number): string {
  return value.toFixed(2);
}
