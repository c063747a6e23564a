import type { DeliveryId } from '../domain/ids.ts';
import type { Change, Commit, CommitResult } from '../ports/changes.ts';

/** The commit that is under way for each delivery, per process: a process is known by its commit. */
const underWay = new WeakMap<Commit, Map<DeliveryId, Promise<CommitResult>>>();

/**
 * Commits, unless another commit of this delivery is under way in this process: then what was decided is about to be
 * stale, so it waits for that one to end and says so. Hundreds of transactions on one document at once would conflict
 * until their deadline. Between processes the database arbitrates.
 */
export async function commitAlone(commit: Commit, change: Change): Promise<CommitResult> {
  const { id } = change.after;
  const running = underWay.get(commit) ?? new Map<DeliveryId, Promise<CommitResult>>();
  underWay.set(commit, running);
  const other = running.get(id);
  if (other !== undefined) {
    // How it ended is its caller's business; here only its end counts.
    await other.catch(() => undefined);
    return { ok: false, why: 'stale' };
  }
  const own = commit(change);
  running.set(id, own);
  try {
    return await own;
  } finally {
    running.delete(id);
  }
}
