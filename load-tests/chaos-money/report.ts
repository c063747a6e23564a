// The figures of a run and the sentences that make it fail.
import { lastLineOf } from '../command-line.ts';
import type { LedgerCheck } from '../../src/money/ledger/check.ts';
import type { Comparison } from './answers.ts';
import type { Made } from './faults.ts';
import { FAULT_NAMES, type MoneyOptions } from './options.ts';
import type { Totals } from './totals.ts';
import type { Counts } from './work.ts';

export type MoneyFigures = {
  readonly options: MoneyOptions;
  readonly counts: Counts;
  /** Transactions that the database committed. */
  readonly commits: number;
  /** Commits that failed, each try counted. */
  readonly failedCommits: number;
  readonly totals: Totals;
  readonly made: readonly Made[];
  readonly comparison: Comparison;
  readonly check: LedgerCheck;
  readonly wallS: number;
};
export type MoneyReport = MoneyFigures & { readonly problems: readonly string[] };

/** Snapshots that must be read at least in each ten seconds, although elections interrupt them. */
const LEAST_READ_PER_10_S = 10;
const MOST_NAMED = 3;

/** Judges a run. */
export function judgeRun(figures: MoneyFigures): MoneyReport {
  const { options, counts, totals, made, comparison, check } = figures;
  const { lost, unasked, wrong } = comparison;
  const leastRead = Math.floor((options.seconds / 10) * LEAST_READ_PER_10_S);
  const notMade = FAULT_NAMES.flatMap((fault) => {
    const left = options.faults[fault] - made.filter((one) => one.fault === fault).length;
    return left > 0 ? [`${left} ${fault} were not made`] : [];
  });
  const problems = [
    ...named(lost, 'facts lost'),
    ...named(unasked, 'facts booked although they were answered as not booked'),
    ...named(wrong, 'accounts with another balance than the answers say'),
    ...named(totals.wrong, 'wrong totals'),
    ...named(check.faults, 'faults of the ledger'),
    ...named(counts.errors, 'errors that a caller should never see'),
    ...notMade,
    ...(counts.booked < options.leastBooked ? [`${counts.booked} commands, ${options.leastBooked} wanted`] : []),
    ...(totals.read < leastRead ? [`${totals.read} snapshots were read, ${leastRead} wanted`] : []),
  ];
  return { ...figures, problems };
}

/** The report as lines of a table for readers. */
export function tableOf(report: MoneyReport): string[] {
  const { counts, commits, failedCommits, totals, made, check, comparison, wallS, options } = report;
  const rows: readonly (readonly [string, string])[] = [
    ['commands booked', `${counts.booked}, ${(counts.booked / options.seconds).toFixed(0)}/s`],
    ['commands refused for lack of funds', `${counts.refused}`],
    ['answers that no money has moved', `${counts.notBooked}`],
    ['answers that money may have moved', `${counts.unknown}`],
    ['committed transactions', `${commits}`],
    ['commits that failed', `${failedCommits}`],
    ['snapshots read', `${totals.read} (${totals.unread} not answered)`],
    ['entries in the ledger', `${check.entries}`],
    ['lost / booked unasked / wrong balances', figuresOf(comparison)],
    ...FAULT_NAMES.map((fault) => [fault, healingOf(made.filter((one) => one.fault === fault))] as const),
    ['duration', `${wallS.toFixed(0)} s`],
  ];
  return rows.map(([name, figure]) => `${name.padEnd(38)} ${figure}`);
}

/** The last line of the output. */
export function lastLine({ problems, commits, counts, totals, made, comparison }: MoneyReport): string {
  const { lost, unasked, wrong } = comparison;
  const figures = [
    `${counts.booked} commands in ${commits} transactions`,
    `${made.length} faults`,
    `${totals.read} totals`,
    `${lost.length} lost`,
    `${unasked.length + wrong.length} doubled or unasked`,
  ].join(', ');
  return lastLineOf(problems, figures);
}

function figuresOf({ lost, unasked, wrong }: Comparison): string {
  return `${lost.length} / ${unasked.length} / ${wrong.length}`;
}

function healingOf(made: readonly Made[]): string {
  const longest = Math.max(0, ...made.map(({ healedS }) => healedS));
  return `${made.length}, healed within ${longest} s`;
}

function named(all: readonly string[], what: string): string[] {
  return all.length === 0 ? [] : [`${all.length} ${what}, such as ${all.slice(0, MOST_NAMED).join(', ')}`];
}
