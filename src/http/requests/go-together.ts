import { finished } from 'node:stream/promises';
import type { Response } from 'express';
import { createGroups } from '../../work/groups.ts';
import type { Clock } from '../../ports/process.ts';

/** A group of so many requests shows that the process is busy. */
const BUSY = 2;
/** The least time between the start of such a group and that of the next, machine time. It gives the next one company. */
const REST_MS = 30;

type Entry = { readonly res: Response; readonly go: () => void };

/**
 * Lets requests go on in groups: the promise resolves when the request may go on. While a group is being answered,
 * further requests wait for the next one, 30 ms at most. The requests of a group reach each store in the same turn of the
 * event loop, so they share its commands. A request that comes while no other is under way waits for nothing. This is
 * group commit (DeWitt et al., "Implementation techniques for main memory database systems", 1984), for whole requests.
 */
export function createGoTogether(clock: Pick<Clock, 'real'>): (res: Response) => Promise<void> {
  const answer = async (entries: readonly Entry[]) => {
    for (const { go } of entries) go();
    const rest = entries.length < BUSY ? null : clock.real.sleep(REST_MS);
    await Promise.allSettled([rest, ...entries.map(({ res }) => finished(res))]);
    return entries.map(() => ({ status: 'fulfilled' as const, value: undefined }));
  };
  const enter = createGroups<Entry, void>(clock, answer, { patienceMs: REST_MS });
  return (res) => new Promise<void>((go) => void enter({ res, go }));
}
