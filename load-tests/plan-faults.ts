// Plans when the faults of a run are made.
import { createRandom } from './random.ts';

/** A fault and its moment: 0 is the beginning of the run, 1 its end. */
export type Planned<Fault> = { readonly fault: Fault; readonly share: number };

/** The run is divided into equal parts, one for each fault. The fault comes between these shares of its part. */
const WITHIN = { least: 0.2, most: 0.6 };

/** Spreads the faults over the run in a random order, each as often as counted. The same seed gives the same plan. */
export function planFaults<Fault extends string>(
  counts: Readonly<Record<Fault, number>>,
  seed: number,
): Planned<Fault>[] {
  const random = createRandom(seed);
  const left = (Object.keys(counts) as Fault[]).flatMap((fault) => Array.from({ length: counts[fault] }, () => fault));
  const parts = left.length;
  return Array.from({ length: parts }, (_, part) => part).flatMap((part) => {
    const share = (fault: Fault) => ({ fault, share: (part + random.between(WITHIN.least, WITHIN.most)) / parts });
    return left.splice(Math.floor(random.next() * left.length), 1).map(share);
  });
}
