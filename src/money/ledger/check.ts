/** The result of a check of the whole ledger. */
export type LedgerCheck = {
  readonly ok: boolean;
  readonly entries: number;
  readonly accounts: number;
  /** The newest link of the chain. A later check must find the same hash at this number. */
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly faultCount: number;
  /** What is wrong, in sentences: the first faults. */
  readonly faults: readonly string[];
};

/** The last check that a server has made. */
export type LastCheck = Pick<LedgerCheck, 'entries' | 'faultCount'> & {
  /** When it began, service time in ms. */
  readonly checkedAt: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Says whether the ledger must be checked now. A check is due once a day, and an hour after one that found faults.
 * @param afterMs how long after midnight UTC the check of a day is due
 */
export function isCheckDue(last: LastCheck | null, now: number, afterMs: number): boolean {
  if (last === null) return true;
  if (last.faultCount > 0 && now >= last.checkedAt + HOUR_MS) return true;
  const dayOf = (at: number): number => Math.floor((at - afterMs) / DAY_MS);
  return dayOf(now) > dayOf(last.checkedAt);
}
