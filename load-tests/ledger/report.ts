// The figures of the ledger bench and their limits.
import { lastLineOf } from '../command-line.ts';

/** Requests of one kind that were made at once. */
export type Rate = { readonly perS: number; readonly p50Ms: number; readonly p99Ms: number };

export type LedgerFigures = {
  /** Transfers of the ledger over many wallets, and on one. */
  readonly many: Rate;
  readonly one: Rate;
  /** Transfers over many wallets at half of the wanted rate. */
  readonly half: Rate;
  /** Pairs of a hold and its capture over many wallets. */
  readonly holds: Rate;
  /** Two updates in a transaction by mongoose, over many wallets. */
  readonly plain: Rate;
  /** One request after the other: of the ledger, and of mongoose. */
  readonly lone: Rate;
  readonly plainLone: Rate;
  /** The part of the ledger's transactions that were aborted and run again. */
  readonly repeatedShare: number;
};
export type LedgerReport = LedgerFigures & { readonly problems: readonly string[] };

/** Transfers/s that the ledger must reach over many wallets. */
export const LEAST_MANY = 8000;
const LEAST_ONE = 6000;
const LEAST_TIMES = 5;
const MOST_LONE = 1.3;
const MOST_REPEATED = 0.01;

/** Names exactly the limits that were missed. */
export function judge(figures: LedgerFigures): LedgerReport {
  const { many, one, plain, lone, plainLone, repeatedShare } = figures;
  const limits: readonly (readonly [boolean, string])[] = [
    [many.perS >= LEAST_MANY, `${whole(many)} transfers/s over many wallets, ${LEAST_MANY} wanted`],
    [one.perS >= LEAST_ONE, `${whole(one)} transfers/s on one wallet, ${LEAST_ONE} wanted`],
    [many.perS >= LEAST_TIMES * plain.perS, `not ${LEAST_TIMES} times the plain transactions over many wallets`],
    [one.perS >= LEAST_TIMES * plain.perS, `not ${LEAST_TIMES} times the plain transactions on one wallet`],
    [lone.p50Ms <= MOST_LONE * plainLone.p50Ms, `a lone request takes over ${MOST_LONE} times a plain transaction`],
    [repeatedShare < MOST_REPEATED, `${percent(repeatedShare)} of the ledger's transactions were repeated`],
  ];
  return { ...figures, problems: limits.flatMap(([isMet, problem]) => (isMet ? [] : [problem])) };
}

export function tableOf({ many, one, half, holds, plain, lone, plainLone, repeatedShare }: LedgerReport): string[] {
  const row = (name: string, rate: Rate): string =>
    `${name.padEnd(34)} ${whole(rate).padStart(7)}/s   p50 ${rate.p50Ms.toFixed(1)} ms   p99 ${rate.p99Ms.toFixed(1)} ms`;
  return [
    row('transfers over many wallets', many),
    row('transfers on one wallet', one),
    row('transfers at half load', half),
    row('holds that are captured', holds),
    row('plain transactions, many wallets', plain),
    row('one transfer at a time', lone),
    row('one plain transaction at a time', plainLone),
    `repeated transactions of the ledger ${percent(repeatedShare)}`,
  ];
}

export function lastLine({ problems }: LedgerReport): string {
  return lastLineOf(problems);
}

function whole({ perS }: Rate): string {
  return String(Math.round(perS));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
