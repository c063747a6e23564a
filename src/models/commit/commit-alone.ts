import type { DeliveryId } from '../../domain/ids.ts';
import type { Commit, CommitResult } from '../../ports/changes.ts';

/**
 * The same commit, but a process commits one change of a delivery at a time. During another commit, the decision for a
 * change is about to become stale, and the result says so once that commit has ended. Otherwise hundreds of concurrent
 * transactions on one document would conflict until their deadline. Between processes the database decides.
 */
export function commitAlone(commit: Commit): Commit {
  const underWay = new Map<DeliveryId, Promise<CommitResult>>();
  return async (change) => {
    const { id } = change.after;
    const other = underWay.get(id);
    if (other !== undefined) {
      // Its result is for its own caller. Here only its end counts.
      await other.catch(() => undefined);
      return { ok: false, why: 'stale' };
    }
    const own = commit(change);
    underWay.set(id, own);
    try {
      return await own;
    } finally {
      underWay.delete(id);
    }
  };
}
