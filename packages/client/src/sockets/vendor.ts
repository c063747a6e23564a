import type { Credential } from '../credentials.ts';
import type { Positions, VendorSnapshot } from '../generated/messages.ts';
import { shield } from './callbacks.ts';
import { startFeed, type Feed, type FeedOptions } from './feed.ts';
import { hear, isPositions } from './heard.ts';

export type VendorFeedOptions = FeedOptions<VendorSnapshot> & {
  /** The API key. Keep it on your server. */
  readonly apiKey: Credential;
  /** Called with the newest places of couriers. Older places are never repeated. */
  readonly onPositions?: ((frame: Positions) => void) | undefined;
};

/** Follows all deliveries of a vendor, in the mode of the API key. */
export function openVendorFeed(given: VendorFeedOptions): Feed {
  const options = shield(given);
  return startFeed('/vendor', options.apiKey, options, (socket) => {
    hear(socket, 'positions', isPositions, (frame, acknowledge) => {
      // The next frame comes only after the acknowledgement.
      acknowledge();
      options.onPositions?.(frame);
    });
  }).feed;
}
