import type { Position } from '../../domain/couriers/position.ts';

/** The state of one courier in this process. Every ping touches it, so the object is changed in place. */
export type Slot = {
  position: Position;
  /** The region of the position, found when it is written. */
  region: string;
  /** When any process last recorded a message of the courier, in ms of this process's monotonic clock. */
  heardAt: number;
  /** When this was certainly the newest position of all processes, by the same clock. */
  knownAt: number;
  /** The latest `heardAt` that this process has written to Redis; -Infinity if Redis may have lost it. */
  seenAt: number;
  /** The region in which Redis has the courier, as far as known. If null, a write must read Redis first. */
  storedRegion: string | null;
  /** True if the listeners of this process have not received the position. */
  isFresh: boolean;
  /** True if Redis may not have the position. */
  isMoved: boolean;
  /** True if this process heard the courier since the last write. The other processes must then be informed. */
  isNews: boolean;
  /** True if this process heard the courier last. It is then the one that writes the courier. */
  isOwn: boolean;
  /** True if the courier waits for the next write, with a position or only as a sign of presence. */
  isWaiting: boolean;
};
