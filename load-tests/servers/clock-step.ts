/** In a server's data folder: how far `skewed-clock.ts` has stepped its wall clock, ms. */
export const CLOCK_STEP_FILE = 'clock-step';
