/** A file in a server's data folder. It contains the step of its wall clock in `skewed-clock.ts`, ms. */
export const CLOCK_STEP_FILE = 'clock-step';
