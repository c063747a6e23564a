// The figures of a run and the sentences that make it fail.
import { lastLineOf } from '../command-line.ts';
import type { Report } from '../simulate/report.ts';
import { tableOf as dayTableOf } from '../simulate/table.ts';
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

/** Judges a run. The day must be good, and every requested fault must have been made. */
export function judgeRun<Day extends Pick<Report, 'problems'>>(
  options: EnginesOptions,
  day: Day,
  made: readonly Made[],
): Omit<EnginesReport, 'day'> & { readonly day: Day } {
  const left = FAULT_NAMES.flatMap((fault) => {
    const count = options.faults[fault] - made.filter((one) => one.fault === fault).length;
    return count > 0 ? [`${count} ${fault} were not made before the last order ended`] : [];
  });
  return { options, day, made, problems: [...day.problems, ...left] };
}

/** The report as lines of a table for readers. */
export function tableOf({ day, made }: EnginesReport): string[] {
  const rows = made.map(
    ({ what, atS, healedS }) => `${`${atS.toFixed(1)} s`.padStart(9)}  ${what}; healed after ${healedS} s`,
  );
  return [...dayTableOf(day), '', 'Faults, in machine time from the first order:', ...rows];
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
