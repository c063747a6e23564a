// The figures of a run and the sentences that make it fail.
import { lastLineOf } from '../command-line.ts';
import { ELECTION_MS } from '../engines/mongo-set.ts';
import type { Report } from '../simulate/report.ts';
import { tableOf as dayTableOf } from '../simulate/table.ts';
import { spreadOf, type Spread } from '../statistics.ts';
import type { Made } from './faults.ts';
import type { EnginesOptions } from './options.ts';
import { FAULT_NAMES } from './plan.ts';

export type EnginesReport = {
  readonly options: EnginesOptions;
  /** The day as it was played. */
  readonly day: Report;
  readonly made: readonly Made[];
  /** Empty when the run is good. */
  readonly problems: readonly string[];
};

/** How long a step-down may keep MongoDB from taking writes: until the members elect by themselves, and 2 s. */
const MOST_WITHOUT_WRITES_MS = ELECTION_MS + 2000;

/**
 * Judges a run. The day must be good, every requested fault must have been made, and writes must succeed soon after a
 * step-down.
 */
export function judgeRun<Day extends Pick<Report, 'problems'>>(
  options: EnginesOptions,
  day: Day,
  made: readonly Made[],
): Omit<EnginesReport, 'day'> & { readonly day: Day } {
  const left = FAULT_NAMES.flatMap((fault) => {
    const count = options.faults[fault] - made.filter((one) => one.fault === fault).length;
    return count > 0 ? [`${count} ${fault} were not made before the last order ended`] : [];
  });
  const { max } = withoutWrites(made);
  const silent =
    max > MOST_WITHOUT_WRITES_MS ? [`no write for ${max} ms in a step-down, above ${MOST_WITHOUT_WRITES_MS}`] : [];
  return { options, day, made, problems: [...day.problems, ...left, ...silent] };
}

/** The times without a confirmed write in step-downs, ms. */
function withoutWrites(made: readonly Made[]): Spread {
  return spreadOf(made.filter(({ fault }) => fault === 'step-downs').map(({ withoutWritesMs }) => withoutWritesMs));
}

/** The report as lines of a table for readers. */
export function tableOf({ day, made }: EnginesReport): string[] {
  const rows = made.map(
    ({ what, atS, healedS, withoutWritesMs }) =>
      `${`${atS.toFixed(1)} s`.padStart(9)}  ${what}; healed after ${healedS} s, no write for ${withoutWritesMs} ms`,
  );
  const { count, p50, max } = withoutWrites(made);
  const writes = `No write in ${count} step-downs: p50 ${p50} ms, at most ${max} ms, goal ${MOST_WITHOUT_WRITES_MS} ms`;
  return [
    ...dayTableOf(day),
    '',
    'Faults, in machine time from the first order:',
    ...rows,
    ...(count > 0 ? ['', writes] : []),
  ];
}

/** The last line of the output. */
export function lastLine({ options, day, made, problems }: EnginesReport): string {
  const { outcome, vendorSocket, trackSockets, webhooks, doubleAssignments, serverErrors, eventsCommitted } = day;
  const missing = vendorSocket.missing.length + trackSockets.missing.length + webhooks.missing.length;
  const figures = [
    `${day.orders} orders`,
    `${outcome.delivered} delivered`,
    `${outcome.canceled} canceled`,
    `${outcome.failed} failed`,
    `${outcome.open} open`,
    `${eventsCommitted} events`,
    `${missing} missing`,
    `${vendorSocket.outOfOrder + trackSockets.outOfOrder} out of order`,
    `${doubleAssignments} double assignments`,
    `${serverErrors.length} answers 500`,
    `${made.length} faults`,
    `redis ${options.redis}`,
    `${day.wallS.toFixed(0)} s`,
  ].join(', ');
  return lastLineOf(problems, figures);
}
