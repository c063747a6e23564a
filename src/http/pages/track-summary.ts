import type { TrackView } from '../../domain/views/track-view.ts';
import { asText } from './text-page.ts';

const OF_DELIVERY: Record<TrackView['status'], string> = {
  scheduled: 'Planned',
  searching: 'Looking for a courier',
  assigned: 'A courier is going to collect it',
  picked_up: 'Collected',
  in_transit: 'On the way',
  delivered: 'Delivered',
  failed: 'Could not be delivered',
  canceled: 'Canceled',
};

const OF_RETURN: Record<TrackView['status'], string> = {
  ...OF_DELIVERY,
  in_transit: 'On the way back',
  delivered: 'Returned',
  failed: 'Could not be returned',
};

/** The state in words, for a browser that runs no script. Times are left out, since the browser does not say its time zone. */
export function trackSummary({ kind, status, vendor }: Pick<TrackView, 'kind' | 'status' | 'vendor'>): string {
  const isReturn = kind === 'return';
  const words = (isReturn ? OF_RETURN : OF_DELIVERY)[status];
  const about = isReturn ? 'Goods that go back to' : 'Your delivery from';
  return `<h1>${words}</h1><p>${about} <bdi>${asText(vendor.name)}</bdi></p>`;
}
