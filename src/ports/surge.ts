/** Demand and supply by cell. */
import type { Coordinates } from '../domain/geo/geo.ts';
import type { CourierId } from '../domain/ids.ts';
import type { SurgeCell } from '../domain/surge/surge.ts';

/** Demand over supply per cell, by the last count of each region; all of it as it is now, faded when nobody counts. */
export type SurgeMap = {
  /** Puts the cells in place of all that was known of the region. Refuses `busy` when the store is away. */
  publish(region: string, cells: readonly SurgeCell[]): Promise<void>;
  /** The cell in which a place counts. Calm, with a surge of 1, when nothing is known or the store is away: never fails. */
  at(place: Coordinates, liveMode: boolean): Promise<SurgeCell>;
  /** All that is known of these regions. Refuses `busy` when the store is away. */
  list(regions: readonly string[]): Promise<readonly SurgeCell[]>;
  /** What is known of these cells, in both modes; calm ones may be left out. Refuses `busy` when the store is away. */
  listIn(cells: readonly string[]): Promise<readonly SurgeCell[]>;
};

/** Whose turn it is to be told something: one hint per courier and gap, whoever leads where. */
export type HintTurns = {
  /** Takes the courier's turn; false when he had one lately, or nobody can know. Never throws. */
  take(courierId: CourierId): Promise<boolean>;
};
