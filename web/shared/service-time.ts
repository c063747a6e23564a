/** What the server told of its clock: service time in epoch ms, and how many times faster than real it runs. */
export type ToldClock = { readonly now: number; readonly scale: number };

/** Service time as the server counts it, carried on by the machine's own clock. */
export type ServiceTime = { readonly scale: number; now(): number };

/** @param machine epoch ms of this machine, right or wrong: only what passes on it counts */
export function serviceTime(told: ToldClock, machine: () => number = Date.now): ServiceTime {
  const heardAt = machine();
  return { scale: told.scale, now: () => told.now + (machine() - heardAt) * told.scale };
}
