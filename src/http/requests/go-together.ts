import { finished } from 'node:stream/promises';
import type { Response } from 'express';
import { createGroups } from '../../work/groups.ts';
import type { Clock } from '../../ports/process.ts';

/** A group of so many requests shows that the process is busy. */
const BUSY = 2;
/** The least time between the start of such a group and that of the next, machine time. */
const LEAST_MS = 20;
/** The most time for which requests wait for the group before them and for company, machine time. */
const MOST_MS = 40;
/** So many requests wait for no further company. */
const COMPANY = 4;

type Entry = { readonly res: Response; readonly go: () => void };

/**
 * Lets requests go on in groups: the promise resolves when the request may go on. While a group is being answered,
 * further requests wait for the next one, 40 ms at most. After a group of two or more, they also wait for at least 20 ms,
 * and then until four wait or 40 ms have passed. The requests of a group reach each store in the same turn of the event
 * loop, so they share its commands. A request waits for nothing if no other is under way and no group of two or more began
 * in the last 40 ms. This is group commit (DeWitt et al., "Implementation techniques for main memory database systems",
 * 1984), for whole requests.
 */
export function createGoTogether(clock: Pick<Clock, 'real'>): (res: Response) => Promise<void> {
  let waiting = 0;
  let onCompany = (): void => undefined;
  const company = async (): Promise<void> => {
    await clock.real.sleep(LEAST_MS);
    const enough = new Promise<void>((resolve) => {
      onCompany = resolve;
      if (waiting >= COMPANY) resolve();
    });
    await Promise.race([enough, clock.real.sleep(MOST_MS - LEAST_MS)]);
  };
  const answer = async (entries: readonly Entry[]) => {
    waiting -= entries.length;
    for (const { go } of entries) go();
    const rest = entries.length < BUSY ? null : company();
    await Promise.allSettled([rest, ...entries.map(({ res }) => finished(res))]);
    return entries.map(() => ({ status: 'fulfilled' as const, value: undefined }));
  };
  const enter = createGroups<Entry, void>(clock, answer, { patienceMs: MOST_MS });
  return (res) =>
    new Promise<void>((go) => {
      waiting += 1;
      if (waiting >= COMPANY) onCompany();
      void enter({ res, go });
    });
}
