import { lastLineOf } from '../command-line.ts';
import type { Compared } from './cases.ts';
import type { Size } from './layout.ts';
import type { Measured } from './measure.ts';
import type { Spread } from '../statistics.ts';

/** The target of a size, listing included: p95 in ms, on two cores, with places at random. */
export type Aim = Size & { readonly p95Ms: number };

export const AIMS: readonly Aim[] = [
  { orders: 100, couriers: 300, p95Ms: 3 },
  { orders: 660, couriers: 2585, p95Ms: 40 },
  { orders: 1000, couriers: 1000, p95Ms: 80 },
  { orders: 412, couriers: 32_000, p95Ms: 40 },
  { orders: 5000, couriers: 15_000, p95Ms: 400 },
];
/** In % of the least possible cost. */
const MOST_EXCESS_PCT = 0.1;
const MOST_HEAP_MB = 64;

/** The targets that were missed, a sentence each. Clustered places are also shown, but their times have no target. */
export function problemsOf(compared: Compared, all: readonly Measured[]): string[] {
  const problems: string[] = [];
  if (compared.otherCount > 0)
    problems.push(`${compared.otherCount} cases with another number matched than the exact solver`);
  if (compared.worstExcessPct > MOST_EXCESS_PCT) problems.push(`a case ${pct(compared.worstExcessPct)} above exact`);
  for (const one of all) {
    const name = `${nameOf(one)} ${one.layout}`;
    const aim = AIMS.find(({ orders, couriers }) => orders === one.orders && couriers === one.couriers);
    if (aim !== undefined && one.layout === 'random' && one.sum.p95 > aim.p95Ms) {
      problems.push(`${name} p95 ${one.sum.p95.toFixed(1)} ms (${one.cpuP95.toFixed(1)} of CPU), aim ${aim.p95Ms}`);
    }
    if (one.excessPct > MOST_EXCESS_PCT) problems.push(`${name} ${pct(one.excessPct)} above exact`);
    if (one.heapMb >= MOST_HEAP_MB) problems.push(`${name} adds ${one.heapMb.toFixed(0)} MB to the heap`);
  }
  return problems;
}

/** All figures as a table. */
export function tableOf(compared: Compared, all: readonly Measured[]): string[] {
  const head = [
    'orders × couriers',
    'places',
    'listed',
    'listing ms',
    'solving ms',
    'sum p50 / p95 / max ms',
    'CPU p95',
    'aim',
    'matched',
    'mean s',
    'above exact',
    'listed alone',
    'heap MB',
  ];
  const { cases, otherCount, worstExcessPct } = compared;
  const excess = `cost ${pct(worstExcessPct)} above at most`;
  return [
    `${cases} random cases against an independent exact solver: ${otherCount} with another number matched, ${excess}`,
    '',
    row(head),
    row(head.map(() => '---')),
    ...all.map((one) => row(cellsOf(one))),
  ];
}

/** The last line. */
export function lastLine(problems: readonly string[], all: readonly Measured[]): string {
  const times = all.filter(({ layout }) => layout === 'random');
  return lastLineOf(problems, times.map((one) => `${nameOf(one)} p95 ${one.sum.p95.toFixed(1)} ms`).join(', '));
}

function cellsOf(one: Measured): string[] {
  const aim = AIMS.find(({ orders, couriers }) => orders === one.orders && couriers === one.couriers);
  return [
    nameOf(one),
    one.layout,
    String(one.candidates),
    one.listing.p50.toFixed(1),
    one.solving.p50.toFixed(1),
    spread(one.sum),
    one.cpuP95.toFixed(1),
    aim === undefined || one.layout !== 'random' ? '' : String(aim.p95Ms),
    String(Math.round(one.matched)),
    (one.costS / one.orders).toFixed(1),
    pct(one.excessPct),
    other(one, one.listedMatched, one.listedExcessPct),
    one.heapMb.toFixed(0),
  ];
}

/** Costs can be compared only if the same number was matched. */
function other({ matched }: Measured, otherMatched: number, excess: number): string {
  const missing = matched - otherMatched;
  return missing < 0.5 / 3 ? `+${pct(excess)}` : `${missing.toFixed(1)} fewer matched`;
}

function nameOf({ orders, couriers }: Size): string {
  return `${orders.toLocaleString('en')} × ${couriers.toLocaleString('en')}`;
}

function spread({ p50, p95, max }: Spread): string {
  return [p50, p95, max].map((ms) => ms.toFixed(1)).join(' / ');
}

/** Rounding may leave a value slightly below 0. */
function pct(value: number): string {
  return `${Math.max(0, value).toFixed(Math.abs(value) < 0.005 ? 0 : 2)} %`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
