import type { TrackDelivery } from '../../src/realtime/protocol.ts';

/** The latest arrival of the first promise, epoch ms of service time. */
export type Promised = { readonly until: number };

const LEAST_MINUTES = 3;
/** From this delay on, the reader is told who can help. */
export const HELP_MINUTES = 30;

/** Keeps the first promise. Later estimates do not replace it, unless the delivery is still planned and its plan has changed. */
export function keepPromise(
  kept: Promised | null,
  { status, eta }: Pick<TrackDelivery, 'status' | 'eta'>,
): Promised | null {
  if (eta === null || (kept !== null && status !== 'scheduled')) return kept;
  return { until: Date.parse(eta.upper_at) };
}

/** Whole minutes between the first promise and the arrival, now at the earliest if it is not known; 0 for a small delay. */
export function minutesLate(kept: Promised | null, { eta, clock }: Pick<TrackDelivery, 'eta' | 'clock'>): number {
  if (kept === null) return 0;
  const minutes = Math.round(((eta === null ? clock.now : Date.parse(eta.at)) - kept.until) / 60_000);
  return minutes >= LEAST_MINUTES ? minutes : 0;
}
