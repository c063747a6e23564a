// Plans which faults a run makes, and when.
import { createRandom } from '../random.ts';

/** In the order of the usage text. The values say how often each comes by default. */
export const FAULTS = {
  'step-downs': 6,
  'primary-kills': 3,
  'redis-failovers': 2,
  'server-kills': 4,
  'clock-steps': 1,
} as const;
export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

/** How often each fault comes. */
export type FaultCounts = Readonly<Record<Fault, number>>;

/** A fault and its moment: 0 is the beginning of the day, 1 the last order. */
export type Planned = { readonly fault: Fault; readonly share: number };

/** The day is divided into equal parts, one for each fault. The fault comes between these shares of its part. */
const WITHIN = { least: 0.2, most: 0.6 };

/** Spreads the faults over the day in a random order. The same seed gives the same plan. */
export function planFaults(counts: FaultCounts, seed: number): Planned[] {
  const random = createRandom(seed);
  const left = FAULT_NAMES.flatMap((fault) => Array.from({ length: counts[fault] }, () => fault));
  const parts = left.length;
  return Array.from({ length: parts }, (_, part) => {
    const [fault = 'step-downs'] = left.splice(Math.floor(random.next() * left.length), 1);
    return { fault, share: (part + random.between(WITHIN.least, WITHIN.most)) / parts };
  });
}
