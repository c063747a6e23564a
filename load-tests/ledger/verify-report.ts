// The figures of the check of a whole ledger and their limit.
import { lastLineOf } from '../command-line.ts';

export type VerifyFigures = {
  readonly entries: number;
  /** Seconds for all links of the chain, and for the check. */
  readonly sealS: number;
  readonly verifyS: number;
  /** The findings of the check, in sentences. */
  readonly faults: readonly string[];
};
export type VerifyReport = VerifyFigures & { readonly problems: readonly string[] };

const MILLION = 1_000_000;
/** Seconds that a check may take for each million of entries. */
const MOST_S = 45;

/** Names the limit if it was missed, and every fault of the ledger. */
export function judge(figures: VerifyFigures): VerifyReport {
  const { entries, verifyS, faults } = figures;
  const mostS = (MOST_S * entries) / MILLION;
  const slow = verifyS > mostS ? [`the check took ${verifyS.toFixed(1)} s, at most ${mostS.toFixed(1)} s wanted`] : [];
  return { ...figures, problems: [...slow, ...faults] };
}

export function tableOf({ entries, sealS, verifyS }: VerifyReport): string[] {
  const row = (name: string, seconds: number): string =>
    `${name.padEnd(24)} ${seconds.toFixed(1).padStart(7)} s   ${Math.round(entries / seconds)} entries/s`;
  return [
    `entries of the ledger    ${entries}`,
    row('all links of the chain', sealS),
    row('check of the ledger', verifyS),
  ];
}

export function lastLine({ problems }: VerifyReport): string {
  return lastLineOf(problems);
}
