import type { Positions, TrackSnapshot } from '../generated/messages.ts';
import { shield } from './callbacks.ts';
import { startFeed, type Feed, type FeedOptions } from './feed.ts';
import { hear, isPositions } from './heard.ts';

export type TrackFeedOptions = FeedOptions<TrackSnapshot> & {
  /** The token of the tracking link: the last part of its URL. */
  readonly token: string;
  /** Called with the newest place of the courier, from the pickup to the end. */
  readonly onPositions?: ((frame: Positions) => void) | undefined;
};

/** Follows one delivery as its recipient. */
export function openTrackFeed(given: TrackFeedOptions): Feed {
  const options = shield(given);
  return startFeed('/track', options.token, options, (socket) => {
    hear(socket, 'positions', isPositions, (frame, acknowledge) => {
      // The next frame comes only after the acknowledgement.
      acknowledge();
      options.onPositions?.(frame);
    });
  }).feed;
}
