import type { RefusalCode } from './refusals.ts';

/** A span of service time in ms; either end may be open. */
export type Window = { readonly readyAt: number | null; readonly deadlineAt: number | null };

const MINUTE_MS = 60_000;
const FARTHEST_AHEAD_MS = 30 * 24 * 60 * MINUTE_MS;
const SMALLEST_PICKUP_MS = 10 * MINUTE_MS;
const SMALLEST_DROP_OFF_MS = 20 * MINUTE_MS;

/** Judges how far ahead the goods are ready; null when it is near enough. */
export function judgeReady(pickup: Window | null, now: number): RefusalCode | null {
  return (pickup?.readyAt ?? now) > now + FARTHEST_AHEAD_MS ? 'pickup_ready_too_late' : null;
}

/** Judges the windows of a scheduled delivery; null when they are sound. */
export function judgeWindows(
  pickup: Window | null,
  dropOffs: readonly (Window | null)[],
  now: number,
): RefusalCode | null {
  if (pickup?.readyAt === null || pickup?.readyAt === undefined) return 'invalid_params';
  const readyAt = pickup.readyAt;
  const deadlineAt = pickup.deadlineAt ?? readyAt + SMALLEST_PICKUP_MS;
  const tooLate = judgeReady(pickup, now);
  if (tooLate !== null) return tooLate;
  if (deadlineAt - readyAt < SMALLEST_PICKUP_MS) return 'pickup_window_too_small';
  if (deadlineAt <= now) return 'pickup_deadline_too_early';
  for (const window of dropOffs) {
    const code = judgeDropOff(window, readyAt, deadlineAt);
    if (code !== null) return code;
  }
  return null;
}

function judgeDropOff(window: Window | null, pickupReadyAt: number, pickupDeadlineAt: number): RefusalCode | null {
  if (window === null) return null;
  const readyAt = window.readyAt ?? pickupReadyAt;
  if (readyAt > pickupDeadlineAt) return 'drop_off_ready_after_pickup_deadline';
  if (window.deadlineAt === null) return null;
  if (window.deadlineAt < pickupDeadlineAt) return 'drop_off_deadline_before_pickup_deadline';
  return window.deadlineAt - readyAt < SMALLEST_DROP_OFF_MS ? 'drop_off_window_too_small' : null;
}
