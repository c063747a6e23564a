import { isoTime } from './time.ts';
import type { No, RefusalCode } from './refusals/refusals.ts';

/** A span of service time in ms; either end may be open. */
export type Window = { readonly readyAt: number | null; readonly deadlineAt: number | null };

const MINUTE_MS = 60_000;
const FARTHEST_AHEAD_MS = 30 * 24 * 60 * MINUTE_MS;
const SMALLEST_PICKUP_MS = 10 * MINUTE_MS;
const SMALLEST_DROP_OFF_MS = 20 * MINUTE_MS;

/** When a scheduled pickup window closes. A window without an end has the smallest width. Null without a ready time. */
export function closeOf({ readyAt, deadlineAt }: Window): number | null {
  return deadlineAt ?? (readyAt === null ? null : readyAt + SMALLEST_PICKUP_MS);
}

/** Judges how far ahead the ready time is; null if it is near enough. */
export function judgeReady(pickup: Window | null, now: number): No | null {
  const readyAt = pickup?.readyAt ?? now;
  const latestAt = now + FARTHEST_AHEAD_MS;
  if (readyAt <= latestAt) return null;
  const detail = `\`/pickup/window/ready_at\` must be within 30 days, at ${isoTime(latestAt)} at the latest; it is ${isoTime(readyAt)}.`;
  return { code: 'pickup_ready_too_late', detail };
}

/** Judges whether every window of the pickup and the drop-offs starts and ends within 30 days; null if so. */
export function judgeEnds(pickup: Window | null, dropOffs: readonly (Window | null)[], now: number): No | null {
  const latestAt = now + FARTHEST_AHEAD_MS;
  const places = [
    ['/pickup', pickup] as const,
    ...dropOffs.map((window, index) => [`/drop_off/${index}`, window] as const),
  ];
  for (const [place, window] of places) {
    for (const [end, at] of [
      ['ready_at', window?.readyAt],
      ['deadline_at', window?.deadlineAt],
    ] as const) {
      if ((at ?? now) <= latestAt) continue;
      const pointer = `${place}/window/${end}`;
      const detail = `\`${pointer}\` must be within 30 days, at ${isoTime(latestAt)} at the latest; it is ${isoTime(at ?? now)}.`;
      return { code: 'window_too_late', detail, errors: [{ pointer, code: 'window_too_late', message: detail }] };
    }
  }
  return null;
}

/** Judges whether every window of the pickup and the drop-offs ends in the future; null if so. */
export function judgePassed(pickup: Window | null, dropOffs: readonly (Window | null)[], now: number): No | null {
  const places = [
    ['/pickup', pickup, 'pickup_deadline_too_early'] as const,
    ...dropOffs.map((window, index) => [`/drop_off/${index}`, window, 'impossible_value'] as const),
  ];
  for (const [place, window, code] of places) {
    const endsAt = window?.deadlineAt ?? null;
    if (endsAt === null || endsAt > now) continue;
    const pointer = `${place}/window/deadline_at`;
    const detail = `\`${pointer}\` is ${isoTime(endsAt)}, but must be later than now, which is ${isoTime(now)}.`;
    return { code, detail, errors: [{ pointer, code, message: detail }] };
  }
  return null;
}

/** Judges whether every drop-off may end after the goods are ready; null if so. */
export function judgeOrder(pickup: Window | null, dropOffs: readonly (Window | null)[]): No | null {
  const readyAt = pickup?.readyAt ?? null;
  if (readyAt === null) return null;
  for (const [index, window] of dropOffs.entries()) {
    const endsAt = window?.deadlineAt ?? null;
    if (endsAt === null || endsAt > readyAt) continue;
    const pointer = `/drop_off/${index}/window/deadline_at`;
    const detail = `\`${pointer}\` is ${isoTime(endsAt)}, but must be later than the goods are ready, which is at ${isoTime(readyAt)}.`;
    return { code: 'impossible_value', detail, errors: [{ pointer, code: 'impossible_value', message: detail }] };
  }
  return null;
}

