/** A moment by both clocks of the machine, in ms. The steady clock may stand while the machine sleeps. The wall clock may be set. */
export type Moment = { readonly steadyMs: number; readonly wallMs: number };

/** Clocks whose spans differ by more than this show a sleep, or a wall clock that was set. */
const JUMP_MS = 2000;

export function thisMoment(): Moment {
  return { steadyMs: performance.now(), wallMs: Date.now() };
}

/** Whether the machine has slept, or its wall clock was set, between two moments. */
export function hasJumped(from: Moment, to: Moment): boolean {
  return Math.abs(to.wallMs - from.wallMs - (to.steadyMs - from.steadyMs)) > JUMP_MS;
}

/** The time from one moment to another, with the time that the machine slept; negative if the other was earlier. */
export function spanMs(from: Moment, to: Moment): number {
  const steadyMs = to.steadyMs - from.steadyMs;
  const wallMs = to.wallMs - from.wallMs;
  // A sleep only makes the span of the wall clock longer. If that span is shorter, the clock was set back.
  // A clock that was set forward looks like a sleep.
  const sleptMs = (wallMs - steadyMs) * Math.sign(steadyMs || wallMs);
  return sleptMs > JUMP_MS ? wallMs : steadyMs;
}
