import { setTimeout as pause } from 'node:timers/promises';

/** The server's service time, shared by its clients. It may run many times faster than machine time. */
export type ServiceTime = {
  readonly scale: number;
  /** Epoch ms of service time. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Waits until this moment. Resolves at once if it is past. */
  until(at: number): Promise<void>;
  /** Service ms to machine ms. */
  toRealMs(ms: number): number;
};

const SAMPLES = 9;

/** Asks the server for its time a few times, and takes the fastest answer. */
export async function shareTime(
  read: () => Promise<{ now: number | string; clock_scale: number }>,
): Promise<ServiceTime> {
  let best = { tookMs: Infinity, serviceAt: 0, realAt: 0, scale: 1 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const asked = performance.now();
    const { now, clock_scale: scale } = await read();
    const tookMs = performance.now() - asked;
    const serviceAt = typeof now === 'number' ? now : Date.parse(now);
    if (tookMs < best.tookMs) best = { tookMs, serviceAt, realAt: asked + tookMs / 2, scale };
  }
  const { serviceAt, realAt, scale } = best;
  const now = (): number => serviceAt + (performance.now() - realAt) * scale;
  return {
    scale,
    now,
    sleep: (ms) => pause(Math.max(0, ms / scale)),
    until: (at) => pause(Math.max(0, (at - now()) / scale)),
    toRealMs: (ms) => ms / scale,
  };
}
