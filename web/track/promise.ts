import type { TrackDelivery } from '../../src/realtime/protocol.ts';

/** The latest arrival that the reader was first told, epoch ms of service time. */
export type Promised = { readonly until: number };

const LEAST_MINUTES = 3;

/** The first promise stands; later estimates do not replace it. */
export function keepPromise(kept: Promised | null, eta: TrackDelivery['eta']): Promised | null {
  if (kept !== null || eta === null) return kept;
  return { until: Date.parse(eta.upper_at) };
}

/** Whole minutes by which the present estimate misses the first promise; 0 when it is hardly worth a word. */
export function minutesLate(kept: Promised | null, eta: TrackDelivery['eta']): number {
  if (kept === null || eta === null) return 0;
  const minutes = Math.round((Date.parse(eta.at) - kept.until) / 60_000);
  return minutes >= LEAST_MINUTES ? minutes : 0;
}
