import { pause } from '../pause.ts';

/** Most requests in a batch. The server allows a connection 20 messages a second, and cuts it off after many more. */
const BATCH = 20;
/** Least machine time between two batches. */
const BATCH_MS = 1000;
/** Most deliveries that wait. A later beacon brings the others. */
const MOST_WAITING = 5000;

/** A delivery, and the number of its newest event. */
type Newest<Id extends string> = readonly [id: Id, sequence: number];

/**
 * Collects deliveries whose events a connection has missed, and asks for them in batches. A batch begins when the one
 * before has its answers.
 * @param isMissed whether events of the delivery up to this number are still missing
 * @param ask asks for the missed events of one delivery, and never rejects
 * @param ended ends the wait between two batches
 */
export function createCatchUp<Id extends string>(
  isMissed: (...newest: Newest<Id>) => boolean,
  ask: (...newest: Newest<Id>) => Promise<void>,
  ended?: AbortSignal,
): (missed: readonly Newest<Id>[]) => void {
  const waiting = new Map<Id, number>();
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    for (;;) {
      // Some may have been reported meanwhile, and they must not hold up the others.
      for (const [id, sequence] of waiting) if (!isMissed(id, sequence)) waiting.delete(id);
      const batch = [...waiting].slice(0, BATCH);
      if (batch.length === 0) break;
      for (const [id] of batch) waiting.delete(id);
      const turn = pause(BATCH_MS, ended).catch(() => undefined);
      await Promise.all([turn, ...batch.map(([id, sequence]) => ask(id, sequence))]);
    }
    isAsking = false;
  };
  return (missed) => {
    for (const [id, sequence] of missed) {
      if (waiting.size < MOST_WAITING || waiting.has(id)) waiting.set(id, Math.max(sequence, waiting.get(id) ?? 0));
    }
    if (!isAsking) void askAll();
  };
}
