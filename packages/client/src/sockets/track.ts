import type { Positions, TrackSnapshot } from '../generated/messages.ts';
import { startFeed, type Feed, type FeedOptions } from './feed.ts';

export type TrackFeedOptions = FeedOptions<TrackSnapshot> & {
  /** The token of the tracking link: the last part of its URL. */
  readonly token: string;
  /** Called with the newest place of the courier, from the pickup to the end. */
  readonly onPositions?: ((frame: Positions) => void) | undefined;
};

/** Follows one delivery as its recipient. */
export function openTrackFeed(options: TrackFeedOptions): Feed {
  return startFeed('/track', options.token, options, (socket) => {
    socket.on('positions', (frame: Positions, acknowledge: () => void) => {
      // The next frame comes only after the acknowledgement.
      acknowledge();
      options.onPositions?.(frame);
    });
  }).feed;
}
