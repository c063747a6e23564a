import { Refusal } from './refusals/refusals.ts';

/** Changes that may meet on one object at a time. Each of them lets one other pass. */
const MOST_TRIES = 20;

/**
 * Tries a change until it is written. Refuses `busy` if other changes always came first.
 * @param attempt reads, decides and writes; null if another change was written after its read
 */
export async function untilWritten<T extends object>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const written = await attempt();
    if (written !== null) return written;
  }
  throw new Refusal('busy');
}
