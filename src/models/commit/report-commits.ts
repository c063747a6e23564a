import { AsyncLocalStorage } from 'node:async_hooks';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { Change, Commit } from '../../ports/changes.ts';
import type { Metrics, Stop } from '../../ports/process.ts';

/** Reports each change that this process has stored. Nobody hears what other processes store. */
export type Commits = { onStored(listener: (change: Change) => void): Stop };

type Reported = { readonly commit: Commit; readonly commits: Commits };

/** The same commit, and the reports of what it stores. */
export function reportCommits(commit: Commit): Reported {
  const listeners = new Set<(change: Change) => void>();
  // A listener works for its own process, and not for the tenant whose request has made the change.
  const asOwn = AsyncLocalStorage.snapshot();
  return {
    commit: async (change) => {
      const result = await commit(change);
      if (result.ok) for (const listener of listeners) asOwn(listener, change);
      return result;
    },
    commits: {
      onStored: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

/** The same commit. The metrics count each delivery that it ends. */
export function countEnds(reported: Reported, metrics: Metrics): Reported {
  reported.commits.onStored(({ before, after }) => {
    if (!isTerminal(after.state) || before?.state === after.state) return;
    metrics.count('deliveries_ended_total', { state: after.state, mode: after.liveMode ? 'live' : 'test' });
  });
  return reported;
}