/** Judges all windows of a new delivery that is searched for at once; null if they are valid. */
export function judgeImmediate(pickup: Window | null, dropOffs: readonly (Window | null)[], now: number): No | null {
  return (
    judgeReady(pickup, now) ??
    judgePassed(pickup, dropOffs, now) ??
    judgeOrder(pickup, dropOffs) ??
    judgeEnds(pickup, dropOffs, now)
  );
}

/** Judges all windows of a new scheduled delivery; null if they are valid. */
export function judgeScheduled(pickup: Window | null, dropOffs: readonly (Window | null)[], now: number): No | null {
  return judgeWindows(pickup, dropOffs, now) ?? judgeEnds(pickup, dropOffs, now);
}

/** Judges the windows of a scheduled delivery; null if they are valid. */
export function judgeWindows(pickup: Window | null, dropOffs: readonly (Window | null)[], now: number): No | null {
  if (pickup === null) return missing('/pickup/window');
  if (pickup.readyAt === null) return missing('/pickup/window/ready_at');
  const readyAt = pickup.readyAt;
  const deadlineAt = pickup.deadlineAt ?? readyAt + SMALLEST_PICKUP_MS;
  const tooLate = judgeReady(pickup, now);
  if (tooLate !== null) return tooLate;
  if (deadlineAt - readyAt < SMALLEST_PICKUP_MS) {
    return {
      code: 'pickup_window_too_small',
      detail: `\`/pickup/window/deadline_at\` is ${isoTime(deadlineAt)}, but must be at least 10 minutes after \`ready_at\`, which is ${isoTime(readyAt)}.`,
    };
  }
  return judgePassed({ readyAt, deadlineAt }, [], now) ?? judgeDropOffs(pickup, dropOffs);
}

/** Judges whether the windows of drop-offs are wide enough and fit the pickup window of their scheduled delivery. */
export function judgeDropOffs(pickup: Window | null, dropOffs: readonly (Window | null)[]): No | null {
  const readyAt = pickup?.readyAt ?? null;
  if (pickup === null || readyAt === null) return null;
  const deadlineAt = pickup.deadlineAt ?? readyAt + SMALLEST_PICKUP_MS;
  for (const [index, window] of dropOffs.entries()) {
    const no = judgeDropOff(window, index, readyAt, deadlineAt);
    if (no !== null) return no;
  }
  return null;
}

function missing(pointer: string): No {
  const detail = `\`${pointer}\` must be given, because \`priority\` is \`scheduled\`.`;
  return { code: 'impossible_value', detail, errors: [{ pointer, code: 'required', message: detail }] };
}

function judgeDropOff(
  window: Window | null,
  index: number,
  pickupReadyAt: number,
  pickupDeadlineAt: number,
): No | null {
  if (window === null) return null;
  const { readyAt, deadlineAt } = window;
  const refuse = (code: RefusalCode, end: 'ready_at' | 'deadline_at', at: number, rule: string): No => {
    const pointer = `/drop_off/${index}/window/${end}`;
    const detail = `\`${pointer}\` is ${isoTime(at)}, but must be ${rule}.`;
    return { code, detail, errors: [{ pointer, code, message: detail }] };
  };
  const pickupEnds = `than the end of the pickup window, which is ${isoTime(pickupDeadlineAt)}`;
  const fromAt = readyAt ?? pickupReadyAt;
  if (fromAt > pickupDeadlineAt) {
    return refuse('drop_off_ready_after_pickup_deadline', 'ready_at', fromAt, `no later ${pickupEnds}`);
  }
  if (deadlineAt === null) return null;
  if (deadlineAt < pickupDeadlineAt) {
    return refuse('drop_off_deadline_before_pickup_deadline', 'deadline_at', deadlineAt, `no earlier ${pickupEnds}`);
  }
  if (deadlineAt - fromAt >= SMALLEST_DROP_OFF_MS) return null;
  const rule = `at least 20 minutes after the window begins, which is at ${isoTime(fromAt)}`;
  return refuse('drop_off_window_too_small', 'deadline_at', deadlineAt, rule);
}
