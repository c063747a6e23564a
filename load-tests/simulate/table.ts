import { lastLineOf } from '../command-line.ts';
import { dispatchRows } from './dispatch-table.ts';
import type { ArrivalFigures, Errors } from './figures/arrivals.ts';
import type { Report } from './report.ts';

const LEGEND = [
  'min and service s: time of the played day; ms: machine time; p50, p95: half, 95 in a hundred took no longer',
  'click to door: order to handover; run to phone: from the read of a run to the offer on the phone; when due: if the',
  'courier had to be asked at the first look, as if due: as if that were always so; Gini: 0 if all couriers had as many',
  'orders an hour, near 1 if one had all; again: received twice; gaps: a reader had to ask for events that it missed;',
  'search: from when it counts, a while before the goods are ready, or from the loss of a courier; 0 if assigned before',
  'arrival error: at the drop-off, against what was expected at the order and at the collection; at the pickup, against what',
  'was expected at the assignment; lean: the middle error with its sign, positive if later, or farther, than expected',
];

/** The part of a report that the table shows. The options and the problems are elsewhere. */
type Told = Omit<Report, 'options' | 'refused' | 'problems'>;

/** The number of answers with status 500 to name. */
const MOST_ERRORS = 10;

/** The report as lines of a table for readers, and the meaning of its words. */
export function tableOf(report: Told): string[] {
  return [...rowsOf(report).map(([name, value]) => `${name.padEnd(26)} ${value}`), '', ...LEGEND];
}

/** The last line of the output. */
export function lastLine({ problems, orders, outcome, eventsCommitted, webhooks, money, wallS }: Report): string {
  const share = ((outcome.delivered / orders) * 100).toFixed(1);
  const ledger = money === null ? '' : `ledger verified with ${money.charged} charges, `;
  const seen = `${eventsCommitted} events on every socket, ${webhooks.due} webhooks`;
  return lastLineOf(problems, `${orders} orders, ${share} % delivered, ${seen}, ${ledger}${wallS.toFixed(0)} s`);
}

function rowsOf(report: Told): [string, string][] {
  const { outcome, offers, vendorSocket, trackSockets, webhooks, usage } = report;
  const { clickToDoorMin: door, readyToPickupMin: pickup } = outcome;
  const shareOfOrders = ((outcome.delivered / report.orders) * 100).toFixed(1);
  return [
    ['orders / couriers', `${report.orders} / ${report.couriers}`],
    ['delivered', `${outcome.delivered} (${shareOfOrders} %)`],
    ['failed / canceled / open', `${outcome.failed} / ${outcome.canceled} / ${outcome.open}`],
    ['click to door, min', `mean ${one(door.mean)}  p50 ${one(door.p50)}  p90 ${one(door.p90)}`],
    ['ready to pickup, min', `mean ${one(pickup.mean)}  p90 ${one(pickup.p90)}`],
    ...arrivalRows(report.arrivals.day),
    ['offers', `${offers.made} seen, ${offers.accepted} accepted, ${offers.declined} declined`],
    ['offers expired / taken', `${offers.expired} / ${offers.taken}`],
    ...dispatchRows(report.dispatch),
    ['double assignments', `${report.doubleAssignments}`],
    ...moneyRows(report.money),
    ['events committed', `${report.eventsCommitted}`],
    ['vendor socket', sightText(vendorSocket)],
    [`${trackSockets.sockets} tracking sockets`, sightText(trackSockets)],
    ['tracking sockets without events / refused links', `${trackSockets.mute} / ${trackSockets.refused}`],
    ['webhooks', `${webhooks.due - webhooks.missing.length} of ${webhooks.due}, ${webhooks.missing.length} missing`],
    ['webhooks again / late', `${webhooks.duplicates} / ${webhooks.late}`],
    ['webhook delay, ms', `p50 ${one(webhooks.p50Ms)}  p99 ${one(webhooks.p99Ms)}`],
    ['fixes', `${report.fixes} (${one(report.fixesPerS)} a second)`],
    ['ping answered after, ms', `p50 ${report.pingAckMs.p50}  p99 ${report.pingAckMs.p99}`],
    [
      'position lag, ms',
      `p50 ${report.positionLagMs.p50}  p99 ${report.positionLagMs.p99}  (${report.positionLagMs.frames} frames)`,
    ],
    ['kills', `${report.kills}`],
    ['answers with status 500', `${report.serverErrors.length}`],
    ...report.serverErrors.slice(0, MOST_ERRORS).map((what): [string, string] => ['', what]),
    ['retries', `${report.restRetries} REST, ${report.actionsRetried} courier actions, ${report.lost} lost`],
    ...Object.entries(report.surprises).map(([what, count]): [string, string] => ['refused', `${count} × ${what}`]),
    ...Object.entries(usage).map(([name, { cpuS, cpuShare, peakMb }]): [string, string] => [
      name,
      `${one(cpuS)} s CPU (${(cpuShare * 100).toFixed(0)} % of a core), ${peakMb.toFixed(0)} MB at most`,
    ]),
    ['wall time', `${one(report.wallS)} s`],
  ];
}

function arrivalRows({ first, pickup, collected, luck, distance, routes }: ArrivalFigures): [string, string][] {
  const text = ({ count, p50, p90, lean }: Errors, factor = 1): string =>
    `p50 ${one(p50 * factor)}  p90 ${one(p90 * factor)}  lean ${one(lean * factor)}  of ${count}`;
  return [
    ['first arrival error, s', text(first)],
    ['  at collection, s', text(collected)],
    ['  luck of the ride, s', text(luck)],
    ['  at the pickup, s', text(pickup)],
    ['priced distance error, %', `${text(distance, 100)}  (${routes} by routes)`],
  ];
}

function moneyRows(money: Report['money']): [string, string][] {
  if (money === null) return [];
  const { charged, paid, earned, entries, faults } = money;
  return [
    ['charges', `${charged}: vendors paid ${paid} and couriers earned ${earned} minor units`],
    ['ledger', `${entries} entries verified, ${faults.length} amounts are wrong`],
    ...faults.slice(0, MOST_ERRORS).map((fault): [string, string] => ['', fault]),
  ];
}

function sightText({
  due,
  seen,
  missing,
  outOfOrder,
  duplicates,
  gaps,
}: Report['trackSockets'] | Report['vendorSocket']): string {
  return `${seen} of ${due}, ${missing.length} missing, ${outOfOrder} out of order (${duplicates} again, ${gaps} gaps)`;
}

function one(value: number): string {
  return value.toFixed(1);
}
