import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { Commit } from '../../ports/changes.ts';
import type { Metrics } from '../../ports/process.ts';

/** The same commit. The metrics count each delivery that it ends. */
export function countEnds(commit: Commit, metrics: Metrics): Commit {
  return async (change) => {
    const result = await commit(change);
    const { before, after } = change;
    if (result.ok && isTerminal(after.state) && before?.state !== after.state) {
      metrics.count('deliveries_ended_total', { state: after.state, mode: after.liveMode ? 'live' : 'test' });
    }
    return result;
  };
}
