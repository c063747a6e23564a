import type { DeliveryId } from '../../domain/ids.ts';
import type { Commit, CommitResult } from '../../ports/changes.ts';

/**
 * The same commit, for one process. If another change of the delivery is being committed, what was decided is about to
 * be stale: the result says so once that commit has ended. Hundreds of transactions on one document at once would
 * conflict until their deadline. Between processes the database arbitrates.
 */
export function commitAlone(commit: Commit): Commit {
  const underWay = new Map<DeliveryId, Promise<CommitResult>>();
  return async (change) => {
    const { id } = change.after;
    const other = underWay.get(id);
    if (other !== undefined) {
      // How it ended is its caller's business; here only its end counts.
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
