/** Where couriers are. */
import type { Position } from '../domain/couriers/position.ts';
import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId } from '../domain/ids.ts';
import type { Stop } from './process.ts';

/** Couriers who lie no farther from a place than `withinM`, apart from those of the rings before; metres. */
export type Ring = { readonly withinM: number; readonly positions: readonly Position[] };

export type PositionIndex = {
  /** The newest position this process knows, its own or heard from others. */
  last(courierId: CourierId): Position | null;
  /** The newest position anybody knows. */
  find(courierId: CourierId): Promise<Position | null>;
  /** Hands a position to the next tick; a later one before the tick replaces it. */
  put(position: Position): void;
  /** Says that the couriers are there without a new position; written with the next tick. */
  touch(courierIds: readonly CourierId[]): void;
  /** Hears each tick's batch, of this process and of all others. */
  onBatch(listener: (batch: readonly Position[]) => void): Stop;
  /** Positions in these regions, of whatever size, of couriers whose presence lease runs. */
  listPresent(regions: readonly string[]): Promise<readonly Position[]>;
  /** The same, or null when there are more than `most`: then `present` and `around` know what it would have given. */
  listUpTo(regions: readonly string[], most: number): Promise<readonly Position[] | null>;
  /** The newest position this process knows of a courier whose presence lease runs by what it has heard. */
  present(courierId: CourierId): Position | null;
  /** Those around a place, ring by ring: each lies outside the one before, the last one reaches to `mostM`. */
  around(place: Coordinates, mostM: number): Iterable<Ring>;
  /** Machine time in ms since the courier was last heard of; null when long ago. */
  silentForMs(courierIds: readonly CourierId[]): Promise<ReadonlyMap<CourierId, number>>;
};
