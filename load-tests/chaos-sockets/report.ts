// The figures of a run and the sentences that make it fail.
import { lastLineOf } from '../command-line.ts';
import { quantile } from '../statistics.ts';
import type { Fault, SocketsOptions } from './options.ts';

/** The events of the readers of one kind. An event counts once for each reader. */
export type Read = {
  readonly readers: number;
  readonly due: number;
  readonly lost: number;
  /** Events that reached the same reader's user twice. */
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly reconnects: number;
};

export type Facts = {
  readonly options: Pick<SocketsOptions, 'events' | 'faults'>;
  /** Changes that the servers confirmed, and those that they refused for good. */
  readonly confirmed: number;
  readonly refused: readonly string[];
  /** Events in the log from the first change on. */
  readonly logged: number;
  readonly vendors: Read;
  readonly pages: Read;
  readonly control: { readonly due: number; readonly lost: number };
  /** From the moment in an event to its arrival at a vendor's reader, ms. */
  readonly lagMs: readonly number[];
  readonly made: readonly { readonly fault: Fault; readonly atS: number; readonly healedS: number }[];
  readonly crashes: readonly string[];
  readonly serverErrors: readonly string[];
  readonly wallS: number;
};

export type SocketsReport = Omit<Facts, 'lagMs'> & {
  readonly lag: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Empty when the run is good. */
  readonly problems: readonly string[];
};

/** A control that loses less says that the faults hit nothing. */
const LEAST_CONTROL_LOSS = 0.01;
const MOST_LAG_MS = { p50: 20, p99: 1000, max: 3000 } as const;
const LAGS = ['p50', 'p99', 'max'] as const;

/** Judges a run. */
export function judge({ lagMs, ...facts }: Facts): SocketsReport {
  const { options, confirmed, refused, logged, control, made, crashes, serverErrors } = facts;
  const lag = { p50: quantile(lagMs, 0.5), p99: quantile(lagMs, 0.99), max: quantile(lagMs, 1) };
  const left = (Object.keys(options.faults) as Fault[]).flatMap((fault) => {
    const count = options.faults[fault] - made.filter((one) => one.fault === fault).length;
    return count > 0 ? [`${count} ${fault} were not made`] : [];
  });
  const mild = lossOf(control) < LEAST_CONTROL_LOSS;
  const problems = [
    ...(refused.length > 0 ? [`${refused.length} changes were refused, the first with ${refused[0]}`] : []),
    ...(confirmed < options.events ? [`${confirmed} of ${options.events} changes were confirmed`] : []),
    ...(logged < confirmed ? [`${confirmed - logged} confirmed changes are not in the log`] : []),
    ...problemsOf('the readers of a vendor', facts.vendors),
    ...problemsOf('tracking pages', facts.pages),
    ...LAGS.flatMap((name) =>
      lag[name] <= MOST_LAG_MS[name]
        ? []
        : [`events were late, ${name} ${lag[name]} ms, at most ${MOST_LAG_MS[name]} ms wanted`],
    ),
    ...(mild ? [`the control lost only ${percent(lossOf(control))}, so the faults were too mild`] : []),
    ...left,
    ...crashes,
    ...(serverErrors.length > 0
      ? [`${serverErrors.length} answers with status 500, the first ${serverErrors[0]}`]
      : []),
  ];
  return { ...facts, lag, problems };
}

function problemsOf(who: string, { due, lost, doubled, outOfOrder }: Read): string[] {
  return [
    ...(due === 0 ? [`no event was due to ${who}`] : []),
    ...(lost > 0 ? [`${who} lost ${lost} of ${due} events`] : []),
    ...(doubled > 0 ? [`${who} got ${doubled} events twice`] : []),
    ...(outOfOrder > 0 ? [`${who} got ${outOfOrder} events out of order`] : []),
  ];
}

function lossOf({ due, lost }: Facts['control']): number {
  return due === 0 ? 0 : lost / due;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** The report as lines of a table for readers. */
export function tableOf({ confirmed, logged, vendors, pages, control, lag, made, wallS }: SocketsReport): string[] {
  const row = (name: string, { readers, due, lost, doubled, outOfOrder, reconnects }: Read): string =>
    `| ${[name, readers, due, lost, doubled, outOfOrder, reconnects].join(' | ')} |`;
  const faults = made.map(
    ({ fault, atS, healedS }) => `${`${atS.toFixed(1)} s`.padStart(9)}  ${fault}, healed after ${healedS.toFixed(1)} s`,
  );
  return [
    `changes confirmed        ${confirmed} in ${wallS.toFixed(0)} s, ${logged} events in the log`,
    `events late              p50 ${lag.p50} ms, p99 ${lag.p99} ms, at most ${lag.max} ms`,
    `the control lost         ${control.lost} of ${control.due} (${percent(lossOf(control))})`,
    '',
    '| readers | connections | events due | lost | doubled | out of order | reconnects |',
    '|---|---|---|---|---|---|---|',
    row('vendors', vendors),
    row('tracking pages', pages),
    '',
    'Faults, in seconds from the first change:',
    ...faults,
  ];
}

/** The last line of the output. */
export function lastLine({ problems, logged, vendors, pages, made, control }: SocketsReport): string {
  const figures = `${logged} events, ${vendors.due + pages.due} arrivals, ${made.length} faults`;
  return lastLineOf(problems, `${figures}, the control lost ${percent(lossOf(control))}`);
}
