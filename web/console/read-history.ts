import type { WireEvent } from '../shared/wire.ts';

type History = readonly WireEvent[];

/** Reads of one history. More would not help: the server may have removed events that were known. */
const MOST_READS = 3;

/**
 * Reads the history of a delivery, and again if an event arrived meanwhile that it does not have.
 * @param known the number of the newest event that the console knows
 */
export async function readHistory(read: () => Promise<History>, known: () => number): Promise<History> {
  let events = await read();
  for (let reads = 1; reads < MOST_READS && lastOf(events) < known(); reads += 1) events = await read();
  return events;
}

/** The history to show after a read of it. Events may have been added to the shown one meanwhile. */
export function newerHistory(shown: History | null, read: History): History {
  return shown === null || lastOf(read) >= lastOf(shown) ? read : shown;
}

function lastOf(events: History): number {
  return events.at(-1)?.sequence ?? 0;
}
