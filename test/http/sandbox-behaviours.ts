import { MODES } from '../../src/http/sandbox/modes.ts';
import { TRANSFER_MODES } from '../../src/http/sandbox/transfer-modes.ts';

/** The last two digits that select a behaviour of the sandbox for a payment, a transfer or a refund, and `00` for none. */
const BEHAVIOURS = [...new Set(['00', ...Object.keys(MODES), ...Object.keys(TRANSFER_MODES)])].toSorted();

/** The digits for which a table of tests has no row. Digits that mean nothing to its subject need one too. */
export function withoutRow(rows: readonly string[]): string[] {
  return BEHAVIOURS.filter((digits) => !rows.includes(digits));
}
