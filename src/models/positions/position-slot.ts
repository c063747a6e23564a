import type { Position } from '../../domain/couriers/position.ts';

/** What this process knows of a courier. One object per courier, changed in place: it is touched by every ping. */
export type Slot = {
  position: Position;
  /** Cells of the position; made when it is written. */
  region: string;
  viewCell: string;
  /** When the courier was last heard of, here or elsewhere; by this process's monotonic clock, ms. */
  heardAt: number;
  /** When this was certainly the newest position anybody had, by the same clock. */
  knownAt: number;
  /** What Redis holds of the courier as far as is known; null: ask before writing. */
  storedRegion: string | null;
  storedCell: string | null;
  /** Has a position the listeners of this process have not heard. */
  isFresh: boolean;
  /** Has a position that Redis does not have. */
  isMoved: boolean;
  /** Was heard of here since the last write, so that the others must be told. */
  isNews: boolean;
  /** Was heard of here last, not by another process: it is this one that writes the courier. */
  isOwn: boolean;
  /** Waits for the next write, with a position or only to say that the courier is there. */
  isWaiting: boolean;
};
