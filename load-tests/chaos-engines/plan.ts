// The faults that a run makes.

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
