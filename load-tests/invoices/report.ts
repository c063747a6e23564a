// The figures of the printed invoices and their limits.
import { lastLineOf } from '../command-line.ts';
import type { Spread } from '../statistics.ts';

export type InvoicesFigures = {
  /** Lines of each invoice. */
  readonly lines: number;
  /** From the order to print until the document is there. */
  readonly printMs: Spread;
  /** The size of a document. */
  readonly kB: Spread;
  /** How long the thread of the requests was stopped meanwhile. */
  readonly stopP99Ms: number;
  readonly stopMaxMs: number;
};
export type InvoicesReport = InvoicesFigures & { readonly problems: readonly string[] };

const MOST_PRINT_MS = 150;
const MOST_STOP_MS = 50;

/** Names exactly the limits that were missed. */
export function judge(figures: InvoicesFigures): InvoicesReport {
  const { printMs, stopMaxMs } = figures;
  const limits: readonly (readonly [boolean, string])[] = [
    [printMs.p95 <= MOST_PRINT_MS, `the p95 of a print is ${ms(printMs.p95)}, at most ${MOST_PRINT_MS} ms wanted`],
    [stopMaxMs <= MOST_STOP_MS, `prints stopped the requests for ${ms(stopMaxMs)}, at most ${MOST_STOP_MS} ms wanted`],
  ];
  return { ...figures, problems: limits.flatMap(([isMet, problem]) => (isMet ? [] : [problem])) };
}

export function tableOf({ lines, printMs, kB, stopP99Ms, stopMaxMs }: InvoicesReport): string[] {
  return [
    `invoices of ${lines} lines      ${printMs.count}, of ${kB.p50.toFixed(0)} kB`,
    `print                     p50 ${ms(printMs.p50)}   p95 ${ms(printMs.p95)}   longest ${ms(printMs.max)}`,
    `stops of the requests     p99 ${ms(stopP99Ms)}   longest ${ms(stopMaxMs)}`,
  ];
}

export function lastLine({ problems }: InvoicesReport): string {
  return lastLineOf(problems);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
