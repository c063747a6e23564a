import type { Subject } from '../../money/reconcile/reconciliation.ts';
import type { Gateway } from '../../ports/money/gateways.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The payments or the transfers of a gateway on a UTC date, which begins at `from`. */
export type Day = {
  readonly gateway: Gateway;
  readonly liveMode: boolean;
  readonly from: number;
  readonly subject: Subject;
};

/** Says whether something was made on the day. */
export function isOn({ from }: Day): (of: { readonly createdAt: number }) => boolean {
  return ({ createdAt }) => createdAt >= from && createdAt < from + DAY_MS;
}
