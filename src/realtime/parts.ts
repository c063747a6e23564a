import type { CarriedIndex } from './carried.ts';
import type { Door } from './door/door.ts';
import type { Holds } from './holds.ts';
import type { PositionFeed } from './positions.ts';
import type { Readers } from './readers.ts';
import type { Relay } from './relay.ts';
import type { Replay } from './replay.ts';

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
