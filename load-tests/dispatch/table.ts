// The figures of the bench as lines for readers.
import type { Played } from './contenders.ts';
import { meanOf, type Figures } from './metrics.ts';

type Column = { readonly title: string; readonly digits: number; of(figures: Figures): number };

const COLUMNS: readonly Column[] = [
  { title: 'undel %', digits: 2, of: ({ undeliveredPct }) => undeliveredPct },
  { title: 'CtD', digits: 2, of: ({ clickToDoor }) => clickToDoor.mean },
  { title: 'p50', digits: 1, of: ({ clickToDoor }) => clickToDoor.p50 },
  { title: 'p90', digits: 1, of: ({ clickToDoor }) => clickToDoor.p90 },
  { title: 'over', digits: 2, of: ({ overage }) => overage },
  { title: 'RtD', digits: 2, of: ({ readyToDoor }) => readyToDoor.mean },
  { title: 'RtP', digits: 2, of: ({ readyToPickup }) => readyToPickup.mean },
  { title: 'RtP90', digits: 1, of: ({ readyToPickup }) => readyToPickup.p90 },
  { title: 'util', digits: 3, of: ({ utilisation }) => utilisation.mean },
  { title: 'cost/o', digits: 2, of: ({ costPerOrder }) => costPerOrder },
  { title: 'o/bdl', digits: 3, of: ({ ordersPerBundle }) => ordersPerBundle },
  { title: 'excess', digits: 2, of: ({ excess }) => excess },
  { title: 'run p50', digits: 2, of: ({ runMs }) => runMs.p50 },
  { title: 'p95', digits: 2, of: ({ runMs }) => runMs.p95 },
  { title: 'max', digits: 2, of: ({ runMs }) => runMs.max },
];

const LEGEND = [
  'minutes, of delivered orders: CtD click to door (mean; p50, p90: half, nine in ten take no longer), over CtD above',
  'the target, RtD ready to door, RtP and RtP90 ready to pickup, excess CtD above the floor that no policy can beat;',
  'undel % orders not delivered, util share of a shift that its courier drives or serves, cost/o pay of all couriers per',
  'delivered order, o/bdl orders per bundle; run p50, p95, max machine time of one run of the matcher, ms;',
  'a row of means is the mean over days, but its run max is the highest of all.',
];

/** The table of all days: for each a row of the matcher and of the nearest courier, and two rows of means. */
export function tableOf(days: readonly Played[]): string[] {
  const ours = meanOf(days.map(({ matcher }) => matcher));
  const rows: [string, Figures][] = [
    ...days.flatMap(({ name, matcher, nearest }): [string, Figures][] => [
      [name, matcher],
      ['  nearest', nearest],
    ]),
    [`mean of ${days.length}, matcher`, ours],
    [`mean of ${days.length}, nearest`, meanOf(days.map(({ nearest }) => nearest))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const means = rows.length - 2;
  const header = line(
    width,
    'day',
    COLUMNS.map(({ title }) => title),
  );
  const lines = rows.map(([name, figures]) =>
    line(
      width,
      name,
      COLUMNS.map((column) => cellOf(column.of(figures), column.digits)),
    ),
  );
  return [
    header,
    ...lines.slice(0, means),
    '-'.repeat(header.length),
    ...lines.slice(means),
    '',
    `${ours.orders} orders, floor ${cellOf(ours.floor, 2)} min, ${cellOf(ours.hopelessPct, 2)} % hopeless ` +
      `(ready too late for any courier), ${cellOf(ours.undeliveredWithHopePct, 2)} % undelivered that were not hopeless`,
    ...LEGEND,
  ];
}

/** The progress of the bench when a day has ended. */
export function progressOf(
  { name, matcher, nearest, tookMs }: Played,
  done: number,
  all: number,
  leftMs: number,
): string {
  const doors = `CtD ${cellOf(matcher.clickToDoor.mean, 1)} (nearest ${cellOf(nearest.clickToDoor.mean, 1)})`;
  const left = done === all ? 'the last' : `about ${spanOf(leftMs)} left`;
  return `${String(done).padStart(String(all).length)}/${all} ${name} ${doors}, ${(tookMs / 1000).toFixed(1)} s, ${left}`;
}

function spanOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function line(width: number, name: string, cells: readonly string[]): string {
  return [name.padEnd(width), ...cells.map((cell, index) => cell.padStart(Math.max(7, widthOf(index))))].join(' ');
}

function widthOf(index: number): number {
  return COLUMNS[index]?.title.length ?? 0;
}

function cellOf(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
