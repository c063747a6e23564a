/** Where couriers are. */
import type { Fix, Position } from '../../domain/couriers/position.ts';
import type { Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Stop } from '../process.ts';

/** The memory of this process about one phone. */
export type Phone = {
  last: Fix | null;
  suspect: Fix | null;
  /** The number up to which nothing is missing; -1 before the first fix. */
  seq: number;
  /** The time of the newest fix that was received, good or bad, unless it lay ahead. */
  newestAt: number;
  /** Where the last batch after a hole started. If a batch starts there again, the phone cannot fill the hole. */
  holeAt: number;
  tokens: number;
  filledAt: number;
};

/** The phones of couriers that this process knows. `recordPositions` alone reads and changes it. */
export type Phones = Map<CourierId, Phone>;

/** Couriers within `withinM` metres of a place who are not in an earlier ring. */
export type Ring = { readonly withinM: number; readonly positions: readonly Position[] };

/** A courier and how far they are from a place, metres in a straight line. */
export type Near = { readonly courierId: CourierId; readonly awayM: number };

/** Which couriers around a place are looked for. */
export type NearSearch = {
  readonly mostM: number;
  readonly enough: number;
  /** Returns those of the couriers who are wanted. */
  readonly choose: (ids: readonly CourierId[]) => Promise<ReadonlySet<CourierId>>;
};

export type PositionIndex = {
  /** The newest position that this process knows, its own or from another process. */
  last(courierId: CourierId): Position | null;
  /** The newest position that any process knows. */
  find(courierId: CourierId): Promise<Position | null>;
  /** Hands a position to the next tick. A later one before the tick replaces it. */
  put(position: Position): void;
  /**
   * Reports that the couriers are there without a new position. The next tick writes it if a third of the presence lease,
   * or 5 s, has passed since their last recorded message.
   */
  touch(courierIds: readonly CourierId[]): void;
  /** Reports by itself that the courier is there, as `touch` does, until it is stopped. For the time of a connection. */
  keepPresent(courierId: CourierId): Stop;
  /** Calls the listener with each tick's batch, of this process and of all others. */
  onBatch(listener: (batch: readonly Position[]) => void): Stop;
  /** Positions in these regions, of any size, of couriers whose presence lease is live. */
  listPresent(regions: readonly string[]): Promise<readonly Position[]>;
  /** The same, or null if there are more than `most`. Then use `present` and `around` instead. */
  listUpTo(regions: readonly string[], most: number): Promise<readonly Position[] | null>;
  /** The newest position that this process knows of a courier whose presence lease, as far as it knows, is live. */
  present(courierId: CourierId): Position | null;
  /**
   * Couriers around a place, ring by ring. Each ring lies outside the one before, and the last one reaches to `mostM`.
   */
  around(place: Coordinates, mostM: number): Iterable<Ring>;
  /**
   * The nearest wanted couriers whose presence lease is live, nearest first and `enough` at most, as all processes
   * together know them. Null if it cannot tell: while Redis is away, and in a crowd of whom it looked at many and nobody was
   * wanted.
   */
  nearest(place: Coordinates, search: NearSearch): Promise<readonly Near[] | null>;
  /**
   * Machine time in ms since each courier's last report. There is no entry for a courier whom all processes have forgotten, unless Redis was away since.
   * @param exactFromMs Times from this on are exact. Shorter ones may be too long, because they come from this process
   *   alone.
   */
  silentForMs(courierIds: readonly CourierId[], exactFromMs: number): Promise<ReadonlyMap<CourierId, number>>;
};

/** Members of the context that this file describes. */
export type PositionPorts = {
  readonly positions: PositionIndex;
  readonly phones: Phones;
};
