import type { TrackDelivery } from '../../src/realtime/protocol.ts';

/** The latest arrival of the first promise, epoch ms of service time. */
export type Promised = { readonly until: number };

const LEAST_MINUTES = 3;

/** Keeps the first promise. Later estimates do not replace it. */
export function keepPromise(kept: Promised | null, eta: TrackDelivery['eta']): Promised | null {
  if (kept !== null || eta === null) return kept;
  return { until: Date.parse(eta.upper_at) };
}

/** Whole minutes between the first promise and the current estimate; 0 for a small delay. */
export function minutesLate(kept: Promised | null, eta: TrackDelivery['eta']): number {
  if (kept === null || eta === null) return 0;
  const minutes = Math.round((Date.parse(eta.at) - kept.until) / 60_000);
  return minutes >= LEAST_MINUTES ? minutes : 0;
}
