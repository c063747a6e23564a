import type { Connections } from '../connections/connections.ts';
import type { Holds } from '../relay/holds.ts';
import type { PositionFeed } from '../positions/positions.ts';
import type { Readers } from '../positions/readers.ts';
import type { Relay } from '../relay/relay.ts';
import type { Replay } from '../relay/replay.ts';

/** The parts that the namespaces of a process share. */
export type Parts = {
  readonly connections: Connections;
  readonly holds: Holds;
  readonly replay: Replay;
  readonly relay: Relay;
  readonly readers: Readers;
  readonly feed: PositionFeed;
};
