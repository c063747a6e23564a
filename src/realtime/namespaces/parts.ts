import type { CarriedIndex } from '../positions/carried.ts';
import type { Door } from '../connections/door.ts';
import type { Holds } from '../relay/holds.ts';
import type { PositionFeed } from '../positions/positions.ts';
import type { Readers } from '../positions/readers.ts';
import type { Relay } from '../relay/relay.ts';
import type { Replay } from '../relay/replay.ts';

/** What the namespaces share within a process. */
export type Parts = {
  readonly door: Door;
  readonly holds: Holds;
  readonly replay: Replay;
  readonly relay: Relay;
  readonly carried: CarriedIndex;
  readonly readers: Readers;
  readonly feed: PositionFeed;
};
