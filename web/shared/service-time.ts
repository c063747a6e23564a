/** The clock of the server: service time in epoch ms, and how many times faster than real time it runs. */
export type ToldClock = { readonly now: number; readonly scale: number };

/** Returns the service time, continued with the clock of this machine. */
export type ServiceTime = { readonly scale: number; now(): number };

/** @param machine epoch ms of this machine; only differences matter, so it need not be correct */
export function serviceTime(told: ToldClock, machine: () => number = Date.now): ServiceTime {
  const heardAt = machine();
  return { scale: told.scale, now: () => told.now + (machine() - heardAt) * told.scale };
}
